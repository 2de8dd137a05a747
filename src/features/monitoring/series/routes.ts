import { open } from '../../../http/auth.ts'
import { readPeriod } from '../../../http/period.ts'
import { errors } from '../../../http/schemas.ts'
import type { App } from '../../../http/server.ts'
import { AppError } from '../../../kernel/errors.ts'
import { toSnakeCase } from '../../../kernel/snake-case.ts'
import type { Clock } from '../../../platform/clock.ts'
import { KEPT_MS, layGrid, layGridOrUtc } from './grid.ts'
import { METRIC_NAMES, METRICS, type Metric, type MetricName, readBucket } from './metrics.ts'
import type { Position } from './queries.ts'
import {
  CountedBody,
  CountedQuery,
  SeriesBody,
  SeriesMetricsBody,
  SeriesQuery,
  SeveralBody,
  SeveralQuery,
} from './schemas.ts'
import type { Chart, Series } from './series.ts'

const tags = ['operations']
const DAY_MS = 86_400_000

export interface SeriesParts {
  series: Series
  clock: Clock
  /** How long days are kept; 0: for ever. */
  seriesDays: number
}

export function seriesRoutes(app: App, parts: SeriesParts): void {
  chartRoutes(app, parts)
  severalRoute(app, parts)
  behindRoute(app, parts)
}

function chartRoutes(app: App, { series, clock, seriesDays }: SeriesParts): void {
  app.get(
    '/api/v1/operations/series',
    {
      config: open,
      schema: {
        summary: 'One number over time, for charts',
        description:
          'Of all replicas, up to this moment. Buckets begin at whole minutes, hours, days and Mondays; the first one holds `from`, the ' +
          'last one `to`. Default: the last 24 hours. Numbers outlive the conversations that they were counted from.',
        tags,
        querystring: SeriesQuery,
        response: { 200: SeriesBody, ...errors(400, 422, 503) },
      },
    },
    async ({ query }) => {
      const grid = layGrid(readPeriod(query), query.step, query.utc_offset_minutes, clock.now())
      const { unit }: Metric = METRICS[query.metric]
      const { step, stepSeconds, from, to } = grid
      const points = await series.read(query.metric, grid)
      const { currency } = series
      return { metric: query.metric, unit, currency, ...toSnakeCase({ stepSeconds, from, to, points }), step }
    },
  )

  app.get(
    '/api/v1/operations/series/metrics',
    {
      config: open,
      schema: {
        summary: 'The numbers that there are series of',
        tags,
        response: { 200: SeriesMetricsBody },
      },
    },
    async () => ({
      metrics: METRIC_NAMES.map(describe),
      kept: [
        { step: '1m' as const, days: KEPT_MS.minute / DAY_MS },
        { step: '1h' as const, days: KEPT_MS.hour / DAY_MS },
        { step: '1d' as const, days: seriesDays || null },
      ],
    }),
  )
}

function severalRoute(app: App, { series, clock }: SeriesParts): void {
  app.get(
    '/api/v1/operations/series/several',
    {
      config: open,
      schema: {
        summary: 'Several numbers over time and as a whole, beside those of the time before',
        description: 'As a dashboard shows them, by one request. Default: the last 24 hours.',
        tags,
        querystring: SeveralQuery,
        response: { 200: SeveralBody, ...errors(400, 422, 503) },
      },
    },
    async ({ query }) => {
      const { step, utc_offset_minutes: offset, compare } = query
      const names = readNames(query.metrics)
      const given = readPeriod(query)
      const to = given.to ?? new Date(clock.now())
      const from = given.from ?? new Date(to.getTime() - DAY_MS)
      const grid = layGrid({ from, to }, step, offset, clock.now())
      const earlier = { from: new Date(2 * from.getTime() - to.getTime()), to: from }
      const [charts, before] = await Promise.all([
        series.readSeveral(names, { from, to }, grid),
        compare && series.readSeveral(names, earlier, layGridOrUtc(earlier, grid.step, offset, clock.now())),
      ])
      return {
        currency: series.currency,
        step: grid.step,
        ...toSnakeCase({ stepSeconds: grid.stepSeconds, from, to }),
        series: charts.map((chart, index) => {
          const past = before ? before[index] : undefined
          return { metric: chart.metric, unit: unitOf(chart), ...drawn(chart), before: past ? drawn(past) : null }
        }),
      }
    },
  )
}

function unitOf({ metric }: Chart): Metric['unit'] {
  return METRICS[metric].unit
}

function drawn({ total, points }: Chart) {
  return { total, ...toSnakeCase({ points }) }
}

/** Throws invalid for a name that no metric has. */
function readNames(text: string): MetricName[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  return names.map((name) => {
    const known = METRIC_NAMES.find((each) => each === name)
    if (!known) throw new AppError('invalid', 'metrics', `metrics: ${name || 'an empty name'} is no metric`)
    return known
  })
}

function behindRoute(app: App, { series, clock }: SeriesParts): void {
  app.get(
    '/api/v1/operations/series/conversations',
    {
      schema: {
        summary: 'The conversations behind a number, newest first',
        description:
          'Of the last 24 hours unless said otherwise, as far as conversations and traces are kept. Behind `cost` are the turns in which ' +
          'models were asked, with their tokens.',
        tags,
        querystring: CountedQuery,
        response: { 200: CountedBody, ...errors(400, 401, 403, 422, 503) },
      },
    },
    async ({ query }) => {
      const period = readPeriod(query)
      const to = period.to ?? new Date(clock.now())
      const from = period.from ?? new Date(to.getTime() - DAY_MS)
      const page = { limit: query.limit, before: readPosition(query.before) }
      const { items, next } = await series.conversations(query.metric, { from, to }, page)
      const conversations = items.map(({ sessionId, userId, question, traceId, at, value }) => ({
        sessionId,
        userId,
        question,
        traceId,
        at,
        value,
      }))
      return {
        metric: query.metric,
        ...toSnakeCase({ from, to, conversations }),
        next: next && `${next.atMs}_${next.key}`,
      }
    },
  )
}

function describe(metric: MetricName) {
  const { unit, description, reading, traces }: Metric = METRICS[metric]
  const filter = traces && new URLSearchParams(traces).toString()
  return {
    metric,
    unit,
    description,
    reading,
    empty: readBucket(reading, []),
    conversations: `/api/v1/operations/series/conversations?metric=${metric}`,
    traces: filter === undefined ? null : `/api/v1/monitor/traces${filter && `?${filter}`}`,
  }
}

function readPosition(text: string | undefined): Position | null {
  if (text === undefined) return null
  const [, atMs, key] = /^(\d{1,15})_(.+)$/s.exec(text) ?? []
  if (atMs === undefined || key === undefined) throw new AppError('invalid', 'before', 'before: is no `next` of a page')
  return { atMs: Number(atMs), key }
}
