import { sql } from 'kysely'
import type { Database, Executor, LexicalEngine } from '../../platform/postgres/index.ts'
import { vectorLiteral } from './queries.ts'
import type { Collection, SearchHit } from './types.ts'

/** Statements of retrieval: its indexes, candidates and the passages behind them. */

export interface CandidateRow {
  chunkId: number
  /** Larger is better; null: the lexical index did not propose it. */
  lexicalScore: number | null
  /** Cosine similarity; null: the vector index did not propose it. */
  vectorScore: number | null
}

export interface CandidateQuery {
  collection: Collection
  engine: LexicalEngine
  terms: readonly string[]
  lexicalTopK: number
  vector: Float32Array | null
  vectorTopK: number
  generation: number
  dimensions: number
}

/**
 * HNSW parameters (pgvector's m and ef_construction). The embedded database builds four times faster with the smaller
 * ones and its vectors are a second opinion beside BM25; a server takes pgvector's defaults.
 */
const HNSW = { embedded: { m: 8, construction: 32 }, server: { m: 16, construction: 64 } } as const

/** Makes the lexical indexes of the engine in use, when they are not there. */
export async function ensureLexicalIndexes(db: Database): Promise<void> {
  const { executor } = db
  if (db.lexicalEngine === 'full_text') {
    await sql`alter table knowledge_chunks add column if not exists search_vector tsvector
      generated always as (to_tsvector('simple', search_text)) stored`.execute(executor)
  }
  for (const collection of ['main', 'canary'] as const) {
    const where = sql`where collection = ${sql.lit(collection)}`
    if (db.lexicalEngine === 'pg_textsearch') {
      await sql`create index if not exists ${sql.ref(bm25Index(collection))} on knowledge_chunks
        using bm25 (search_text) with (text_config = 'simple') ${where}`.execute(executor)
    } else {
      await sql`create index if not exists ${sql.ref(`knowledge_chunks_fts_${collection}`)} on knowledge_chunks
        using gin (search_vector) ${where}`.execute(executor)
    }
  }
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

/** Makes the vector indexes of a generation, when they are not there. */
export async function ensureVectorIndexes(db: Database, generation: number, dimensions: number): Promise<void> {
  if (dimensions > MAX_INDEXED.halfvec) return
  const { m, construction } = HNSW[db.kind]
  const operators = sql.raw(dimensions > MAX_INDEXED.vector ? 'halfvec_cosine_ops' : 'vector_cosine_ops')
  for (const collection of ['main', 'canary'] as const) {
    await sql`create index if not exists ${sql.ref(`knowledge_embeddings_hnsw_${generation}_${collection}`)}
      on knowledge_embeddings using hnsw ((embedding::${vectorType(dimensions)}) ${operators})
      with (m = ${sql.lit(m)}, ef_construction = ${sql.lit(construction)})
      where generation = ${sql.lit(generation)} and collection = ${sql.lit(collection)}`.execute(db.executor)
  }
}

export async function dropVectorIndexes(executor: Executor, generation: number): Promise<void> {
  for (const collection of ['main', 'canary']) {
    await sql`drop index if exists ${sql.ref(`knowledge_embeddings_hnsw_${generation}_${collection}`)}`.execute(
      executor,
    )
  }
}

/** What the lexical and the vector index propose, in one round trip. */
export async function findCandidates(executor: Executor, query: CandidateQuery): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    with lexical as materialized (${lexicalCandidates(query)}), dense as materialized (${vectorCandidates(query)})
    select chunk_id as "chunkId", lexical.score as "lexicalScore", dense.score as "vectorScore"
    from lexical full join dense using (chunk_id)`.execute(executor)
  return rows
}

const nothing = sql`select null::bigint as chunk_id, null::float8 as score where false`

function lexicalCandidates({ engine, terms, collection, lexicalTopK }: CandidateQuery) {
  if (terms.length === 0) return nothing
  // Index predicates must be literals: the planner matches a partial index at planning time.
  const live = sql`collection = ${sql.lit(collection)}`
  if (engine === 'pg_textsearch') {
    const query = sql`to_bm25query(${terms.join(' ')}, ${bm25Index(collection)})`
    return sql`select chunk_id, -(search_text <@> ${query}) as score from knowledge_chunks
      where ${live} order by search_text <@> ${query} limit ${lexicalTopK}`
  }
  // Postgres' own ranking knows no document frequency: each term adds its idf, from one index lookup a term.
  const quoted = terms.map((term) => `'${term.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`)
  return sql`select chunk_id, sum(ln(1 + total.chunks / frequency)) as score
    from (select c.chunk_id, count(*) over (partition by t.term)::float8 as frequency
      from unnest(${quoted}::text[]) as t(term)
      join knowledge_chunks c on c.search_vector @@ t.term::tsquery where ${live}) matched,
      (select count(*)::float8 as chunks from knowledge_chunks where ${live}) total
    group by chunk_id order by score desc, chunk_id limit ${lexicalTopK}`
}

