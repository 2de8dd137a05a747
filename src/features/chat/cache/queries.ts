import { sql } from 'kysely'
import { type Database, type Executor, notify } from '../../../platform/postgres/index.ts'

/** Carries the id of the replica that cleared its cache. */
export const CACHE_CHANNEL = 'reply_cache'

/** Grows with every change of what is searchable; a row of the knowledge base's, read only. */
export async function readKnowledgeRevision(executor: Executor): Promise<number | null> {
  const { rows } = await sql<{ revision: number }>`select revision from knowledge_state`.execute(executor)
  return rows[0]?.revision ?? null
}

export function announceClearing(db: Database, replicaId: string): Promise<void> {
  return notify(db, db.executor, CACHE_CHANNEL, replicaId)
}
