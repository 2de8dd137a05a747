import { readPeriod } from '../../../http/period.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { AppError } from '../../../kernel/errors.ts'
import { StatisticsBody, StatisticsQuery } from './schemas.ts'
import type { Statistics } from './service.ts'
import type { Spread, Work } from './types.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 30
const MOST_DAYS = 366

export interface StatisticsServices {
  statistics: Statistics
  clock: { now(): number }
}

export function statisticsRoute(app: App, { statistics, clock }: StatisticsServices): void {
  app.get(
    '/api/v1/agent/statistics',
    {
      schema: {
        summary: 'The work of people on conversations, in numbers',
        description:
          'What happened within the period: the last 30 days unless it is given, 366 days at most. ' +
          '`GET /agent/sessions` with the same person, label or channel lists the conversations.',
        tags: ['agent-assist'],
        querystring: StatisticsQuery,
        response: { 200: StatisticsBody, ...errors(400, 401, 403, 422) },
      },
    },
    async ({ query }) => {
      const by = query.by ?? 'person'
      const period = periodOf(query, clock.now())
      const { rows, total } = await statistics(period, by)
      return {
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        by,
        rows: rows.map((work) => ({ key: work.key, name: work.name, ...presentWork(work) })),
        total: presentWork(total),
      }
    },
  )
}

/** Throws bad_request, naming the field. */
function periodOf(query: { from?: string; to?: string }, now: number): { from: Date; to: Date } {
  const { from: given, to = new Date(now) } = readPeriod(query)
  const from = given ?? new Date(to.getTime() - USUAL_DAYS * DAY_MS)
  if (from >= to) throw new AppError('bad_request', 'period', 'from: must be earlier than to, or than now')
  if (to.getTime() - from.getTime() > MOST_DAYS * DAY_MS) {
    throw new AppError('bad_request', 'period', `from: must be at most ${MOST_DAYS} days before to`)
  }
  return { from, to }
}

function presentWork({ taken, resolved, messages, firstResponse, handling, waiting, ratings, averageRating }: Work) {
  return {
    taken,
    resolved,
    messages,
    first_response: presentSpread(firstResponse),
    handling: presentSpread(handling),
    waiting: presentSpread(waiting),
    ratings,
    average_rating: rounded(averageRating),
  }
}

function presentSpread({ median, p90 }: Spread) {
  return { median_seconds: rounded(median), p90_seconds: rounded(p90) }
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100
}
