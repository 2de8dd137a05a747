import { noteChange } from '../../http/changes.ts'
import { errors } from '../../http/schemas.ts'
import type { App } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import { parseTimestamp } from '../../kernel/time.ts'
import { DecidedBody, DecisionBody, GapBody, GapParams, GapsBody, GapsQuery, QuestionsQuery } from './schemas.ts'
import type { Gaps } from './service.ts'
import type { Gap } from './types.ts'

const tags = ['knowledge']
const GAP = '/api/v1/knowledge/gaps/:gap_id'

export function gapRoutes(app: App, { gaps }: { gaps: Gaps }): void {
  app.get(
    '/api/v1/knowledge/gaps',
    {
      schema: {
        summary: 'What customers asked and was not answered, grouped by meaning',
        description:
          'Those of most conversations first. Groups keep their ids. A group closes by itself when the knowledge base ' +
          'answers its latest questions surely, and opens again when it no longer does.',
        tags,
        querystring: GapsQuery,
        response: { 200: GapsBody, ...errors(400, 401, 422) },
      },
    },
    async ({ query }) => {
      const { state = null, language = null, limit } = query
      const filter = { state, language, since: moment('since', query.since), until: moment('until', query.until) }
      const { gaps: found, total, isComplete } = await gaps.list(filter, limit)
      return { items: found.map(present), total, is_complete: isComplete }
    },
  )

  app.get(
    GAP,
    {
      schema: {
        summary: 'A gap with its questions, newest first',
        tags,
        params: GapParams,
        querystring: QuestionsQuery,
        response: { 200: GapBody, ...errors(401, 404, 422) },
      },
    },
    async ({ params, query }) => {
      const { gap, questions } = await gaps.detail(params.gap_id, { before: query.before ?? null, limit: query.limit })
      const last = questions.length === query.limit ? questions.at(-1) : undefined
      const cursor = { next_before: last?.seq ?? null }
      return {
        ...present(gap),
        ...cursor,
        questions: questions.map(({ restedOn: _, ...question }) => toSnakeCase(question)),
      }
    },
  )

  decisionRoute(app, gaps)
}

function decisionRoute(app: App, gaps: Gaps): void {
  app.put(
    GAP,
    {
      schema: {
        summary: 'Ignore a gap, or look after it again',
        tags,
        params: GapParams,
        body: DecisionBody,
        response: { 200: DecidedBody, ...errors(401, 404, 422) },
      },
    },
    async (request) => {
      const { params, body, caller } = request
      const decision = { isIgnored: body.state === 'ignored', by: caller.person?.name ?? null }
      const { before, after } = await gaps.decide(params.gap_id, decision)
      noteChange(request, {
        subject: `gap:${params.gap_id}`,
        before: { state: before.state },
        after: { state: after.state },
      })
      return present(after)
    },
  )
}

function present(gap: Gap) {
  const { languages, ...rest } = toSnakeCase(gap)
  return { ...rest, languages: languages as ('zh' | 'en')[] }
}

function moment(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const date = parseTimestamp(text)
  if (!date) throw new AppError('bad_request', 'query', `${name}: must be an ISO 8601 date or time`)
  return date
}
