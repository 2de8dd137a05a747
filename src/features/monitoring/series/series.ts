import { keptFresh } from '../../../kernel/shared-reading.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Executor } from '../../../platform/postgres/index.ts'
import { costOf, type Prices } from '../usage/prices.ts'
import { finestLevel, type Grid, KEPT_MS } from './grid.ts'
import { type BinCount, DISTRIBUTION, type Fact, METRICS, type Metric, type MetricName, readBucket } from './metrics.ts'
import {
  type Cost,
  type Counted,
  firstFact,
  listCounted,
  lockSummedTo,
  noteSummedTo,
  ORIGIN_MS,
  type Position,
  prunePoints,
  readModelMinutes,
  readPoints,
  readTotals,
  type Span,
  sumMinutes,
  sumUp,
} from './queries.ts'

export interface SeriesOptions {
  db: Database
  clock: Clock
  prices: Prices
  /** Stores the turns that wait in memory. */
  flush: () => Promise<void>
}

export interface Point {
  at: Date
  value: number | null
}

/** A number over time. */
export interface Chart {
  metric: MetricName
  /** Of the whole time. */
  total: number | null
  points: Point[]
}

export type Series = ReturnType<typeof createSeries>

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** A record comes after what it tells of by no more than this; the end of a turn is two minutes away at most. */
const LATE_MS = 5 * MINUTE_MS
/** The first summing up reaches back so far, a day at a time. */
const MAX_PAST_MS = 400 * DAY_MS
/** A chart that is asked for together with others shares their work. */
const FRESH_MS = 1_000

/** Numbers over time, of all replicas. */
export function createSeries({ db, clock, prices, flush }: SeriesOptions) {
  /** Sums up what is new, by one replica at a time. */
  async function sumAll(): Promise<void> {
    await flush()
    // A first run has days to catch up with: each is a transaction, between which others get their turn.
    let isDone = false
    while (!isDone) isDone = await db.transaction((trx) => sumPiece(trx, clock.now(), prices))
  }
  const sumNew = keptFresh(sumAll, { freshMs: FRESH_MS, now: clock.now })

  /** Without prices nobody knows what anything cost. */
  function numberOf(name: MetricName, bins: readonly BinCount[]): number | null {
    const { reading, unit }: Metric = METRICS[name]
    return unit === 'currency' && prices.currency === '' ? null : readBucket(reading, bins)
  }

  async function readCharts(names: readonly MetricName[], grid: Grid): Promise<Omit<Chart, 'total'>[]> {
    const { stepSeconds, offsetMinutes, buckets } = grid
    const found = await readPoints(db.executor, { ...grid, facts: factsOf(names) }, { stepSeconds, offsetMinutes })
    return names.map((metric) => {
      const own = found.filter(({ fact }) => fact === METRICS[metric].fact)
      const binsOf = Map.groupBy(own, ({ at }) => at.getTime())
      return { metric, points: buckets.map((at) => ({ at, value: numberOf(metric, binsOf.get(at.getTime()) ?? []) })) }
    })
  }

  return {
    refresh: sumNew,

    /** One point for each bucket of the grid. */
    async read(name: MetricName, grid: Grid): Promise<Point[]> {
      await sumNew()
      return (await readCharts([name], grid))[0]?.points ?? []
    },

    /**
     * Several at once, each with its number for the whole time: counts and sums add up, means weigh each value alike, and
     * percentiles are of all values, not of those of the buckets.
     */
    async readSeveral(names: readonly MetricName[], span: Span, grid: Grid): Promise<Chart[]> {
      await sumNew()
      const level = finestLevel(clock.now() - span.from.getTime())
      const [charts, found] = await Promise.all([
        readCharts(names, grid),
        readTotals(db.executor, { ...span, level, facts: factsOf(names) }),
      ])
      return charts.map(({ metric, points }) => {
        const own = found.filter(({ fact }) => fact === METRICS[metric].fact)
        return { metric, points, total: numberOf(metric, own) }
      })
    },

    /** The conversations behind a number, newest first, as far as they are kept. */
    async conversations(
      name: MetricName,
      span: Span,
      page: { limit: number; before: Position | null },
    ): Promise<{ items: Counted[]; next: Position | null }> {
      await flush()
      const metric: Metric = METRICS[name]
      const fact = metric.behind ?? metric.fact
      if (fact === 'cost') return { items: [], next: null }
      const found = await listCounted(db.executor, { ...span, fact }, { ...page, limit: page.limit + 1 })
      const items = found.slice(0, page.limit)
      const last = items.at(-1)
      return { items, next: found.length > page.limit && last ? { atMs: last.atMs, key: last.key } : null }
    },

    /** Null: no prices are known. */
    currency: prices.currency || null,
  }
}

function factsOf(names: readonly MetricName[]): Fact[] {
  return [...new Set(names.map((name) => METRICS[name].fact))]
}

/** True: everything until now is summed up. */
async function sumPiece(trx: Executor, now: number, prices: Prices): Promise<boolean> {
  const summedTo = (await lockSummedTo(trx)) ?? (await beginning(trx, now))
  // After a clock that was set back, what is summed up again is what was counted since.
  const from = floorTo(Math.min(summedTo.getTime(), now) - LATE_MS, MINUTE_MS)
  const to = Math.min(now, from + DAY_MS)
  const span = { from: new Date(from), to: new Date(to + 1) }
  await sumMinutes(trx, span, { ...DISTRIBUTION, costs: await costsOf(trx, span, prices) })
  await sumUp(trx, 'hour', { from: new Date(floorTo(from, HOUR_MS)), to: span.to })
  await sumUp(trx, 'day', { from: new Date(floorTo(from, DAY_MS)), to: span.to })
  for (const level of ['minute', 'hour'] as const) await prunePoints(trx, level, new Date(to - KEPT_MS[level]))
  await noteSummedTo(trx, new Date(to))
  return to === now
}

async function beginning(trx: Executor, now: number): Promise<Date> {
  const first = (await firstFact(trx))?.getTime() ?? now
  return new Date(Math.max(first, now - MAX_PAST_MS))
}

async function costsOf(trx: Executor, span: Span, prices: Prices): Promise<Cost[]> {
  if (prices.currency === '') return []
  const minutes = await readModelMinutes(trx, span)
  return [...Map.groupBy(minutes, ({ at }) => at.getTime())].map(([at, own]) => ({
    at: new Date(at),
    count: own.reduce((sum, { calls }) => sum + calls, 0),
    total: own.reduce((sum, each) => sum + (costOf(prices, each.model, each) ?? 0), 0),
  }))
}

function floorTo(ms: number, step: number): number {
  return Math.floor((ms - ORIGIN_MS) / step) * step + ORIGIN_MS
}
