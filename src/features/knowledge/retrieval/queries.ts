import { type RawBuilder, sql } from 'kysely'
import type { Database, Executor } from '../../../platform/postgres/index.ts'
import { vectorLiteral } from '../queries.ts'
import type { Collection, Passage } from '../types.ts'

/** Statements of retrieval: its indexes, candidates and the passages behind them. */

export const COLLECTIONS: readonly Collection[] = ['main', 'staff', 'canary']

/** A chunk that an index finds. Larger scores are better: BM25, idf sums or cosine similarity. */
export interface ScoredChunk {
  chunkId: number
  score: number
}

export interface NearestQuery {
  collection: Collection
  vector: Float32Array
  generation: number
  count: number
}

/** The rows that the planner may expect of a function that finds candidates. */
export const EXPECTED_ROWS = 50

/** Any constant will do; it only has to be the same in every replica, and not that of the migrations. */
export const INDEX_LOCK_KEY = 7_266_838

/** The most that pgvector's HNSW takes of full and of half precision; longer vectors are compared without an index. */
const MAX_INDEXED = { vector: 2_000, halfvec: 4_000 } as const

/** The type by which vectors of a length are compared: half precision where an index takes no other. */
function vectorType(dimensions: number) {
  const name = dimensions > MAX_INDEXED.vector ? 'halfvec' : 'vector'
  return sql`${sql.raw(name)}(${sql.lit(dimensions)})`
}

/** Makes the vector indexes of a generation and the functions that ask them, when they are not there. */
export async function ensureVectorIndexes(db: Database, generation: number, dimensions: number): Promise<void> {
  await db.transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(${INDEX_LOCK_KEY}::bigint)`.execute(trx)
    for (const collection of COLLECTIONS) await ensureHnsw(trx, generation, dimensions, collection)
  })
}

/**
 * The function is there for its setting: by default HNSW looks at 40 neighbours and returns no more, whatever the limit.
 * 200 is the most that `vector_top_k` asks for.
 */
async function ensureHnsw(
  executor: Executor,
  generation: number,
  dimensions: number,
  collection: Collection,
): Promise<void> {
  const name = sql.ref(hnswIndex(generation, collection))
  const type = vectorType(dimensions)
  const live = sql`generation = ${sql.lit(generation)} and collection = ${sql.lit(collection)}`
  if (dimensions <= MAX_INDEXED.halfvec) {
    const operators = sql.raw(dimensions > MAX_INDEXED.vector ? 'halfvec_cosine_ops' : 'vector_cosine_ops')
    await sql`create index if not exists ${name} on knowledge_embeddings
      using hnsw ((embedding::${type}) ${operators}) where ${live}`.execute(executor)
  }
  await sql`create or replace function ${name}(query vector, top integer)
    returns table (chunk_id bigint, score double precision) language sql stable set hnsw.ef_search = 200
    rows ${sql.lit(EXPECTED_ROWS)} as $$
      select e.chunk_id, 1 - (e.embedding::${type} <=> query::${type}) from knowledge_embeddings e where ${live}
      order by e.embedding::${type} <=> query::${type} limit top $$`.execute(executor)
}

function hnswIndex(generation: number, collection: Collection): string {
  return `knowledge_embeddings_hnsw_${generation}_${collection}`
}

export async function dropVectorIndexes(executor: Executor, generation: number): Promise<void> {
  for (const collection of COLLECTIONS) {
    const name = sql.ref(hnswIndex(generation, collection))
    await sql`drop function if exists ${name}(vector, integer)`.execute(executor)
    await sql`drop index if exists ${name}`.execute(executor)
  }
}

/** The chunks whose vectors are nearest, best first. */
export async function findNearest(
  executor: Executor,
  { collection, vector, generation, count }: NearestQuery,
): Promise<ScoredChunk[]> {
  const found = sql`${sql.ref(hnswIndex(generation, collection))}(${vectorLiteral(vector)}::vector, ${count})`
  const { rows } = await sql<{ found: string }>`select ${scoredAsText(found)} as found`.execute(executor)
  return readScored(rows[0]?.found)
}

/** Chunks with their scores as one text: on the embedded database fifty rows take longer to cross over than to be found. */
export function scoredAsText(found: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_build_object('ids', json_agg(chunk_id), 'scores', json_agg(score))::text from ${found} c)`
}

