import { Type } from 'typebox'
import { periodFields } from '../../../http/period.ts'
import { nullable, Timestamp } from '../../../http/schemas.ts'
import { MAX_POINTS, STEP_SECONDS, type StepName } from './grid.ts'
import { METRIC_NAMES, type Unit } from './metrics.ts'

const MetricText = Type.Enum([...METRIC_NAMES], { examples: ['handoffs'] })
const STEP_NAMES = Object.keys(STEP_SECONDS) as StepName[]
const UNITS: readonly Unit[] = [
  'turns',
  'sessions',
  'handoffs',
  'replies',
  'ms',
  's',
  'tokens',
  'currency',
  'ratings',
  'points',
]
const UnitText = Type.Enum([...UNITS], { description: '`currency`: that of the price file' })

export const SeriesQuery = Type.Object({
  metric: MetricText,
  ...periodFields,
  step: Type.Optional(
    Type.Enum(STEP_NAMES, {
      description: `Length of a bucket; at most ${MAX_POINTS} of them. Default: what makes a readable chart`,
      examples: ['1h'],
    }),
  ),
  utc_offset_minutes: Type.Integer({
    minimum: -840,
    maximum: 840,
    default: 0,
    description: 'How far local time is ahead of UTC: where days and weeks begin',
    examples: [480],
  }),
})

export const SeriesBody = Type.Object({
  metric: MetricText,
  unit: UnitText,
  currency: nullable(Type.String({ description: 'Null: there is no price file', examples: ['USD'] })),
  step: Type.Enum(STEP_NAMES, { examples: ['1h'] }),
  step_seconds: Type.Integer({ examples: [3_600] }),
  from: Timestamp,
  to: Timestamp,
  points: Type.Array(
    Type.Object({
      at: Timestamp,
      value: nullable(
        Type.Number({ description: 'Counts and sums of nothing are 0; means and percentiles of nothing are null' }),
      ),
    }),
  ),
})

export const SeveralQuery = Type.Object({
  metrics: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'Names with commas between them, each once',
    examples: ['turns,handoffs,latency_p95_ms'],
  }),
  ...periodFields,
  step: SeriesQuery.properties.step,
  utc_offset_minutes: SeriesQuery.properties.utc_offset_minutes,
  compare: Type.Boolean({ default: false, description: 'Also of the time before, which is as long' }),
})

const Points = SeriesBody.properties.points
const Total = nullable(
  Type.Number({
    description:
      'Of the whole time, of `from` exactly: means and percentiles are of all values, not of those of points',
  }),
)

export const SeveralBody = Type.Object({
  currency: SeriesBody.properties.currency,
  step: SeriesBody.properties.step,
  step_seconds: SeriesBody.properties.step_seconds,
  from: Timestamp,
  to: Timestamp,
  series: Type.Array(
    Type.Object({
      metric: MetricText,
      unit: UnitText,
      total: Total,
      points: Points,
      before: nullable(
        Type.Object({ total: Total, points: Points }, { description: 'Of the time before; null: not asked for' }),
      ),
    }),
  ),
})

export const SeriesMetricsBody = Type.Object({
  metrics: Type.Array(
    Type.Object({
      metric: MetricText,
      unit: UnitText,
      description: Type.String(),
      reading: Type.Enum(['count', 'sum', 'mean', 'p50', 'p95']),
      empty: nullable(Type.Number({ description: 'The value of a bucket in which nothing happened' })),
      conversations: Type.String({
        description: 'Where the conversations behind a number are; add `from` and `to`',
        examples: ['/api/v1/operations/series/conversations?metric=handoffs'],
      }),
      traces: nullable(
        Type.String({
          description: 'Where its turns are, with their steps; null: it does not count turns',
          examples: ['/api/v1/monitor/traces?status=error'],
        }),
      ),
    }),
  ),
  kept: Type.Array(
    Type.Object({
      step: Type.Enum(['1m', '1h', '1d']),
      days: nullable(Type.Integer({ description: 'How long buckets of this length are kept; null: for ever' })),
    }),
  ),
})

export const CountedQuery = Type.Object({
  metric: MetricText,
  ...periodFields,
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 500, description: '`next` of the page before', examples: ['1769851800000_trace_9ac03e'] }),
  ),
})

export const CountedBody = Type.Object({
  metric: MetricText,
  from: Timestamp,
  to: Timestamp,
  conversations: Type.Array(
    Type.Object({
      session_id: Type.String(),
      user_id: nullable(Type.String({ description: 'Null: none was given, or the conversation is no longer kept' })),
      question: nullable(
        Type.String({
          description:
            'What the customer asked in the turn, else said last before it counted; null: it is no longer kept',
        }),
      ),
      trace_id: nullable(Type.String({ description: 'The turn; null: it is the session that counted' })),
      at: Timestamp,
      value: Type.Number({ description: 'What it added, such as the seconds that somebody waited' }),
    }),
  ),
  next: nullable(Type.String({ description: 'For `before`; null: this is the last page' })),
})
