import type { Static } from 'typebox'
import { readPeriod } from '../../http/period.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import type { FeedbackFilter, RatedPosition } from '../sessions/index.ts'
import { presentRated } from './present.ts'
import { FeedbackList, FeedbackQuery } from './schemas.ts'
import type { Chat } from './service.ts'

export function feedbackRoutes(app: App, chat: Pick<Chat, 'rated'>): void {
  app.get(
    '/api/v1/chat/feedback',
    {
      schema: {
        summary: 'Ratings of replies, the last given first',
        description:
          'With the question before each reply, personal data masked. `trace_id` leads to the steps of the turn, ' +
          '`/agent/sessions/{session_id}` to the conversation. A page goes on with its `next`.',
        tags: ['chat'],
        querystring: FeedbackQuery,
        response: { 200: FeedbackList, ...errors(400, 401, 403, 422, 503) },
      },
    },
    async ({ query }) => {
      const { items, next } = await chat.rated(toFilter(query))
      return { feedback: items.map(presentRated), next: next && `${next.atMs}_${next.messageId}` }
    },
  )
}

function toFilter(query: Static<typeof FeedbackQuery>): FeedbackFilter {
  const { rating = null, session_id: sessionId = null, limit } = query
  const { from = null, to = null } = readPeriod(query)
  return { rating, sessionId, from, to, limit, before: readPosition(query.before) }
}

function readPosition(text: string | undefined): RatedPosition | null {
  if (text === undefined) return null
  const [, atMs, messageId] = /^(\d{1,15})_(.+)$/s.exec(text) ?? []
  if (atMs === undefined || messageId === undefined) {
    throw new AppError('invalid', 'before', 'before: is no `next` of a page')
  }
  return { atMs: Number(atMs), messageId }
}