/** Best first. No rows are null to `json_agg`. */
export function readScored(text: string | null | undefined): ScoredChunk[] {
  const { ids, scores } = JSON.parse(text ?? '{}') as { ids?: number[] | null; scores?: number[] | null }
  return (ids ?? [])
    .map((chunkId, i) => ({ chunkId, score: scores?.[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.chunkId - b.chunkId)
}

/** Passages before and behind a hit that are read with it. */
const REACH = { before: 6, behind: 9 }
/** Hits around which the document is read. */
const SURROUNDED = 3

const passageColumns = sql`c.chunk_id as "chunkId", c.doc_id as "docId", c.version_no as version, c.ordinal,
  (select d.source from knowledge_documents d where d.doc_id = c.doc_id) as source, c.title,
  (select nullif(nullif(v.applicable_version, 'latest'), '') from knowledge_versions v
    where v.doc_id = c.doc_id and v.version_no = c.version_no) as "applicableVersion",
  coalesce((select v.url from knowledge_versions v where v.doc_id = c.doc_id and v.version_no = c.version_no),
    c.metadata ->> 'url') as url,
  case when c.collection = 'staff' then 'staff' end as audience, c.heading_path as "headingPath", c.kind, c.question, c.content, c.page, c.metadata`

/**
 * The passages of chunks that are still searchable, and with `withSurroundings` those around the first of them; one that
 * was replaced meanwhile is missing.
 */
export async function readPassages(
  executor: Executor,
  collection: Collection,
  chunkIds: readonly number[],
  withSurroundings = false,
): Promise<Map<number, Passage>> {
  if (chunkIds.length === 0) return new Map()
  const surrounded = withSurroundings ? chunkIds.slice(0, SURROUNDED) : []
  // A subquery by arrays and not a join: with few chunks asked for the planner still reads all documents.
  const nearby = sql`select n.chunk_id from knowledge_chunks f join knowledge_chunks n
    on n.doc_id = f.doc_id and n.version_no = f.version_no
      and n.ordinal between f.ordinal - ${REACH.before}::integer and f.ordinal + ${REACH.behind}::integer
    where f.chunk_id = any(${surrounded}::bigint[])`
  const wanted =
    surrounded.length === 0
      ? sql`c.chunk_id = any(${[...chunkIds]}::bigint[])`
      : sql`c.chunk_id = any(${[...chunkIds]}::bigint[] || array(${nearby}))`
  // As one text: on the embedded database each value of a row costs more than the query.
  const { rows } = await sql<{ passages: string | null }>`select json_agg(p)::text as passages from (
    select ${passageColumns} from knowledge_chunks c
    where ${wanted} and c.collection = ${collection}) p`.execute(executor)
  const passages = JSON.parse(rows[0]?.passages ?? '[]') as Passage[]
  return new Map(passages.map((passage) => [passage.chunkId, passage]))
}

export interface FeatureRow {
  chunkId: number
  docId: string
  features: Uint8Array
  publishedAt: Date
  /** Passages that its document has. */
  passages: number
}

const publishedAt = sql`coalesce(v.published_at, v.created_at) as "publishedAt"`
const featureColumns = sql`c.chunk_id as "chunkId", c.doc_id as "docId", c.features, ${publishedAt},
    v.chunk_count as passages`
const withVersion = sql`join knowledge_versions v using (doc_id, version_no)`

/** The chunks of a document that are in a collection. */
export interface ListedChunks extends Pick<FeatureRow, 'docId' | 'publishedAt' | 'passages'> {
  collection: Collection
  chunkIds: number[]
}

/** Which chunks of some documents are in which collection. Ids as one value: rows cost the embedded database more. */
export async function listDocumentChunks(executor: Executor, docIds: readonly string[]): Promise<ListedChunks[]> {
  const { rows } = await sql<Omit<ListedChunks, 'chunkIds'> & { ids: string }>`
    select c.doc_id as "docId", c.collection, ${publishedAt}, v.chunk_count as passages,
      json_agg(c.chunk_id order by c.chunk_id)::text as ids
    from knowledge_chunks c ${withVersion}
    where c.doc_id = any(${[...docIds]}::text[]) and c.collection is not null
    group by c.doc_id, c.collection, c.version_no, v.published_at, v.created_at, v.chunk_count`.execute(executor)
  return rows.map(({ ids, ...row }) => ({ ...row, chunkIds: JSON.parse(ids) as number[] }))
}

/** Which chunks of a collection are read: those after an id, those of some blocks of ids, or some alone. */
export type FeaturePage =
  | { after: number; limit: number }
  | { blocks: readonly number[]; blockSize: number }
  | { chunkIds: readonly number[] }

/**
 * Features of chunks of a collection in the order of their ids. A page comes as one value and not as rows, which on the
 * embedded database takes a third of the time.
 */
export async function readFeaturePage(
  executor: Executor,
  collection: Collection,
  asked: FeaturePage,
): Promise<FeatureRow[]> {
  const { rows } = await sql<{ chunks: string | null; features: Uint8Array }>`
    select json_agg(json_build_array("chunkId", "docId", length(features), extract(epoch from "publishedAt") * 1000,
        passages) order by "chunkId")::text as chunks,
      string_agg(features, ''::bytea order by "chunkId") as features
    from (select ${featureColumns} ${chunksOf(collection, asked)}) page`.execute(executor)
  const [page] = rows
  const chunks = JSON.parse(page?.chunks ?? '[]') as [number, string, number, number, number][]
  let start = 0
  return chunks.map(([chunkId, docId, length, publishedAtMs, passages]) => {
    const features = page?.features.subarray(start, start + length) ?? new Uint8Array()
    start += length
    return { chunkId, docId, features, publishedAt: new Date(publishedAtMs), passages }
  })
}

function chunksOf(collection: Collection, asked: FeaturePage): RawBuilder<unknown> {
  const live = sql`c.collection = ${collection}`
  if ('after' in asked) {
    return sql`from knowledge_chunks c ${withVersion} where ${live} and c.chunk_id > ${asked.after}
      order by c.chunk_id limit ${asked.limit}`
  }
  if ('chunkIds' in asked) {
    return sql`from knowledge_chunks c ${withVersion} where ${live} and c.chunk_id = any(${[...asked.chunkIds]}::bigint[])`
  }
  const { blocks, blockSize } = asked
  // Block by block in the index: the planner would read the whole table for some hundred of them.
  return sql`from unnest(${[...blocks]}::bigint[]) as b(block)
    cross join lateral (select * from knowledge_chunks c where ${live} and c.chunk_id >= b.block * ${blockSize}::integer
      and c.chunk_id < (b.block + 1) * ${blockSize}::integer offset 0) c ${withVersion}`
}

/** The ids between which a collection's chunks lie; null: there are none. */
export async function readIdBounds(
  executor: Executor,
  collection: Collection,
): Promise<{ first: number; last: number } | null> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`select min(chunk_id) as first,
    max(chunk_id) as last from knowledge_chunks where collection = ${sql.lit(collection)}`.execute(executor)
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? null : { first, last }
}
