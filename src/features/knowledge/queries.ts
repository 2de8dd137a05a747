import { type RawBuilder, sql } from 'kysely'
import { type Database, type Executor, statementOver, toJson } from '../../platform/postgres/index.ts'
import type { Audience, Collection, DocumentMetadata, DocumentStatus, PreparedChunk, VersionStatus } from './types.ts'

/** Statements on documents, versions and chunks. Retrieval's own are in `retrieval/`. */

/** Carries the doc_id of what changed to every replica. */
export const KNOWLEDGE_CHANNEL = 'knowledge'
/** Rows per statement: large enough to save round trips, small enough to keep a statement's text in bounds. */
const BATCH_ROWS = 200
/** Categories that a list can be narrowed to: more are nobody's choice. */
const MAX_KINDS = 200
/** Components of vectors per statement: writing them takes the processor, which others wait for. */
const BATCH_COMPONENTS = 51_200

export interface DocumentRow {
  docId: string
  source: string
  registered: boolean
  status: DocumentStatus
  lastVersion: number
  audience: Audience
  createdAt: Date
  updatedAt: Date
}

export interface VersionRow extends DocumentMetadata {
  versionNo: number
  docHash: string
  status: VersionStatus
  chunkCount: number
  /** Of its text; null: it shows none. */
  language: string | null
  createdAt: Date
}

export interface ListedDocument
  extends Pick<DocumentRow, 'docId' | 'source' | 'status' | 'audience' | 'registered' | 'createdAt' | 'updatedAt'>,
    Omit<DocumentMetadata, 'publishedAt' | 'url'> {
  url: string | null
  language: string | null
  /** null: none is active. */
  currentVersion: string | null
  chunkCount: number
}

const documentColumns = sql`doc_id as "docId", source, registered, status, last_version as "lastVersion", audience,
  created_at as "createdAt", updated_at as "updatedAt"`
const versionColumns = sql`version_no as "versionNo", doc_hash as "docHash", status, chunk_count as "chunkCount",
  knowledge_type as "knowledgeType", product_category as "productCategory",
  applicable_version as "applicableVersion", published_at as "publishedAt", url, language, created_at as "createdAt"`

/** @param options.lock keeps others from changing it until the transaction ends. */
export async function findDocument(
  executor: Executor,
  docId: string,
  { lock = false } = {},
): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`select ${documentColumns} from knowledge_documents
    where doc_id = ${docId} ${lock ? sql`for update` : sql``}`.execute(executor)
  return rows[0]
}

/**
 * The document's row, made when missing, locked until the transaction ends: one publication at a time. `isNew`: nobody
 * has ever seen it.
 */
export async function lockDocument(
  executor: Executor,
  { docId, source, filePath }: { docId: string; source: string; filePath: string | null },
): Promise<DocumentRow & { isNew: boolean }> {
  const { rows } =
    await sql<DocumentRow>`insert into knowledge_documents (doc_id, source, file_path, registered, status)
    values (${docId}, ${source}, ${filePath}, false, 'deleted') on conflict (doc_id) do nothing
    returning ${documentColumns}`.execute(executor)
  if (rows[0]) return { ...rows[0], isNew: true }
  return { ...((await findDocument(executor, docId, { lock: true })) as DocumentRow), isNew: false }
}

/** Chunks that are served of a document, in one statement; undefined: there is no such document. */
export async function findServed(
  executor: Executor,
  docId: string,
): Promise<{ registered: boolean; docHash: string | null } | undefined> {
  const { rows } = await sql<{ registered: boolean; docHash: string | null }>`
    select d.registered, case when d.status = 'active' then v.doc_hash end as "docHash" from knowledge_documents d
    left join knowledge_versions v on v.doc_id = d.doc_id and v.status = 'active'
    where d.doc_id = ${docId}`.execute(executor)
  return rows[0]
}

