import { type RawBuilder, sql } from 'kysely'
import type { Database, Executor } from '../../../../platform/postgres/index.ts'
import type { Collection } from '../../types.ts'
import {
  COLLECTIONS,
  EXPECTED_ROWS,
  INDEX_LOCK_KEY,
  readIdBounds,
  readScored,
  type ScoredChunk,
  scoredAsText,
} from '../queries.ts'

/** Statements of lexical search: its indexes, and what is asked of them. */

/** Makes what lexical search needs of the engine in use, when it is not there. Replicas may start at the same time. */
export async function ensureLexicalIndexes(db: Database): Promise<void> {
  await db.transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(${INDEX_LOCK_KEY}::bigint)`.execute(trx)
    if (db.lexicalEngine === 'full_text') await ensureSearchVector(trx)
    for (const collection of COLLECTIONS) {
      if (db.lexicalEngine === 'pg_textsearch') await ensureBm25(trx, collection)
      else await ensureFullText(trx, collection)
    }
  })
}

/**
 * The terms as they are: to have Postgres parse them again, word by word, took it as long as all else of storing a
 * passage. A column that is made that way makes room.
 */
async function ensureSearchVector(executor: Executor): Promise<void> {
  const { rows } =
    await sql`select 1 from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where d.adrelid = 'knowledge_chunks'::regclass and a.attname = 'search_vector'
      and pg_get_expr(d.adbin, d.adrelid) like 'to_tsvector%'`.execute(executor)
  if (rows.length > 0) await sql`alter table knowledge_chunks drop column search_vector`.execute(executor)
  await sql`alter table knowledge_chunks add column if not exists search_vector tsvector
    generated always as (array_to_tsvector(array_remove(string_to_array(search_text, ' '), ''))) stored`.execute(
    executor,
  )
}

/**
 * The index and the function that asks it. Without the function the planner, which knows little of small and fresh
 * tables, prefers to score every row by itself: 100 ms instead of 1 for 600 chunks. For the same reason the score is
 * the one that the index scan computed, not the operator's, which analyses the row's text anew. Each call is planned
 * anew, because the index reads from the plan how many rows are wanted: of a plan for any number it returns the best
 * thousand, in twice the time.
 */
async function ensureBm25(executor: Executor, collection: Collection): Promise<void> {
  const live = isIn(collection)
  await sql`create index if not exists ${sql.ref(bm25Index(collection))} on knowledge_chunks
    using bm25 (search_text) with (text_config = 'simple') where ${live}`.execute(executor)
  await sql`create or replace function ${sql.ref(bm25Index(collection))}(query text, top integer)
    returns table (chunk_id bigint, score double precision) language sql stable rows ${sql.lit(EXPECTED_ROWS)}
    set enable_sort = off set plan_cache_mode = force_custom_plan as $$
      select c.chunk_id, -bm25_get_current_score() from knowledge_chunks c where c.${live}
      order by c.search_text <@> to_bm25query(query, ${sql.lit(bm25Index(collection))}) limit top $$`.execute(executor)
}

/**
 * The index and the function that asks it. The planner believes that some combinations of words stand in most passages
 * and would read the whole table for the first of them; the index always knows better. A short list of what is not yet
 * in the index's tree is looked through by every search.
 */
async function ensureFullText(executor: Executor, collection: Collection): Promise<void> {
  const name = fullTextIndex(collection)
  await sql`create index if not exists ${sql.ref(name)} on knowledge_chunks using gin (search_vector)
    where ${isIn(collection)}`.execute(executor)
  await sql`alter index ${sql.ref(name)} set (gin_pending_list_limit = ${sql.lit(PENDING_KB)})`.execute(executor)
  await sql`create or replace function ${sql.ref(name)}(queries tsquery[], most integer)
    returns table (chunk_id bigint, terms text) language sql stable rows ${sql.lit(EXPECTED_ROWS)}
    set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_custom_plan as $$
      select c.chunk_id, c.search_text from knowledge_chunks c
      where c.${isIn(collection)} and c.search_vector @@ any(queries) limit most $$`.execute(executor)
}

/** Four times the least that Postgres takes; by default it is 4 MB, the words of five thousand passages. */
const PENDING_KB = 256

/** Index predicates must be literals: the planner matches a partial index at planning time. */
function isIn(collection: Collection): RawBuilder<unknown> {
  return sql`collection = ${sql.lit(collection)}`
}

function bm25Index(collection: Collection): string {
  return `knowledge_chunks_bm25_${collection}`
}

function fullTextIndex(collection: Collection): string {
  return `knowledge_chunks_fts_${collection}`
}

/** As a `tsquery` names a term, whatever is in it. */
export function quoted(term: string): string {
  return `'${term.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
}

