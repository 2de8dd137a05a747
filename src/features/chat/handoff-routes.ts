import { Type } from 'typebox'
import { readId } from '../../http/ids.ts'
import { errors, Timestamp } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import type { Handoff } from './handoff-service.ts'
import { CancelBody, SessionParams } from './schemas.ts'

const CancelResult = Type.Object({
  session_id: Type.String(),
  agent_status: Type.Null({ description: 'null: the assistant goes on' }),
  updated_at: Timestamp,
})

/** What a customer can do about the person that was called. */
export function handoffRoutes(app: App, { handoff }: { handoff: Pick<Handoff, 'cancel'> }): void {
  app.post(
    '/api/v1/chat/sessions/:session_id/handoff/cancel',
    {
      schema: {
        summary: 'No longer wait for a person',
        tags: ['chat'],
        params: SessionParams,
        body: CancelBody,
        response: { 200: CancelResult, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      const userId = readId('user_id', body.user_id)
      const { sessionId, updatedAt } = await handoff.cancel(params.session_id.trim(), userId)
      return { session_id: sessionId, agent_status: null, updated_at: updatedAt.toISOString() }
    },
  )
}
