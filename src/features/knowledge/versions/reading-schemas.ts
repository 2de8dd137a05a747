import { Type } from 'typebox'
import { nullable, Timestamp } from '../../../http/schemas.ts'
import { DocParams } from '../schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, examples: ['v2'] })
const Position = nullable(Type.Integer({ minimum: 1 }))

export const VersionParams = Type.Object({ ...DocParams.properties, version: Name })

export const VersionsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(Type.String({ maxLength: 100, description: 'A version: those before it', examples: ['v3'] })),
})

export const VersionsBody = Type.Object({
  doc_id: Type.String(),
  items: Type.Array(
    Type.Object({
      version: Type.String(),
      status: Type.Enum(['active', 'superseded', 'rolled_back', 'canary']),
      doc_hash: Type.String(),
      chunk_count: Type.Integer({ description: '0: the chunks were deleted with the document' }),
      knowledge_type: Type.String(),
      product_category: Type.String(),
      applicable_version: Type.String(),
      published_at: nullable(Timestamp),
      url: nullable(Type.String({ examples: ['https://shop.example/help/returns'] })),
      created_at: Timestamp,
      file: nullable(
        Type.Object(
          { name: Type.String({ examples: ['returns.md'] }), size: Type.Integer({ examples: [2_048] }) },
          { description: 'The file that it was read from; null: it is not kept' },
        ),
      ),
    }),
  ),
  next_before: nullable(Type.String({ description: 'For the next page; null: this was the last', examples: ['v3'] })),
})

export const ChunksQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  after: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'An `ordinal`: those behind it', examples: [49] }),
  ),
})

export const ChunksBody = Type.Object({
  doc_id: Type.String(),
  version: Type.String(),
  total: Type.Integer(),
  items: Type.Array(
    Type.Object({
      chunk_id: Type.Integer(),
      ordinal: Type.Integer(),
      kind: Type.Enum(['text', 'qa', 'table', 'code', 'record']),
      title: Type.String(),
      heading_path: Type.Array(Type.String()),
      question: nullable(Type.String()),
      content: Type.String(),
      page: nullable(Type.Integer()),
    }),
  ),
  next_after: nullable(Type.Integer({ description: 'For the next page; null: this was the last' })),
})

export const DiffQuery = Type.Object({
  against: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Default: the version before', examples: ['v1'] }),
  ),
})

export const DiffBody = Type.Object({
  doc_id: Type.String(),
  from: Type.String({ examples: ['v1'] }),
  to: Type.String({ examples: ['v2'] }),
  added: Type.Integer(),
  removed: Type.Integer(),
  changed: Type.Integer({ description: 'Lines of which a part stayed' }),
  unchanged: Type.Integer(),
  is_complete: Type.Boolean({ description: 'false: the texts are so long that only their beginning was compared' }),
  lines: Type.Array(
    Type.Object({
      kind: Type.Enum(['same', 'added', 'removed', 'changed']),
      before: Position,
      after: Position,
      text: Type.String({ examples: ['Goods may be returned within 30 days.'] }),
      words: Type.Array(Type.Object({ kind: Type.Enum(['same', 'added', 'removed']), text: Type.String() })),
    }),
    { description: 'What changed, with three lines around it; a jump in the numbers leaves out what is the same' },
  ),
})