export async function saveDocument(
  executor: Executor,
  document: Pick<DocumentRow, 'docId' | 'registered' | 'status' | 'lastVersion' | 'audience'>,
): Promise<void> {
  await sql`update knowledge_documents set registered = ${document.registered}, status = ${document.status},
    last_version = ${document.lastVersion}, audience = ${document.audience}, updated_at = now() where doc_id = ${document.docId}`.execute(
    executor,
  )
}

/** Changes what a document is called where it is shown. */
export async function renameDocument(executor: Executor, docId: string, source: string): Promise<void> {
  await sql`update knowledge_documents set source = ${source} where doc_id = ${docId}`.execute(executor)
}

export async function listVersions(executor: Executor, docId: string): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`select ${versionColumns} from knowledge_versions
    where doc_id = ${docId} order by version_no`.execute(executor)
  return rows
}

/** The version of this number, or the one that has this status. */
export async function findVersion(
  executor: Executor,
  docId: string,
  which: number | 'active' | 'canary',
): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`select ${versionColumns} from knowledge_versions where doc_id = ${docId}
    and ${typeof which === 'number' ? sql`version_no = ${which}` : sql`status = ${which}`}`.execute(executor)
  return rows[0]
}

export async function insertVersion(
  executor: Executor,
  version: Omit<VersionRow, 'createdAt'> & { docId: string },
): Promise<void> {
  await sql`insert into knowledge_versions (doc_id, version_no, doc_hash, status, chunk_count, knowledge_type,
      product_category, applicable_version, published_at, url, language)
    values (${version.docId}, ${version.versionNo}, ${version.docHash}, ${version.status}, ${version.chunkCount},
      ${version.knowledgeType}, ${version.productCategory}, ${version.applicableVersion},
      ${version.publishedAt}, ${version.url ?? null}, ${version.language})`.execute(executor)
}

export async function updateVersionMetadata(
  executor: Executor,
  docId: string,
  versionNo: number,
  metadata: DocumentMetadata,
): Promise<void> {
  await sql`update knowledge_versions set knowledge_type = ${metadata.knowledgeType},
      product_category = ${metadata.productCategory}, applicable_version = ${metadata.applicableVersion},
      published_at = ${metadata.publishedAt}, url = ${metadata.url ?? null}
    where doc_id = ${docId} and version_no = ${versionNo}`.execute(executor)
}

/** The features of a document's active chunks, the first of them. */
export async function readActiveFeatures(executor: Executor, docId: string, limit: number): Promise<Uint8Array[]> {
  const { rows } = await sql<{ features: Uint8Array }>`select features from knowledge_chunks
    where doc_id = ${docId} and collection in ('main', 'staff') order by ordinal limit ${limit}`.execute(executor)
  return rows.map(({ features }) => features)
}

/** Removes versions with their chunks and vectors. */
export async function deleteVersions(executor: Executor, docId: string): Promise<void> {
  await sql`delete from knowledge_versions where doc_id = ${docId}`.execute(executor)
}

/**
 * Removes the chunks, vectors and files of every version and keeps the registry's history, whose versions then hold none;
 * returns how many were removed.
 */
