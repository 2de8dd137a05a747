import {
  type GetSeveralOperationsSeries,
  getSeveralOperationsSeries,
} from '../../../../clients/typescript/src/index.ts'
import { formatDuration, formatNumber } from '../../../shared/words.ts'
import { desk } from '../../api.ts'

export type Metric = GetSeveralOperationsSeries['result']['series'][number]['metric']

/** Those that are shown, by what they are about. */
export const METRICS = {
  customers: ['turns', 'answered', 'unsure', 'feedback_up', 'feedback_down', 'rating'],
  people: ['handoffs', 'resolved_by_assistant', 'resolved_by_person', 'waiting_seconds', 'first_response_seconds'],
  service: ['errors', 'cache_hits', 'latency_p50_ms', 'latency_p95_ms'],
} as const satisfies Record<string, readonly Metric[]>
export type ShownMetric = (typeof METRICS)[keyof typeof METRICS][number]

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

export function periodOf(days: number, now: number): { from: string; to: string } {
  return { from: new Date(now - days * DAY_MS).toISOString(), to: new Date(now).toISOString() }
}

type Series = GetSeveralOperationsSeries['result']['series'][number]

export interface Reading {
  metric: Metric
  points: Series['points']
  before: Series['points']
  /** Of the whole period, each value weighed alike. */
  value: number | null
  valueBefore: number | null
}

/** All numbers of a period and the one before, by one request. */
export async function readMetrics(
  metrics: readonly Metric[],
  days: number,
  now: number,
  signal: AbortSignal,
): Promise<Reading[]> {
  const query = {
    ...periodOf(days, now),
    metrics: metrics.join(','),
    step: days === 1 ? ('1h' as const) : ('1d' as const),
    utc_offset_minutes: -new Date().getTimezoneOffset(),
    compare: true,
  }
  const { series } = await getSeveralOperationsSeries(desk, { query, signal })
  return series.map(({ metric, total, points, before }) => ({
    metric,
    points,
    before: before?.points ?? [],
    value: total,
    valueBefore: before?.total ?? null,
  }))
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
  /** Of what was before. */
  share: number
  /** Counts alone can be judged: they scatter as Poisson's do. */
  likelihood: 'chance' | 'unlikely' | null
}

/** How a number differs from the one before; null: it does not, or there was none. */
export function changeOf({ metric, value, valueBefore }: Reading): Change | null {
  if (value === null || !valueBefore || value === valueBefore) return null
  const z = Math.abs(value - valueBefore) / Math.sqrt(value + valueBefore)
  return {
    direction: value > valueBefore ? 'more' : 'less',
    share: Math.abs(value / valueBefore - 1),
    likelihood: COUNTS.has(metric) ? (z > UNLIKELY ? 'unlikely' : 'chance') : null,
  }
}
