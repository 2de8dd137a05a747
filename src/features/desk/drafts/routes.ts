import { readId } from '../../../http/ids.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import { SessionParams } from '../../sessions/index.ts'
import { DraftBody, DraftQuery, SaveDraftBody } from './schemas.ts'
import type { Drafts } from './service.ts'

const tags = ['agent-assist']
const DRAFT = '/api/v1/agent/sessions/:session_id/draft'

export function draftRoutes(app: App, { drafts }: { drafts: Drafts }): void {
  app.get(
    DRAFT,
    {
      schema: {
        summary: 'What one has begun to write in a conversation',
        tags,
        params: SessionParams,
        querystring: DraftQuery,
        response: { 200: DraftBody, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params, query, caller }) => {
      const sessionId = params.session_id.trim()
      const author = caller.person?.name ?? readId('agent_id', query.agent_id)
      return toSnakeCase({ sessionId, ...(await drafts.find({ sessionId, author })) })
    },
  )

  app.put(
    DRAFT,
    {
      config: { isChange: false },
      schema: {
        summary: 'Keep what one has begun to write in a conversation',
        description: 'Each person has one of their own. It goes when it is blank, and stays when a message is sent.',
        tags,
        params: SessionParams,
        body: SaveDraftBody,
        response: { 200: DraftBody, ...errors(401, 403, 404, 422) },
      },
    },
    async ({ params, body, caller }) => {
      const sessionId = params.session_id.trim()
      const author = caller.person?.name ?? readId('agent_id', body.agent_id)
      return toSnakeCase({ sessionId, ...(await drafts.save({ sessionId, author }, body.content)) })
    },
  )
}
