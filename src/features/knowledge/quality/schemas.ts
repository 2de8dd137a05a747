import { Type } from 'typebox'
import { choice, Timestamp } from '../../../http/schemas.ts'

export const QualityRequest = Type.Object(
  {
    source: Type.Optional(Type.String({ maxLength: 4_096, description: 'Only documents of this source' })),
    doc_id: Type.Optional(Type.String({ maxLength: 500, description: 'Only this document' })),
  },
  { optional: true },
)

const ChunkId = Type.Integer()

export const QualityBody = Type.Object({
  checked_at: Timestamp,
  total_chunks: Type.Integer({ description: 'Chunks that the filter names' }),
  duplicate_count: Type.Integer(),
  duplicate_rate: Type.Number({ description: '0 to 1' }),
  duplicates: Type.Array(
    Type.Object({
      chunk_id: ChunkId,
      duplicate_of: ChunkId,
      source: Type.String(),
      other_source: Type.String(),
      doc_id: Type.String(),
      other_doc_id: Type.String(),
      text: Type.String({ description: 'Its first 1,000 characters' }),
      other_text: Type.String(),
      similarity: Type.Number({ description: '0.8 to 1' }),
    }),
    { description: 'The first 1,000' },
  ),
  terminology_hit_rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Share of the glossary’s terms that occur, 0 to 1; null without a glossary',
  }),
  terminology: Type.Array(Type.Object({ term: Type.String(), hits: Type.Integer({ description: 'Chunks' }) })),
  missing_terms: Type.Array(Type.String()),
  sensitive_hits: Type.Array(
    Type.Object({
      chunk_id: ChunkId,
      doc_id: Type.String(),
      source: Type.String(),
      word: Type.String(),
      category: Type.String(),
      excerpt: Type.String(),
    }),
    { description: 'The first 1,000' },
  ),
  conflicts: Type.Array(
    Type.Object({
      a: ChunkId,
      b: ChunkId,
      kind: choice(['amount', 'duration', 'date', 'time', 'percentage', 'count', 'permission']),
      excerpt_a: Type.String(),
      excerpt_b: Type.String(),
      source_a: Type.String(),
      source_b: Type.String(),
      doc_id_a: Type.String(),
      doc_id_b: Type.String(),
    }),
    { description: 'The first 1,000, the clearest first' },
  ),
  accepted_count: Type.Integer({
    description: 'Duplicates and conflicts that are left out, as a person accepted them',
  }),
  passed: Type.Boolean({
    description:
      'No sensitive word, no conflict, at most 5 % duplicates and, over the whole base, at least 80 % of the glossary',
  }),
})

export const AcceptRequest = Type.Object(
  {
    a: Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991, description: 'A passage of a finding' }),
    b: Type.Integer({ minimum: 1, maximum: 9_007_199_254_740_991 }),
    accepted: Type.Boolean({ default: true, description: 'false: the finding is shown again' }),
  },
  { examples: [{ a: 12, b: 48, accepted: true }] },
)

export const AcceptBody = Type.Object({ a: ChunkId, b: ChunkId, accepted: Type.Boolean() })
