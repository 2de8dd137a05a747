import { sql } from 'kysely'
import { type Database, type Executor, notify } from '../../../../platform/postgres/index.ts'
import { KNOWLEDGE_CHANNEL } from '../../queries.ts'
import { dropVectorIndexes } from '../queries.ts'
import type { ChunkText } from '../ranking/chunk-features.ts'

/** Statements on embedding generations and on making stored terms and features anew. */

export interface Generation {
  generation: number
  embedderId: string
  dimensions: number
  status: 'building' | 'serving' | 'retired'
}

const columns = sql`generation, embedder_id as "embedderId", dimensions, status`

export async function listGenerations(executor: Executor): Promise<Generation[]> {
  const { rows } = await sql<Generation>`
    select ${columns} from knowledge_embedding_generations where status <> 'retired' order by generation`.execute(
    executor,
  )
  return rows
}

/**
 * The generation of this embedder: the existing one, or a new one that serves at once when there is none yet and is
 * built beside the serving one otherwise. Replicas that start together agree on one.
 */
export async function claimGeneration(db: Database, embedderId: string, dimensions: number): Promise<Generation> {
  return db.transaction(async (trx) => {
    await sql`lock table knowledge_embedding_generations in share row exclusive mode`.execute(trx)
    const live = await listGenerations(trx)
    const same = live.find((entry) => entry.embedderId === embedderId && entry.dimensions === dimensions)
    if (same) return same
    const status = live.some((entry) => entry.status === 'serving') ? 'building' : 'serving'
    await sql`update knowledge_embedding_generations set status = 'retired' where status = 'building'`.execute(trx)
    const { rows } = await sql<Generation>`insert into knowledge_embedding_generations (embedder_id, dimensions, status)
      values (${embedderId}, ${dimensions}, ${status}) returning ${columns}`.execute(trx)
    return rows[0] as Generation
  })
}

export type ChunkTextRow = ChunkText & { chunkId: number }

const textColumns = sql`chunk_id as "chunkId", title, heading_path as "headingPath", question, content`

/** Chunks that lack a vector of the generation, oldest first. */
export async function chunksWithoutVector(
  executor: Executor,
  generation: number,
  limit: number,
): Promise<ChunkTextRow[]> {
  const { rows } = await sql<ChunkTextRow>`select ${textColumns} from knowledge_chunks c
    where not exists (select 1 from knowledge_embeddings e
      where e.chunk_id = c.chunk_id and e.generation = ${generation})
    order by chunk_id limit ${limit}`.execute(executor)
  return rows
}

export async function countVectors(executor: Executor, generation: number) {
  const { rows } = await sql<{ done: number; total: number }>`select
    (select count(*) from knowledge_embeddings where generation = ${generation}) as done,
    (select count(*) from knowledge_chunks) as total`.execute(executor)
  return rows[0]!
}

/**
 * Makes a complete generation the serving one; the old one's vectors go.
 * @param isStored its vectors are rows: false, and nothing changed, while a chunk lacks its own.
 */
export async function switchGeneration(
  db: Database,
  generation: number,
  { isStored }: { isStored: boolean },
): Promise<boolean> {
  const retired = await db.transaction(async (trx) => {
    await sql`lock table knowledge_embedding_generations in share row exclusive mode`.execute(trx)
    if (isStored && (await chunksWithoutVector(trx, generation, 1)).length > 0) return null
    const { rows } = await sql<{ generation: number }>`update knowledge_embedding_generations set status = 'retired'
      where status = 'serving' and generation <> ${generation} returning generation`.execute(trx)
    await sql`update knowledge_embedding_generations set status = 'serving'
      where generation = ${generation}`.execute(trx)
    await notify(db, trx, KNOWLEDGE_CHANNEL, '')
    return rows
  })
  if (retired === null) return false
  for (const old of retired) {
    await dropVectorIndexes(db.executor, old.generation)
    await sql`delete from knowledge_embeddings where generation = ${old.generation}`.execute(db.executor)
  }
  return true
}

export async function readIndexFingerprint(executor: Executor): Promise<string | null> {
  const { rows } = await sql<{ value: string | null }>`
    select index_fingerprint as value from knowledge_state`.execute(executor)
  return rows[0]?.value ?? null
}

export async function saveIndexFingerprint(executor: Executor, fingerprint: string): Promise<void> {
  await sql`update knowledge_state set index_fingerprint = ${fingerprint}`.execute(executor)
}

export async function readTextsAfter(executor: Executor, chunkId: number, limit: number): Promise<ChunkTextRow[]> {
  const { rows } = await sql<ChunkTextRow>`select ${textColumns} from knowledge_chunks
    where chunk_id > ${chunkId} order by chunk_id limit ${limit}`.execute(executor)
  return rows
}

export async function replaceTerms(
  executor: Executor,
  rows: readonly { chunkId: number; searchText: string; features: Uint8Array }[],
): Promise<void> {
  await sql`update knowledge_chunks c set search_text = t.search_text, features = decode(t.features, 'base64')
    from unnest(${rows.map((row) => row.chunkId)}::bigint[], ${rows.map((row) => row.searchText)}::text[],
      ${rows.map((row) => Buffer.from(row.features).toString('base64'))}::text[]) as t(chunk_id, search_text, features)
    where c.chunk_id = t.chunk_id`.execute(executor)
}

/** The embedder whose vectors are served; undefined before there was any. */
export async function findServedEmbedder(executor: Executor): Promise<Generation | undefined> {
  const { rows } = await sql<Generation>`
    select ${columns} from knowledge_embedding_generations where status = 'serving'`.execute(executor)
  return rows[0]
}

/** Passages whose pairs stand for all pairs. */
const SAMPLE_SIZE = 40

/** Mean and standard deviation of the cosine over pairs of searchable passages; null without two that have content. */
export async function measureSimilarity(
  executor: Executor,
  generation: number,
): Promise<{ mean: number; deviation: number } | null> {
  const { rows } = await sql<{ mean: number | null; deviation: number | null }>`
    with sample as materialized (
      select chunk_id, embedding from knowledge_embeddings
      where generation = ${generation} and collection = 'main' order by hashint8(chunk_id), chunk_id limit ${SAMPLE_SIZE})
    select avg(cosine) as mean, coalesce(stddev_samp(cosine), 0) as deviation from (
      select 1 - (a.embedding <=> b.embedding) as cosine from sample a join sample b on a.chunk_id < b.chunk_id) pairs
    where cosine <> 'NaN'`.execute(executor)
  const { mean = null, deviation = null } = rows[0] ?? {}
  return mean === null || deviation === null ? null : { mean, deviation }
}
