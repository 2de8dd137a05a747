import { type RawBuilder, sql } from 'kysely'
import type { Database, Executor, LexicalEngine } from '../../../platform/postgres/index.ts'
import { vectorLiteral } from '../queries.ts'
import type { Collection, Passage } from '../types.ts'
import type { RetrievalParameters } from './parameters.ts'

/** Statements of retrieval: its indexes, candidates and the passages behind them. */

const COLLECTIONS: readonly Collection[] = ['main', 'staff', 'canary']

/** A chunk that an index finds. Larger scores are better: BM25, idf sums or cosine similarity. */
export interface ScoredChunk {
  chunkId: number
  score: number
}

/** The chunks that each index found, best first. */
export interface CandidateLists {
  lexical: ScoredChunk[]
  vector: ScoredChunk[]
}

export interface CandidateQuery extends Pick<RetrievalParameters, 'lexicalTopK' | 'vectorTopK'> {
  collection: Collection
  engine: LexicalEngine
  terms: readonly string[]
  vector: Float32Array | null
  generation: number
}

/** The rows that the planner may expect of a function that finds candidates. */
const EXPECTED_ROWS = 50

/** Any constant will do; it only has to be the same in every replica, and not that of the migrations. */
const INDEX_LOCK_KEY = 7_266_838

/** Makes what lexical search needs of the engine in use, when it is not there. Replicas may start at the same time. */
export async function ensureLexicalIndexes(db: Database): Promise<void> {
  await db.transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(${INDEX_LOCK_KEY}::bigint)`.execute(trx)
    if (db.lexicalEngine === 'full_text') {
      await sql`alter table knowledge_chunks add column if not exists search_vector tsvector
        generated always as (to_tsvector('simple', search_text)) stored`.execute(trx)
    }
    for (const collection of COLLECTIONS) {
      if (db.lexicalEngine === 'pg_textsearch') await ensureBm25(trx, collection)
      else {
        await sql`create index if not exists ${sql.ref(`knowledge_chunks_fts_${collection}`)} on knowledge_chunks
          using gin (search_vector) where collection = ${sql.lit(collection)}`.execute(trx)
      }
    }
  })
}

/**
 * The index and the function that asks it. Without the function the planner, which knows little of small and fresh
 * tables, prefers to score every row by itself: 100 ms instead of 1 for 600 chunks. For the same reason the score is
 * the one that the index scan computed, not the operator's, which analyses the row's text anew. Each call is planned
 * anew, because the index reads from the plan how many rows are wanted: of a plan for any number it returns the best
 * thousand, in twice the time.
 */
async function ensureBm25(executor: Executor, collection: Collection): Promise<void> {
  const live = sql`collection = ${sql.lit(collection)}`
  await sql`create index if not exists ${sql.ref(bm25Index(collection))} on knowledge_chunks
    using bm25 (search_text) with (text_config = 'simple') where ${live}`.execute(executor)
  await sql`create or replace function ${sql.ref(bm25Index(collection))}(query text, top integer)
    returns table (chunk_id bigint, score double precision) language sql stable rows ${sql.lit(EXPECTED_ROWS)}
    set enable_sort = off set plan_cache_mode = force_custom_plan as $$
      select c.chunk_id, -bm25_get_current_score() from knowledge_chunks c where c.${live}
      order by c.search_text <@> to_bm25query(query, ${sql.lit(bm25Index(collection))}) limit top $$`.execute(executor)
}

function bm25Index(collection: Collection): string {
  return `knowledge_chunks_bm25_${collection}`
}

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

/** The candidates of the lexical and, when there is a vector, of the vector index, in one round trip. */
export async function findCandidates(executor: Executor, query: CandidateQuery): Promise<CandidateLists> {
  const [lexical, vector] = [lexicalCandidates(query), vectorCandidates(query)]
  if (!lexical && !vector) return { lexical: [], vector: [] }
  const { rows } = await sql<{ lexical: string | null; vector: string | null }>`
    select ${asText(lexical)} as lexical, ${asText(vector)} as vector`.execute(executor)
  return { lexical: readCandidates(rows[0]?.lexical), vector: readCandidates(rows[0]?.vector) }
}

/** As one text: on the embedded database fifty rows take longer to cross over than to be found. */
function asText(candidates: RawBuilder<unknown> | null): RawBuilder<unknown> {
  if (!candidates) return sql`null`
  return sql`(select json_build_object('ids', json_agg(chunk_id), 'scores', json_agg(score))::text from ${candidates} c)`
}

/** Best first. No rows are null to `json_agg`. */
function readCandidates(text: string | null | undefined): ScoredChunk[] {
  const { ids, scores } = JSON.parse(text ?? '{}') as { ids?: number[] | null; scores?: number[] | null }
  return (ids ?? [])
    .map((chunkId, i) => ({ chunkId, score: scores?.[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || a.chunkId - b.chunkId)
}

function lexicalCandidates({
  engine,
  terms: given,
  collection,
  lexicalTopK,
}: CandidateQuery): RawBuilder<unknown> | null {
  // An empty word is no query to Postgres, but an error.
  const terms = given.filter((term) => term !== '')
  if (terms.length === 0) return null
  if (engine === 'pg_textsearch') return sql`${sql.ref(bm25Index(collection))}(${terms.join(' ')}, ${lexicalTopK})`
  // Index predicates must be literals: the planner matches a partial index at planning time.
  const live = sql`collection = ${sql.lit(collection)}`
  // Postgres' own ranking knows no document frequency: each term adds its idf, from one index lookup a term.
  const quoted = terms.map((term) => `'${term.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`)
  return sql`(select chunk_id, sum(ln(1 + total.chunks / frequency)) as score
    from (select c.chunk_id, count(*) over (partition by t.term)::float8 as frequency
      from unnest(${quoted}::text[]) as t(term)
      join knowledge_chunks c on c.search_vector @@ t.term::tsquery where ${live}) matched,
      (select count(*)::float8 as chunks from knowledge_chunks where ${live}) total
    group by chunk_id order by score desc, chunk_id limit ${lexicalTopK})`
}

