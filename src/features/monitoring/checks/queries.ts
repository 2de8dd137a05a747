import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'

export { findDamage, migrationStatus, ping } from '../../../platform/postgres/index.ts'

export async function hasVectorExtension(executor: Executor): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'vector'`.execute(executor)
  return rows.length > 0
}

/** Whether there is a chunk that can be found. */
export async function hasChunks(executor: Executor): Promise<boolean> {
  const { rows } = await sql`select 1 from knowledge_chunks where collection = 'main' limit 1`.execute(executor)
  return rows.length > 0
}

/**
 * Lengths of a model's vectors that are served, and how many chunks have none.
 * @param builtIn beginning of the ids of embedders whose vectors are not stored
 */
export async function readVectorState(
  executor: Executor,
  builtIn: string,
): Promise<{ dimensions: number[]; missing: number }> {
  const { rows } = await sql<{ dimensions: number[]; missing: number }>`with serving as (
      select generation from knowledge_embedding_generations
      where status = 'serving' and not starts_with(embedder_id, ${builtIn})
    )
    select coalesce((select array_agg(distinct vector_dims(embedding)) from knowledge_embeddings
        where collection = 'main' and generation in (select generation from serving)), '{}') as dimensions,
      (select count(*) from knowledge_chunks c where collection = 'main' and exists (select 1 from serving) and not exists (
        select 1 from knowledge_embeddings e where e.chunk_id = c.chunk_id
          and e.generation in (select generation from serving))) as missing`.execute(executor)
  return rows[0] as { dimensions: number[]; missing: number }
}
