import { type TSchema, Type } from 'typebox'
import { nullable } from '../../http/schemas.ts'

const Score = Type.Number({ minimum: 0, maximum: 1, examples: [0.92] })

/** @param parameters the tuner's own schema: the same names and ranges */
export function searchRequest(parameters: TSchema) {
  return Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 8_000, pattern: '\\S' }),
      top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default: `rerank_top_k`' })),
      params: Type.Optional(
        Type.Unsafe<Record<string, unknown>>({
          ...parameters,
          description: 'Tuner parameters for this request alone',
        }),
      ),
      audience: Type.Optional(
        Type.Enum(['customers', 'staff'], {
          description: '`staff`: also what customers must not see, for those who may work at the desk or on the base',
        }),
      ),
      explain: Type.Boolean({ default: false, description: 'Also tell what every score is made of' }),
    },
    {
      examples: [
        { query: 'How long do I have to return an item?', top_k: 5, params: { title_weight: 0.8 }, explain: true },
      ],
    },
  )
}

const Place = (description: string) =>
  nullable(Type.Object({ rank: Type.Integer({ minimum: 1 }), score: Type.Number() }, { description }))

const Part = Type.Object({
  name: Type.String({ examples: ['question_coverage'] }),
  group: Type.Enum(['lexical', 'question', 'heading', 'proximity', 'semantic', 'document', 'form']),
  value: Type.Number({ description: 'What was measured, mostly 0 to 1' }),
  log_odds: Type.Number({ description: 'How far it moves the score: all of them together are its log odds' }),
})

const judged = {
  lexical: Place('Among the passages that the words found'),
  vector: Place('Among those that the meaning found'),
  fused_rank: Type.Number({ description: 'Both ranks in one: of many candidates the first 64 are judged' }),
  ranking_score: nullable(Score),
  recency: nullable(Type.Number({ description: 'By what its age multiplies the score' })),
  parts: Type.Array(Part),
}

const Highlights = Type.Array(
  Type.Object({
    start: Type.Integer({ examples: [8] }),
    end: Type.Integer({ description: 'Both in UTF-16 code units of the text', examples: [14] }),
    word: Type.String({ description: 'The word of the query' }),
    strength: Type.Number({ description: '1: that word; less: another wording of it' }),
  }),
)

const Hit = Type.Object({
  chunk_id: Type.Integer(),
  doc_id: Type.String(),
  version: Type.String(),
  source: Type.String(),
  title: Type.String(),
  heading_path: Type.Array(Type.String()),
  question: nullable(Type.String()),
  content: Type.String(),
  page: nullable(Type.Integer()),
  kind: Type.Enum(['text', 'qa', 'table', 'code', 'record']),
  url: nullable(Type.String({ examples: ['https://shop.example/help/returns'] })),
  applicable_version: nullable(Type.String()),
  audience: Type.Enum(['customers', 'staff']),
  score: Score,
  is_answer: Type.Boolean({ description: 'The reply gives its words' }),
  explanation: nullable(
    Type.Object({
      ...judged,
      reranked_score: nullable(Score),
      highlights: Type.Object({ question: Highlights, content: Highlights }),
    }),
  ),
})

const Dropped = Type.Object({
  chunk_id: Type.Integer(),
  doc_id: Type.String(),
  source: Type.String(),
  title: Type.String(),
  excerpt: Type.String(),
  score: nullable(Score),
  reason: Type.Enum(['not_promising', 'below_min_score', 'beyond_top_k', 'near_duplicate'], {
    description:
      '`not_promising`: others stood before it in both indexes; `near_duplicate`: another document says the same',
  }),
  ...judged,
})

export const SearchBody = Type.Object({
  query: Type.String(),
  total: Type.Integer(),
  hits: Type.Array(Hit, { description: 'Best first' }),
  reply: Type.Object({
    confidence: Type.Enum(['sure', 'close', 'asks', 'none']),
    text: Type.String({ description: 'The reply that a customer would get who says this first, without a model' }),
    chunk_ids: Type.Array(Type.Integer(), { description: 'The passages whose words it gives' }),
  }),
  thresholds: Type.Object(
    { answer: Score, suggest: Score, drop: Score },
    { description: 'Scores from which on a passage is given as the answer, offered as the closest, kept at all' },
  ),
  params: Type.Record(Type.String(), Type.Number(), { examples: [{ title_weight: 0.8 }] }),
  explanation: nullable(
    Type.Object({
      words: Type.Array(
        Type.Object({ word: Type.String(), weight: Type.Number({ description: 'Share of what the query says' }) }),
      ),
      candidates: Type.Integer({ description: 'Passages that an index proposed' }),
      dropped: Type.Array(Dropped, { description: 'The best 30 of those that are not among the hits' }),
      stages: Type.Array(
        Type.Object({ name: Type.Enum(['candidates', 'ranking', 'rerank']), duration_ms: Type.Number() }),
      ),
    }),
  ),
})

const Name = Type.String({ minLength: 1, maxLength: 100, examples: ['v2'] })

export const ReplayParams = Type.Object({ doc_id: Type.String({ minLength: 1, maxLength: 500 }), version: Name })

export const ReplayRequest = Type.Object(
  {
    against: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Default: the version that is served; for that one, the version before',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 200, description: 'Questions at the most' }),
  },
  { optional: true, examples: [{ against: 'v1', limit: 200 }] },
)

const Answer = Type.Object({
  reply: Type.String(),
  confidence: Type.Enum(['sure', 'close', 'asks', 'none']),
  sources: Type.Array(Type.Object({ source: Type.String(), score: Score })),
})

export const ReplayBody = Type.Object({
  doc_id: Type.String(),
  from: Type.String({ examples: ['v1'] }),
  to: Type.String({ examples: ['v2'] }),
  asked: Type.Integer(),
  is_complete: Type.Boolean({ description: 'false: there were more questions than `limit` or the time allowed' }),
  summary: Type.Object({
    answered: Type.Integer({ description: 'Not surely answered before' }),
    changed: Type.Integer(),
    improved: Type.Integer({ description: 'At least the closest passage is offered' }),
    worse: Type.Integer(),
    unchanged: Type.Integer(),
  }),
  items: Type.Array(
    Type.Object({
      question: Type.String({ description: 'Personal values masked' }),
      origin: Type.Enum(['conversation', 'evaluation']),
      change: Type.Enum(['answered', 'changed', 'improved', 'worse']),
      before: Answer,
      after: Answer,
    }),
  ),
})
