import { Type } from 'typebox'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'
import { ON_CONFLICT } from './ingest/name-conflicts.ts'

export const KNOWLEDGE_TYPES = ['faq', 'policy', 'doc', 'tutorial', 'ticket'] as const

const DOCUMENT_STATUSES = ['active', 'archived', 'deleted'] as const

export const AUDIENCES = ['customers', 'staff'] as const

export const IngestResultBody = Type.Object({
  doc_id: Type.String(),
  source: Type.String(),
  chunk_count: Type.Integer(),
  status: choice(['success', 'rejected']),
  errors: Type.Array(Type.String()),
  version: Type.Union([Type.String(), Type.Null()], { description: 'null for an upload outside the registry' }),
  unchanged: Type.Boolean({ description: 'The same content was there already' }),
})

/** Describes the form for the API pages; `readForm` and `toIngestRequest` read and check it. */
export const IngestForm = Type.Object({
  file: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }),
  product_category: Type.Optional(Type.String({ default: 'unknown', maxLength: 200 })),
  applicable_version: Type.Optional(Type.String({ default: 'latest', maxLength: 200 })),
  knowledge_type: Type.Optional(Type.Enum([...KNOWLEDGE_TYPES])),
  published_at: Type.Optional(Type.String({ description: 'ISO 8601' })),
  url: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'Where people can read it; default: what the document names itself (`url` of front matter, canonical link)',
    }),
  ),
  register: Type.Optional(Type.Boolean({ default: false })),
  validate_quality: Type.Optional(Type.Boolean({ default: false })),
  on_conflict: Type.Optional(
    Type.Enum([...ON_CONFLICT], {
      description:
        'When a document of other content has the file’s name already: a new version of it (the default; `errors` warns ' +
        'where the texts have little in common), another name such as `faq (2).md`, or `status` `rejected`',
    }),
  ),
  audience: Type.Optional(
    Type.Enum([...AUDIENCES], {
      description:
        '`staff`: found by people who answer customers alone. Default: whom a document of this name is for already, at first customers',
    }),
  ),
  canary: Type.Optional(
    Type.Boolean({ default: false, description: 'Store it as a new version in canary; customers do not find it' }),
  ),
})

export const MAX_BATCH_FILES = 500

const { url: _, ...batchFields } = IngestForm.properties

/** Describes the form of a batch; `readForms` and `toIngestRequests` read and check it. */
export const IngestBatchForm = Type.Object({
  ...batchFields,
  file: Type.Unsafe<unknown>({
    type: 'array',
    items: { type: 'string', format: 'binary' },
    maxItems: MAX_BATCH_FILES,
    description: 'A part for each file; no two of one name',
  }),
})

const BatchResultBody = Type.Object({
  ...IngestResultBody.properties,
  status: choice(['success', 'rejected', 'failed'], { description: 'failed: it cannot be read, as `errors` says' }),
})

export const IngestBatchBody = Type.Object({
  total: Type.Integer(),
  succeeded: Type.Integer(),
  unchanged: Type.Integer({ description: 'Of those that succeeded, files whose content was there already' }),
  rejected: Type.Integer(),
  failed: Type.Integer(),
  results: Type.Array(BatchResultBody, { description: 'In the order of the files' }),
})

/** Events of a batch that is followed. */
export const ingestBatchEvents = {
  progress: Type.Object({ done: Type.Integer(), total: Type.Integer(), result: BatchResultBody }),
  done: IngestBatchBody,
  error: Type.Object({ message: Type.String() }),
}

const Kinds = Type.Array(Type.Object({ name: Type.String({ examples: ['lamps'] }), documents: Type.Integer() }), {
  description: 'Of what is served, those of most documents first',
})

export const StatsBody = Type.Object({
  total_chunks: Type.Integer(),
  total_documents: Type.Integer(),
  collection_name: Type.String(),
  embedding_dim: Type.Integer(),
  knowledge_version: Type.Integer({ description: 'Grows with every change of what is searchable' }),
  original_bytes: Type.Integer({ description: 'Of the files that are kept with versions' }),
  categories: Kinds,
  languages: Kinds,
  rebuild: nullable(Type.Object({ task: Type.String(), done: Type.Integer(), total: Type.Integer() })),
})