function vectorCandidates({ vector, collection, generation, dimensions, vectorTopK }: CandidateQuery) {
  if (!vector) return nothing
  const type = vectorType(dimensions)
  const distance = sql`embedding::${type} <=> ${vectorLiteral(vector)}::${type}`
  return sql`select chunk_id, 1 - (${distance}) as score from knowledge_embeddings
    where generation = ${sql.lit(generation)} and collection = ${sql.lit(collection)}
    order by ${distance} limit ${vectorTopK}`
}

export type Passage = Omit<SearchHit, 'score'>

/** The passages of chunks that are still searchable; one that was replaced meanwhile is missing. */
export async function readPassages(
  executor: Executor,
  collection: Collection,
  chunkIds: readonly number[],
): Promise<Map<number, Passage>> {
  if (chunkIds.length === 0) return new Map()
  const { rows } = await sql<Passage>`
    select c.chunk_id as "chunkId", c.doc_id as "docId", c.version_no as version, d.source, c.title,
      c.heading_path as "headingPath", c.kind, c.question, c.content, c.page, c.metadata
    from knowledge_chunks c join knowledge_documents d using (doc_id)
    where c.chunk_id = any(${[...chunkIds]}::bigint[]) and c.collection = ${collection}`.execute(executor)
  return new Map(rows.map((row) => [row.chunkId, row]))
}

export interface FeatureRow {
  chunkId: number
  docId: string
  features: Uint8Array
  publishedAt: Date
}

const featureColumns = sql`c.chunk_id as "chunkId", c.doc_id as "docId", c.features,
  coalesce(v.published_at, v.created_at) as "publishedAt"
  from knowledge_chunks c join knowledge_versions v using (doc_id, version_no)`

/** Features of a document's chunks in a collection. */
export async function readDocumentFeatures(
  executor: Executor,
  collection: Collection,
  docId: string,
): Promise<FeatureRow[]> {
  const { rows } = await sql<FeatureRow>`select ${featureColumns}
    where c.doc_id = ${docId} and c.collection = ${collection}`.execute(executor)
  return rows
}

/** Features of all chunks of a collection, a page at a time in the order of their ids. */
export async function readFeaturesAfter(
  executor: Executor,
  collection: Collection,
  afterChunkId: number,
  limit: number,
): Promise<FeatureRow[]> {
  const { rows } = await sql<FeatureRow>`select ${featureColumns}
    where c.collection = ${collection} and c.chunk_id > ${afterChunkId} order by c.chunk_id limit ${limit}`.execute(
    executor,
  )
  return rows
}

export async function readFeatures(executor: Executor, chunkIds: readonly number[]): Promise<FeatureRow[]> {
  const { rows } = await sql<FeatureRow>`select ${featureColumns}
    where c.chunk_id = any(${[...chunkIds]}::bigint[])`.execute(executor)
  return rows
}