/** The chunks that pg_textsearch finds for some terms, best first. */
export async function askBm25(
  executor: Executor,
  collection: Collection,
  terms: readonly string[],
  count: number,
): Promise<ScoredChunk[]> {
  // An empty word is no query to Postgres, but an error.
  const text = terms.filter((term) => term !== '').join(' ')
  if (text === '') return []
  const found = sql`${sql.ref(bm25Index(collection))}(${text}, ${count})`
  const { rows } = await sql<{ found: string }>`select ${scoredAsText(found)} as found`.execute(executor)
  return readScored(rows[0]?.found)
}

/** Chunks that match any of some `tsquery`s, `most` at most and in no order, with their terms joined by blanks. */
export async function matchTerms(
  executor: Executor,
  collection: Collection,
  queries: readonly string[],
  most: number,
): Promise<{ chunkId: number; terms: string }[]> {
  const { rows } = await sql<{ chunkId: number; terms: string }>`select chunk_id as "chunkId", terms
    from ${sql.ref(fullTextIndex(collection))}(${[...queries]}::tsquery[], ${most})`.execute(executor)
  return rows
}

/** Those of some terms that are in any chunk of a collection. */
export async function findHeldTerms(db: Database, collection: Collection, terms: readonly string[]): Promise<string[]> {
  if (terms.length === 0) return []
  const found =
    db.lexicalEngine === 'pg_textsearch'
      ? sql`${sql.ref(bm25Index(collection))}(t.term, 1)`
      : sql`${sql.ref(fullTextIndex(collection))}(array[t.query::tsquery], 1)`
  const { rows } = await sql<{ term: string }>`select t.term
    from unnest(${[...terms]}::text[], ${terms.map(quoted)}::text[]) t(term, query)
    where exists (select 1 from ${found})`.execute(db.executor)
  return rows.map(({ term }) => term)
}

/** Places in the base from which the sample is read: what stands together is about the same. */
const PLACES = 256
const PLACES_AT_ONCE = 32

/** The terms of some chunks of a collection from all over it, joined by blanks; of all, where there are no more. */
export async function* readTermSample(
  executor: Executor,
  collection: Collection,
  count: number,
): AsyncGenerator<string[]> {
  const bounds = await readIdBounds(executor, collection)
  if (!bounds) return
  const { first, last } = bounds
  const step = Math.max(count / PLACES, (last - first + 1) / PLACES)
  const places = Array.from({ length: PLACES }, (_, i) => Math.floor(first + i * step))
  const ends = [...places.slice(1), last + 1]
  for (let at = 0; at < PLACES; at += PLACES_AT_ONCE) {
    const [some, their] = [places, ends].map((each) => each.slice(at, at + PLACES_AT_ONCE))
    const { rows } = await sql<{ terms: string }>`select c.search_text as terms
      from unnest(${some}::bigint[], ${their}::bigint[]) as p(place, end_of)
      cross join lateral (select search_text from knowledge_chunks c where c.${isIn(collection)}
        and c.chunk_id >= p.place and c.chunk_id < p.end_of order by c.chunk_id limit ${Math.ceil(count / PLACES)}) c`.execute(
      executor,
    )
    yield rows.map(({ terms }) => terms)
  }
}
