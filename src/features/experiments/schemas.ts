import { Type } from 'typebox'
import { freeText, nullable, Timestamp } from '../../http/schemas.ts'
import { VERDICTS } from './judgement.ts'
import { END_REASONS, JUDGED_BY } from './types.ts'

const MAX_VARIANTS = 20
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const Fractions = Type.Record(Type.String({ maxLength: 200 }), Type.Number(), {
  description: 'Fraction of the traffic by variant; each variant is named and they sum to 1',
  examples: [{ usual: 0.5, broad: 0.5 }],
})

export const CreateExperimentBody = Type.Object(
  {
    name: Name('The same name again replaces the experiment and clears its metrics'),
    description: Type.Optional(freeText(2_000)),
    variants: Type.Array(Name('A variant'), { maxItems: MAX_VARIANTS }),
    traffic_split: Fractions,
    metric: Type.Optional(
      Type.Enum([...JUDGED_BY], {
        description:
          'What it is judged by: facts of how sessions went. Default: `handoff` where it changes replies, else nothing',
        examples: ['resolved'],
      }),
    ),
    ends_at: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'It ends by itself then; ISO 8601',
        examples: ['2126-02-14T00:00:00Z'],
      }),
    ),
    sessions_per_variant: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'It ends by itself when each variant was measured by so many sessions',
        examples: [2_000],
      }),
    ),
    variant_params: Type.Optional(
      Type.Record(Type.String({ maxLength: 200 }), Type.Record(Type.String(), Type.Unknown()), {
        description: 'Tuner parameters that a variant overrides for its share of the sessions; needs the key',
        examples: [{ broad: { rerank_top_k: 8 } }],
      }),
    ),
  },
  {
    examples: [
      {
        name: 'more-passages',
        description: 'Do more passages help?',
        variants: ['usual', 'broad'],
        traffic_split: { usual: 0.5, broad: 0.5 },
        variant_params: { broad: { rerank_top_k: 8 } },
      },
    ],
  },
)

const StateText = Type.Enum(['running', 'ended'])

const experiment = {
  name: Type.String({ examples: ['more-passages'] }),
  description: Type.String(),
  variants: Type.Array(Type.String()),
  traffic_split: Fractions,
  variant_params: Type.Record(Type.String(), Type.Record(Type.String(), Type.Number())),
  created_at: Timestamp,
  ended_at: Type.Union([Timestamp, Type.Null()], { description: 'Null: it runs' }),
  state: StateText,
  metric: nullable(Type.Enum([...JUDGED_BY], { description: 'What it is judged by; null: nothing' })),
  ends_at: nullable(Timestamp),
  sessions_per_variant: nullable(Type.Integer()),
  end_reason: nullable(Type.Enum([...END_REASONS], { description: 'Null: it runs' })),
  ended_by: nullable(Type.String({ description: 'Null: nobody did, or it is not known who' })),
}

export const ExperimentBody = Type.Object(experiment)
export const ExperimentsBody = Type.Array(
  Type.Object({ ...experiment, samples: Type.Integer({ description: 'Values recorded, of all metrics' }) }),
)

export const ExperimentParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) })

const Interval = nullable(Type.Array(Type.Number(), { description: 'Low and high end' }))
const Side = Type.Object({
  count: Type.Integer({ description: 'Values, of one session or one reply each' }),
  mean: nullable(Type.Number()),
  ci95: Interval,
})

/** Outcome of it, in words and numbers. */
const JudgementBody = Type.Object({
  judged_by: Type.Enum([...JUDGED_BY]),
  metric: Type.String({ description: 'The recorded metric; larger is better', examples: ['contained'] }),
  is_final: Type.Boolean({
    description: 'It has ended. While it runs, more is asked for: people look again and again',
  }),
  comparisons: Type.Array(
    Type.Object({
      baseline: Type.String({ description: 'The first variant' }),
      variant: Type.String(),
      values: Type.Object({ baseline: Side, variant: Side }),
      difference: nullable(Type.Number({ description: 'The variant’s mean less the baseline’s' })),
      interval: nullable(
        Type.Array(Type.Number(), { description: 'Low and high end of the difference, at `confidence_level`' }),
      ),
      confidence_level: Type.Number({ examples: [0.95] }),
      p_value: nullable(Type.Number()),
      needed_per_variant: Type.Integer({
        description: 'About so many values find a difference worth having: 5 percentage points, or .3 of a rating',
      }),
      is_enough: Type.Boolean(),
      verdict: Type.Enum([...VERDICTS]),
      words: Type.Object({ en: Type.String(), zh: Type.String() }),
    }),
  ),
})

export const ResultsBody = Type.Object({
  name: Type.String(),
  state: StateText,
  judgement: nullable(JudgementBody),
  variants: Type.Record(
    Type.String(),
    Type.Object({
      samples: Type.Integer({ description: 'Values recorded, of all metrics' }),
      units: Type.Integer({
        description:
          'Different sessions or customers that they came from, where that is known; from 2,000 on an estimate',
      }),
      metrics: Type.Record(
        Type.String(),
        Type.Object({
          mean: Type.Number(),
          count: Type.Integer(),
          stddev: nullable(Type.Number({ description: 'Of the sample; null for a single value' })),
          ci95: nullable(Type.Array(Type.Number(), { description: 'Low and high end, by Student’s t' })),
        }),
      ),
    }),
  ),
  comparison: Type.Array(
    Type.Object({
      metric: Type.String(),
      baseline: Type.String({ description: 'The first variant' }),
      variant: Type.String(),
      difference: Type.Number({ description: 'The variant’s mean less the baseline’s' }),
      p_value: nullable(Type.Number({ description: 'Two-sided, by Welch’s t-test; null when it cannot be told' })),
    }),
  ),
})

/** Squares of larger numbers would leave the range of a double precision number after many values. */
const LIMIT = 1e15

export const MetricBody = Type.Object(
  {
    variant: Name('Of an unknown variant nothing is kept'),
    metric_name: Name('Any name'),
    value: Type.Number({ minimum: -LIMIT, maximum: LIMIT }),
    unit: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'The session or customer that it was measured by, for `units`; kept as a hash; needs the key',
      }),
    ),
  },
  { examples: [{ variant: 'broad', metric_name: 'csat', value: 4.5 }] },
)

export const AssignmentQuery = Type.Object({
  unit: Type.String({ minLength: 1, maxLength: 500, description: 'A session or customer id' }),
})
export const AssignmentBody = Type.Object({ name: Type.String(), unit: Type.String(), variant: Type.String() })
