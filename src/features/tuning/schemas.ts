import { Type } from 'typebox'
import { choice, nullable, RunningBody, Timestamp } from '../../http/schemas.ts'
import { DEFINITIONS, PARAMETER_NAMES, type TunerParameters } from './parameters.ts'

const numbers = () =>
  Type.Unsafe<TunerParameters>(Type.Object(Object.fromEntries(PARAMETER_NAMES.map((name) => [name, Type.Number()]))))

export const TunerBody = Type.Object({
  params: numbers(),
  defaults: numbers(),
  ranges: Type.Record(
    Type.String(),
    Type.Object({ min: Type.Number(), max: Type.Number(), integer: Type.Boolean(), description: Type.String() }),
  ),
  version: Type.Integer(),
  updated_at: Timestamp,
})

/** Only documents the names; the service checks them, so that every problem is named at once. */
export const TunerChanges = Type.Object(
  Object.fromEntries(
    PARAMETER_NAMES.map((name) => {
      const { min, max, description } = DEFINITIONS[name]
      return [name, Type.Optional(Type.Unsafe<unknown>({ type: 'number', minimum: min, maximum: max, description }))]
    }),
  ),
  { examples: [{ rerank_top_k: 8, vector_weight: 0.3 }] },
)

const Changes = Type.Record(Type.String(), Type.Object({ from: Type.Number(), to: Type.Number() }), {
  examples: [{ clarify_threshold: { from: 0.25, to: 0.2 } }],
})

export const HistoryQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) })

export const HistoryBody = Type.Object({
  items: Type.Array(
    Type.Object({
      version: Type.Integer(),
      action: choice(['update', 'reset', 'auto']),
      changes: Changes,
      created_at: Timestamp,
    }),
  ),
})

export const SearchParams = Type.Object({
  search_id: Type.String({ minLength: 1, maxLength: 200, examples: ['tune_1'] }),
})

const searchFields = {
  testset_path: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'A file as for an evaluation; empty: the built-in cases' }),
  ),
  testset: Type.Optional(Type.String({ maxLength: 100, description: 'A stored test set, or `builtin`' })),
  apply: Type.Boolean({ default: false, description: 'Put what is proven better into force' }),
  budget: Type.Integer({ minimum: 10, maximum: 500, default: 60, description: 'Sets of parameters to try' }),
  seed: Type.Integer({ minimum: 0, maximum: 2 ** 31, default: 1, description: 'Another seed splits the cases anew' }),
}
const example = { optional: true, examples: [{ testset: 'approved-solutions', apply: true }] }

export const SearchRequest = Type.Object(searchFields, example)

export const AutoRequest = Type.Object(
  {
    ...searchFields,
    wait: Type.Boolean({
      default: false,
      description: 'Answer when the search has ended, with what it found, instead of when it has begun',
    }),
  },
  example,
)

const Performance = Type.Object({
  score: Type.Number({ description: 'What the search raises, 0 to 1' }),
  mrr: nullable(Type.Number()),
  answer_accuracy: Type.Number(),
})

export const AutoBody = Type.Object({
  search_id: Type.String(),
  created_at: Timestamp,
  testset: Type.String({ examples: ['approved-solutions'] }),
  seed: Type.Integer(),
  knowledge_version: Type.Integer(),
  train_cases: Type.Integer(),
  held_out_cases: Type.Integer(),
  candidates_tried: Type.Integer(),
  candidates: Type.Array(Type.Object({ changes: Changes, score: Type.Number() }), {
    description: 'In the order in which they were tried on the training cases; the first one has no changes',
  }),
  current: Type.Object({ params: numbers(), train: Performance, held_out: Performance }),
  best: Type.Object({ changes: Changes, train: Performance, held_out: Performance }),
  difference: Type.Object(
    {
      mean: Type.Number(),
      low: Type.Number({ description: 'Low end of the 95 % bootstrap interval' }),
      high: Type.Number(),
    },
    { description: 'Of the score on the held-out cases, best less current' },
  ),
  verdict: Type.Enum(['better', 'not_significant', 'worse']),
  applied: Type.Boolean(),
  reason: Type.String({ description: 'Why it was applied or not' }),
  tuner_version: Type.Integer({ description: 'Version of the parameters in force afterwards' }),
})

export const AutoStatusBody = Type.Object({
  running: RunningBody,
  last: nullable(AutoBody),
})