function vectorCandidates({ vector, collection, generation, vectorTopK }: CandidateQuery): RawBuilder<unknown> | null {
  if (!vector) return null
  return sql`${sql.ref(hnswIndex(generation, collection))}(${vectorLiteral(vector)}::vector, ${vectorTopK})`
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
}

const publishedAt = sql`coalesce(v.published_at, v.created_at) as "publishedAt"`
const featureColumns = sql`c.chunk_id as "chunkId", c.doc_id as "docId", c.features, ${publishedAt}
  from knowledge_chunks c join knowledge_versions v using (doc_id, version_no)`

/** Which chunks of a document are in a collection. */
export async function listDocumentChunks(
  executor: Executor,
  collection: Collection,
  docId: string,
): Promise<Omit<FeatureRow, 'docId' | 'features'>[]> {
  const { rows } = await sql<Omit<FeatureRow, 'docId' | 'features'>>`
    select c.chunk_id as "chunkId", ${publishedAt}
    from knowledge_chunks c join knowledge_versions v using (doc_id, version_no)
    where c.doc_id = ${docId} and c.collection = ${collection}`.execute(executor)
  return rows
}

/**
 * Features of all chunks of a collection, a page at a time in the order of their ids. A page comes as one value and not
 * as rows, which on the embedded database takes a third of the time.
 */
export async function readFeaturesAfter(
  executor: Executor,
  collection: Collection,
  afterChunkId: number,
  limit: number,
): Promise<FeatureRow[]> {
  const { rows } = await sql<{ chunks: string | null; features: Uint8Array }>`
    select json_agg(json_build_array("chunkId", "docId", length(features), extract(epoch from "publishedAt") * 1000)
        order by "chunkId")::text as chunks,
      string_agg(features, ''::bytea order by "chunkId") as features
    from (select ${featureColumns} where c.collection = ${collection} and c.chunk_id > ${afterChunkId}
      order by c.chunk_id limit ${limit}) page`.execute(executor)
  const [page] = rows
  const chunks = JSON.parse(page?.chunks ?? '[]') as [number, string, number, number][]
  let start = 0
  return chunks.map(([chunkId, docId, length, publishedAtMs]) => {
    const features = page?.features.subarray(start, start + length) ?? new Uint8Array()
    start += length
    return { chunkId, docId, features, publishedAt: new Date(publishedAtMs) }
  })
}

export async function readFeatures(executor: Executor, chunkIds: readonly number[]): Promise<FeatureRow[]> {
  const { rows } = await sql<FeatureRow>`select ${featureColumns}
    where c.chunk_id = any(${[...chunkIds]}::bigint[])`.execute(executor)
  return rows
}
