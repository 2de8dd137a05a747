import { Type } from 'typebox'
import { Timestamp } from '../../http/schemas.ts'
import { numbers } from './schemas.ts'

export const AutoRequest = Type.Object(
  {
    testset_path: Type.Optional(
      Type.String({ maxLength: 4_096, description: 'A file as for an evaluation; empty: the built-in cases' }),
    ),
    testset: Type.Optional(Type.String({ maxLength: 100, description: 'A stored test set, or `builtin`' })),
    apply: Type.Boolean({ default: false, description: 'Put what is proven better into force' }),
    budget: Type.Integer({ minimum: 10, maximum: 500, default: 60, description: 'Sets of parameters to try' }),
    wait: Type.Boolean({
      default: false,
      description: 'Answer when the search has ended, with what it found, instead of when it has begun',
    }),
    seed: Type.Integer({ minimum: 0, maximum: 2 ** 31, default: 1, description: 'Another seed splits the cases anew' }),
  },
  { optional: true, examples: [{ testset: 'approved-solutions', apply: true }] },
)

const Changes = Type.Record(Type.String(), Type.Object({ from: Type.Number(), to: Type.Number() }), {
  examples: [{ clarify_threshold: { from: 0.25, to: 0.2 } }],
})

const Performance = Type.Object({
  score: Type.Number({ description: 'What the search raises, 0 to 1' }),
  mrr: Type.Union([Type.Number(), Type.Null()]),
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
  running: Type.Union([
    Type.Object({
      testset: Type.String({ examples: ['builtin'] }),
      done: Type.Integer(),
      total: Type.Integer(),
      started_at: Timestamp,
    }),
    Type.Null(),
  ]),
  last: Type.Union([AutoBody, Type.Null()]),
})
