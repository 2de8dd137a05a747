import { Type } from 'typebox'
import { choice, nullable, RunningBody, Timestamp } from '../../http/schemas.ts'

const share = (description: string) => Type.Number({ description: `${description}; 0 to 1` })
const retrieval = (description: string) =>
  nullable(Type.Number({ description: `${description}; 0 to 1, null where no case has anything to find` }))

const PATH = {
  maxLength: 4_096,
  description: 'A .json, .jsonl or .csv file of this machine; empty: the built-in cases',
}
const NAME = { maxLength: 100, description: 'A stored test set, or `builtin`' }

const run = {
  testset_path: Type.Optional(Type.String(PATH)),
  testset: Type.Optional(Type.String(NAME)),
  top_k: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: 'Passages that count; default: `rerank_top_k`' }),
  ),
}

export const RunRequest = Type.Object(run, { optional: true, examples: [{ top_k: 5 }] })

export const StartRequest = Type.Object(
  {
    ...run,
    experiment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Ask the cases once for each variant of this experiment, and keep there which answers were right (metric `evaluation`), ' +
          'instead of a report. Again: in place of what was there',
      }),
    ),
  },
  { optional: true, examples: [{ testset: 'builtin' }] },
)

const figures = {
  total_queries: Type.Integer(),
  'recall@1': retrieval('Share of what the cases expect that is among the first passages'),
  'recall@3': retrieval('The same'),
  'recall@5': retrieval('The same'),
  'recall@10': retrieval('The same'),
  hit_rate: share('Cases with what they expect among the first `top_k`, or rightly without an answer'),
  mrr: retrieval('Mean of 1 / rank of the first right passage'),
  'ndcg@5': retrieval('How high the right passages stand'),
  answer_accuracy: share('Cases whose reply says what is expected, or rightly says that there is no answer'),
}

export const FiguresBody = Type.Object(figures)

const summary = {
  report_id: Type.String(),
  created_at: Timestamp,
  testset: Type.String({ description: '`builtin`, a path, or the name of a stored set', examples: ['builtin'] }),
  top_k: Type.Integer(),
  ...figures,
  avg_latency_ms: Type.Number(),
  p95_latency_ms: Type.Number(),
  by_category: Type.Record(Type.String(), FiguresBody),
  params: Type.Record(Type.String(), Type.Number(), { description: 'The tuner’s parameters of the run' }),
  knowledge_version: Type.Integer({ description: 'Number of changes that the knowledge base had seen' }),
  recommendations: Type.Array(
    Type.Object({
      issue: Type.String(),
      severity: Type.Enum(['info', 'warning', 'critical']),
      suggestion: Type.String(),
    }),
  ),
}

const SummaryBody = Type.Object(summary)
export const ReportList = Type.Array(SummaryBody)

const CaseBody = Type.Object({
  query: Type.String(),
  category: Type.String(),
  history: Type.Array(Type.Object({ role: choice(['user', 'assistant', 'agent', 'system']), content: Type.String() })),
  expected: Type.Object({
    sources: Type.Array(Type.String()),
    doc_ids: Type.Array(Type.String()),
    content: Type.Array(Type.String()),
  }),
  queries: Type.Array(Type.String(), { description: 'What was searched for, follow-ups rewritten' }),
  retrieved: Type.Array(
    Type.Object({
      chunk_id: Type.Integer(),
      doc_id: Type.String(),
      source: Type.String(),
      score: Type.Number(),
      excerpt: Type.String(),
      relevant: Type.Boolean(),
    }),
    { description: 'The first `top_k`, at most ten' },
  ),
  hit: Type.Boolean(),
  rank: nullable(Type.Integer({ description: 'Of the first right passage, from 1' })),
  latency_ms: Type.Number(),
  answer: Type.String({ description: 'Beginning of the reply' }),
  confidence: Type.Enum(['sure', 'close', 'asks', 'none']),
  answer_correct: Type.Boolean(),
})

export const ReportBody = Type.Object({ ...summary, cases: Type.Array(CaseBody) })

export const ReportParams = Type.Object({ report_id: Type.String({ minLength: 1, maxLength: 200 }) })

export const ReportsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
})

export const StatusBody = Type.Object({
  running: RunningBody,
  last_report: nullable(SummaryBody),
})

const ReportId = Type.String({ minLength: 1, maxLength: 200, examples: ['eval_20260131T093000'] })
export const CompareQuery = Type.Object({ a: ReportId, b: ReportId })

export const CompareWithQuery = Type.Object({ with: ReportId })

const FlippedBody = Type.Object({
  query: Type.String(),
  category: Type.String(),
  what: Type.Enum(['hit', 'answer']),
  rank_a: nullable(Type.Integer()),
  rank_b: nullable(Type.Integer()),
})

export const ComparisonBody = Type.Object({
  a: SummaryBody,
  b: SummaryBody,
  shared_cases: Type.Integer(),
  only_in_a: Type.Integer(),
  only_in_b: Type.Integer(),
  metrics: Type.Array(
    Type.Object({
      metric: Type.String({ examples: ['recall@5'] }),
      a: Type.Number(),
      b: Type.Number(),
      difference: Type.Number({ description: 'b - a' }),
      low: Type.Number({ description: 'Low end of the 95 % confidence interval of the difference' }),
      high: Type.Number(),
      verdict: Type.Enum(['better', 'not_significant', 'worse']),
    }),
  ),
  improved: Type.Array(FlippedBody, { description: 'Right in b, wrong in a' }),
  worsened: Type.Array(FlippedBody),
  warnings: Type.Array(Type.String()),
})

const TestsetName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._ -]*$',
  description: 'Letters, digits, blanks, dots, dashes and underscores',
  examples: ['help-centre'],
})

export const TestsetParams = Type.Object({ name: TestsetName })

/** Describes the form for the API pages; the handler reads and checks it. */
export const TestsetForm = Type.Object({
  file: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'JSON, JSONL or CSV' }),
  name: Type.Optional(Type.String({ description: 'Default: the file’s name without its extension' })),
})

export const SavedTestset = Type.Object({
  name: Type.String(),
  cases: Type.Integer(),
  replaced: Type.Boolean({ description: 'A set of this name was there' }),
})

const Expected = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }), { maxItems: 20 }),
)

export const NewCaseBody = Type.Object({
  query: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S', examples: ['How long may I return things?'] }),
  expected_sources: Expected,
  expected_doc_ids: Expected,
  expected_content: Expected,
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
})

export const AddedCase = Type.Object({
  name: Type.String(),
  cases: Type.Integer({ description: 'That the set has then' }),
})

export const TestsetList = Type.Array(
  Type.Object({
    name: Type.String(),
    cases: Type.Integer(),
    categories: Type.Array(Type.String()),
    created_at: nullable(Timestamp),
    updated_at: nullable(Timestamp),
  }),
)

export const RemovedTestset = Type.Object({ name: Type.String(), success: Type.Boolean() })
