import type { Static } from 'typebox'
import { noteChange } from '../../../http/changes.ts'
import { readId } from '../../../http/ids.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { AppError } from '../../../kernel/errors.ts'
import { actorOf } from '../actor.ts'
import { BulkBody, BulkResult } from './schemas.ts'
import type { Bulk } from './service.ts'

export function bulkRoutes(app: App, { bulk }: { bulk: Bulk }): void {
  app.post(
    '/api/v1/agent/sessions/bulk',
    {
      schema: {
        summary: 'Do something with many conversations at once',
        description:
          'Each by itself, in order, as its own endpoint would; one that is refused stops no other, and its outcome says why.',
        tags: ['agent-assist'],
        body: BulkBody,
        response: { 200: BulkResult, ...errors(401, 403, 422) },
      },
    },
    async (request) => {
      const { body, caller } = request
      assertComplete(body)
      const outcomes = await bulk({
        sessionIds: body.session_ids.map((id) => id.trim()),
        action: body.action,
        actor: actorOf(caller),
        agentId: readId('agent_id', body.agent_id),
        labelIds: body.label_ids ?? [],
        to: body.to ?? 'queue',
        note: body.note ?? '',
      })
      const done = outcomes.filter(({ error }) => error === null)
      noteChange(request, { after: { ...body, session_ids: done.map(({ sessionId }) => sessionId) } })
      return {
        done: done.length,
        refused: outcomes.length - done.length,
        outcomes: outcomes.map(({ sessionId, error }) => ({ session_id: sessionId, done: error === null, error })),
      }
    },
  )
}

/** Fields that one action needs and others do not. */
function assertComplete({ action, label_ids, agent_id }: Static<typeof BulkBody>): void {
  const isLabels = action === 'add_labels' || action === 'remove_labels'
  if (isLabels && label_ids === undefined) throw new AppError('invalid', 'validation', 'label_ids: is required')
  if (action === 'transfer' && !agent_id?.trim()) throw new AppError('invalid', 'validation', 'agent_id: is required')
}
