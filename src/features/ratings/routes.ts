import { decodeCursor, encodeCursor } from '../../http/cursor.ts'
import { readId } from '../../http/ids.ts'
import { readPeriod } from '../../http/period.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { SessionParams } from '../sessions/index.ts'
import { presentRating } from './present.ts'
import { RateBody, RatedBody, RatingsBody, RatingsQuery } from './schemas.ts'
import type { Ratings } from './service.ts'

export function ratingRoutes(app: App, { ratings }: { ratings: Ratings }): void {
  app.post(
    '/api/v1/chat/sessions/:session_id/rating',
    {
      schema: {
        summary: 'Rate what a person did, after the conversation was resolved',
        description: 'Once for each time that it was resolved, within a day; the last rating counts.',
        tags: ['chat'],
        params: SessionParams,
        body: RateBody,
        response: { 200: RatedBody, ...errors(401, 404, 409, 422) },
      },
    },
    async ({ params, body }) => {
      const viewed = { sessionId: params.session_id.trim(), userId: readId('user_id', body.user_id) }
      const comment = body.comment?.trim() || null
      const { sessionId, score, updatedAt } = await ratings.rate(viewed, { score: body.score, comment })
      return { session_id: sessionId, score, updated_at: updatedAt.toISOString() }
    },
  )

  app.get(
    '/api/v1/agent/ratings',
    {
      schema: {
        summary: 'Ratings of customers, the newest first',
        tags: ['agent-assist'],
        querystring: RatingsQuery,
        response: { 200: RatingsBody, ...errors(400, 401, 422) },
      },
    },
    async ({ query }) => {
      const { agent_id: agentId, session_id: sessionId, score, limit } = query
      const filter = {
        ...(agentId !== undefined && { agentId: readId('agent_id', agentId) }),
        ...(sessionId !== undefined && { sessionId: readId('session_id', sessionId) }),
        ...(score !== undefined && { score }),
        ...readPeriod(query),
      }
      const before = query.before === undefined ? null : decodeCursor(query.before)
      const found = await ratings.list(filter, { before, limit })
      const last = found.length === limit ? found.at(-1) : undefined
      return {
        ratings: found.map(presentRating),
        next_before: last ? encodeCursor([last.createdKey, last.sessionId]) : null,
      }
    },
  )
}