export async function deleteChunks(executor: Executor, docId: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from knowledge_chunks where doc_id = ${docId}`.execute(executor)
  await sql`delete from knowledge_originals where doc_id = ${docId}`.execute(executor)
  await sql`update knowledge_versions set chunk_count = 0,
      status = case when status in ('active', 'canary') then 'superseded' else status end
    where doc_id = ${docId}`.execute(executor)
  return Number(numAffectedRows ?? 0)
}

/** Removes the chunks of one version, in whatever collection. */
export async function deleteVersionChunks(executor: Executor, docId: string, versionNo: number): Promise<void> {
  await sql`delete from knowledge_chunks where doc_id = ${docId} and version_no = ${versionNo}`.execute(executor)
}

export async function deleteDocumentRow(executor: Executor, docId: string): Promise<void> {
  await sql`delete from knowledge_documents where doc_id = ${docId}`.execute(executor)
}

/** Adds chunks and their vectors, in batches, to `collection`; @returns their ids, in order */
export async function insertChunks(
  executor: Executor,
  target: ChunkTarget,
  chunks: readonly PreparedChunk[],
): Promise<number[]> {
  const all: number[] = []
  for (let start = 0; start < chunks.length; start += BATCH_ROWS) {
    const rows = chunks.slice(start, start + BATCH_ROWS)
    const added = await insertRows(executor, { target, rows })
    const ids = (added.rows as { chunkId: number }[]).map(({ chunkId }) => chunkId)
    await insertVectors(executor, ids, rows)
    all.push(...ids)
  }
  return all
}

interface ChunkTarget {
  docId: string
  versionNo: number
  collection: Collection
}

const insertRows = statementOver<{ target: ChunkTarget; rows: readonly PreparedChunk[] }>(
  ({ column, value }) => sql`insert into knowledge_chunks (doc_id, version_no, collection, ordinal, kind, title,
      heading_path, question, content, page, metadata, search_text, features)
    select ${value(({ target }) => target.docId)}, ${value(({ target }) => target.versionNo)}::int4,
      ${value(({ target }) => target.collection)}, * from unnest(
      ${column('int4', ({ ordinal }) => ordinal)}, ${column('text', ({ kind }) => kind)},
      ${column('text', ({ title }) => title)}, ${column('jsonb', ({ headingPath }) => toJson(headingPath))},
      ${column('text', ({ question }) => question)}, ${column('text', ({ content }) => content)},
      ${column('int4', ({ page }) => page)}, ${column('jsonb', ({ metadata }) => toJson(metadata))},
      ${column('text', ({ searchText }) => searchText)}, ${column('bytea', ({ features }) => features)})
    returning chunk_id as "chunkId"`,
)

async function insertVectors(
  executor: Executor,
  ids: readonly number[],
  chunks: readonly PreparedChunk[],
): Promise<void> {
  for (const [i, { generation, vector }] of (chunks[0]?.embeddings ?? []).entries()) {
    const rows = chunks.map(({ embeddings }, at) => ({ chunkId: ids[at]!, vector: embeddings[i]!.vector }))
    const most = Math.max(1, Math.floor(BATCH_COMPONENTS / vector.length))
    for (let start = 0; start < rows.length; start += most) {
      await addVectors(executor, generation, rows.slice(start, start + most))
    }
  }
}

/** Adds vectors; a chunk deleted meanwhile, or one that another replica was faster with, is passed over. */
export async function addVectors(
  executor: Executor,
  generation: number,
  vectors: readonly { chunkId: number; vector: Float32Array }[],
): Promise<void> {
  await sql`insert into knowledge_embeddings (chunk_id, generation, collection, embedding)
    select c.chunk_id, ${generation}, c.collection, t.vector::vector
    from unnest(${vectors.map(({ chunkId }) => chunkId)}::bigint[],
      ${vectors.map(({ vector }) => vectorLiteral(vector))}::text[]) as t(chunk_id, vector)
    join knowledge_chunks c using (chunk_id)
    on conflict do nothing`.execute(executor)
}

/** pgvector's text form. Components are at most 1, so eight decimals are what a float holds. */
export function vectorLiteral(vector: Float32Array): string {
  // Rounding by arithmetic takes a quarter of the time of toPrecision, and most components are zeros.
  return `[${Array.from(vector, (value) => (value === 0 ? 0 : Math.round(value * 1e8) / 1e8)).join(',')}]`
}

/** Marks that what is searchable changed and tells every replica which document it was. */
export async function publishChange(db: Database, executor: Executor, docId: string): Promise<void> {
  await sql`with changed as (update knowledge_state set revision = revision + 1)
    select pg_notify(${db.channelName(KNOWLEDGE_CHANNEL)}, ${docId})`.execute(executor)
}

export type DocumentOrder = 'updated_at' | 'created_at' | 'source' | 'chunk_count'

export interface DocumentFilter {
  q: string | null
  status: string | null
  knowledgeType: string | null
  category?: string | null
  language?: string | null
  audience?: Audience | null
  /** Default: true. */
  registered?: boolean
  /** Default: the one that was changed last first. */
  order?: DocumentOrder
  limit: number
  offset: number
}

const ORDERS: Readonly<Record<DocumentOrder, RawBuilder<unknown>>> = {
  updated_at: sql`d.updated_at desc`,
  created_at: sql`d.created_at desc`,
  source: sql`d.source`,
  chunk_count: sql`"chunkCount" desc`,
}

export async function listDocuments(executor: Executor, filter: DocumentFilter) {
  const { audience = null, category = null, language = null, registered = true, order = 'updated_at' } = filter
  const pattern = filter.q === null ? null : `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`
  const matching = sql`from knowledge_documents d
    left join lateral (select * from knowledge_versions v where v.doc_id = d.doc_id
      order by (v.status = 'active') desc, v.version_no desc limit 1) v on true
    where d.registered = ${registered} and (${audience}::text is null or d.audience = ${audience})
      and (${pattern}::text is null or d.source ilike ${pattern} or d.doc_id = ${filter.q})
      and (${filter.status}::text is null or d.status = ${filter.status})
      and (${filter.knowledgeType}::text is null or v.knowledge_type = ${filter.knowledgeType})
      and (${category}::text is null or v.product_category = ${category})
      and (${language}::text is null or v.language = ${language})`
  const isServed = sql`d.status = 'active' and v.status = 'active'`
  const { rows } = await sql<ListedDocument>`
    select d.doc_id as "docId", d.source, case when ${isServed} and d.registered then 'v' || v.version_no end as "currentVersion",
      d.status, v.knowledge_type as "knowledgeType", v.product_category as "productCategory",
      v.applicable_version as "applicableVersion", case when ${isServed} then v.chunk_count else 0 end as "chunkCount",
      d.audience, d.registered, v.url, v.language, d.created_at as "createdAt", d.updated_at as "updatedAt"
    ${matching} order by ${ORDERS[order]}, d.doc_id limit ${filter.limit} offset ${filter.offset}`.execute(executor)
  const counted = await sql<{ total: number }>`select count(*) as total ${matching}`.execute(executor)
  return { items: rows, total: counted.rows[0]?.total ?? 0 }
}

/** The categories and languages of what is served, those of most documents first. */
export async function countKinds(executor: Executor) {
  const counted = (column: 'product_category' | 'language') =>
    sql<{ name: string; documents: number }>`select ${sql.ref(column)} as name, count(*) as documents
      from knowledge_versions where status = 'active' and ${sql.ref(column)} is not null
      group by 1 order by 2 desc, 1 limit ${MAX_KINDS}`.execute(executor)
  const [categories, languages] = await Promise.all([counted('product_category'), counted('language')])
  return { categories: categories.rows, languages: languages.rows }
}

/** Every document that customers can find, registered or not. */
export async function listSearchable(executor: Executor) {
  const { rows } = await sql<{ docId: string; source: string }>`
    select doc_id as "docId", source from knowledge_documents d
    where exists (select from knowledge_chunks c where c.doc_id = d.doc_id and c.collection = 'main')`.execute(executor)
  return rows
}

export async function readRevision(executor: Executor): Promise<number> {
  const { rows } = await sql<{ revision: number }>`select revision::float8 as revision from knowledge_state`.execute(
    executor,
  )
  return rows[0]?.revision ?? 0
}

export async function readStats(executor: Executor) {
  const { rows } = await sql<{ chunks: number; documents: number; revision: number; originalBytes: number }>`
    select count(*) as chunks, count(distinct doc_id) as documents, (select revision from knowledge_state) as revision,
      (select coalesce(sum(size), 0)::float8 from knowledge_originals) as "originalBytes"
    from knowledge_chunks where collection in ('main', 'staff')`.execute(executor)
  return rows[0]!
}