export const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 20 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the source, or a doc_id' })),
  status: Type.Optional(Type.Enum([...DOCUMENT_STATUSES])),
  knowledge_type: Type.Optional(Type.Enum([...KNOWLEDGE_TYPES])),
  product_category: Type.Optional(Type.String({ maxLength: 200, examples: ['lamps'] })),
  language: Type.Optional(Type.String({ pattern: '^[a-z]{2}$', examples: ['en'] })),
  audience: Type.Optional(Type.Enum([...AUDIENCES])),
  registered: Type.Boolean({ default: true, description: 'false: what was uploaded without `register`' }),
  sort: Type.Enum(['updated_at', 'created_at', 'source', 'chunk_count'], {
    default: 'updated_at',
    description: 'Times newest first, names by the alphabet, the largest first',
  }),
})

export const ListBody = Type.Object({
  items: Type.Array(
    Type.Object({
      doc_id: Type.String(),
      source: Type.String(),
      current_version: nullable(Type.String()),
      status: choice([...DOCUMENT_STATUSES]),
      knowledge_type: Type.String(),
      product_category: Type.String(),
      applicable_version: Type.String(),
      chunk_count: Type.Integer(),
      audience: Type.Enum([...AUDIENCES]),
      registered: Type.Boolean(),
      url: nullable(Type.String({ examples: ['https://shop.example/help/returns'] })),
      language: nullable(Type.String({ description: 'As the text shows: zh, en, ja, …', examples: ['en'] })),
      created_at: Timestamp,
      updated_at: Timestamp,
    }),
  ),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

export const DocParams = Type.Object({ doc_id: Type.String({ minLength: 1, maxLength: 500 }) })

export const DetailBody = Type.Object({
  doc_id: Type.String(),
  source: Type.String(),
  current_version: Type.String(),
  status: choice([...DOCUMENT_STATUSES, 'not_found']),
  created_at: nullable(Timestamp),
  updated_at: nullable(Timestamp),
  versions: Type.Array(
    Type.Object({
      version: Type.String(),
      doc_hash: Type.String(),
      status: choice(['active', 'superseded', 'rolled_back', 'canary']),
      chunk_count: Type.Integer(),
      created_at: Timestamp,
    }),
  ),
})

export const DeleteBody = Type.Object({
  doc_id: Type.String(),
  deleted_chunks: Type.Integer(),
  success: Type.Boolean(),
})

export const AmendBody = Type.Object(
  {
    audience: Type.Optional(Type.Enum([...AUDIENCES])),
    title: Type.Optional(
      Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', description: 'Of the version that is served' }),
    ),
    url: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'Where people can read it; empty: what it names itself' }),
    ),
    knowledge_type: Type.Optional(Type.Enum([...KNOWLEDGE_TYPES])),
    product_category: Type.Optional(Type.String({ maxLength: 200, description: 'Empty: none', examples: ['lamps'] })),
  },
  { examples: [{ audience: 'staff', title: 'Returns, for colleagues' }] },
)

export const AmendedBody = Type.Object({
  doc_id: Type.String(),
  source: Type.String(),
  registered: Type.Boolean(),
  status: choice([...DOCUMENT_STATUSES]),
  audience: Type.Enum([...AUDIENCES]),
  title: nullable(Type.String()),
  url: nullable(Type.String({ examples: ['https://shop.example/help/returns'] })),
  knowledge_type: nullable(Type.String()),
  product_category: nullable(Type.String()),
})

export const ArchivedBody = Type.Object({
  doc_id: Type.String(),
  source: Type.String(),
  status: choice(['archived']),
  previous_version: nullable(
    Type.String({ description: 'Served until now; a rollback to it brings the document back' }),
  ),
})

export const RegisteredBody = Type.Object({ ...AmendedBody.properties, current_version: nullable(Type.String()) })
