import { type GetOperationsSeries, getOperationsSeries } from '../../../../clients/typescript/src/index.ts'
import { formatDuration, formatNumber } from '../../../shared/words.ts'
import { desk } from '../../api.ts'

export type Metric = GetOperationsSeries['query']['metric']

/** Those that are shown, by what they are about. */
export const METRICS = {
  customers: ['turns', 'answered', 'unsure', 'feedback_up', 'feedback_down', 'rating'],
  people: ['handoffs', 'resolved_by_assistant', 'resolved_by_person', 'waiting_seconds', 'first_response_seconds'],
  service: ['errors', 'cache_hits', 'latency_p50_ms', 'latency_p95_ms'],
} as const satisfies Record<string, readonly Metric[]>
export type ShownMetric = (typeof METRICS)[keyof typeof METRICS][number]

/** Counts add up over a period; of all others the points have a mean. */
const COUNTS: ReadonlySet<Metric> = new Set<Metric>([
  'turns',
  'answered',
  'unsure',
  'errors',
  'cache_hits',
  'handoffs',
  'resolved_by_assistant',
  'resolved_by_person',
  'feedback_up',
  'feedback_down',
])
/** Of a count each conversation adds one. */
export function isCount(metric: Metric): boolean {
  return COUNTS.has(metric)
}

const DAY_MS = 86_400_000
/** Of the standard normal distribution, beyond which one of twenty falls by chance. */
const UNLIKELY = 1.96

export interface Period {
  from: string
  to: string
}

export function periodsOf(days: number, now: number): { current: Period; before: Period } {
  const at = (daysAgo: number) => new Date(now - daysAgo * DAY_MS).toISOString()
  return { current: { from: at(days), to: at(0) }, before: { from: at(2 * days), to: at(days) } }
}

export interface Reading {
  metric: Metric
  points: readonly { at: string; value: number | null }[]
  before: readonly { at: string; value: number | null }[]
  value: number | null
  valueBefore: number | null
}

export async function readMetric(metric: Metric, days: number, now: number, signal: AbortSignal): Promise<Reading> {
  const { current, before } = periodsOf(days, now)
  const utcOffset = { utc_offset_minutes: -new Date().getTimezoneOffset() }
  const step = days === 1 ? ('1h' as const) : ('1d' as const)
  const [one, other] = await Promise.all([
    getOperationsSeries(desk, { query: { metric, ...current, step, ...utcOffset }, signal }),
    getOperationsSeries(desk, { query: { metric, ...before, step, ...utcOffset }, signal }),
  ])
  return {
    metric,
    points: one.points,
    before: other.points,
    value: totalOf(metric, one.points),
    valueBefore: totalOf(metric, other.points),
  }
}

function totalOf(metric: Metric, points: Reading['points']): number | null {
  const values = points.flatMap(({ value }) => value ?? [])
  const sum = values.reduce((total, value) => total + value, 0)
  if (COUNTS.has(metric)) return sum
  return values.length === 0 ? null : sum / values.length
}

const MILLISECONDS = { style: 'unit', unit: 'millisecond', unitDisplay: 'short' } as const

export function formatMetric(metric: Metric, value: number | null): string {
  if (value === null) return '–'
  if (metric.endsWith('_seconds')) return formatDuration(Math.round(value))
  if (metric.endsWith('_ms')) return formatNumber(Math.round(value), MILLISECONDS)
  return formatNumber(value, { maximumFractionDigits: metric === 'rating' ? 1 : 0 })
}

export interface Change {
  direction: 'more' | 'less'
  /** Of what was before; null: there was nothing. */
  share: number | null
  /** Counts alone can be judged: they scatter as Poisson's do. */
  likelihood: 'chance' | 'unlikely' | null
}

/** How a number differs from the one before; null: it does not, or there is none. */
export function changeOf({ metric, value, valueBefore }: Reading): Change | null {
  if (value === null || valueBefore === null || value === valueBefore) return null
  const z = Math.abs(value - valueBefore) / Math.sqrt(value + valueBefore)
  return {
    direction: value > valueBefore ? 'more' : 'less',
    share: valueBefore === 0 ? null : Math.abs(value / valueBefore - 1),
    likelihood: COUNTS.has(metric) ? (z > UNLIKELY ? 'unlikely' : 'chance') : null,
  }
}
