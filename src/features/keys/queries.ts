import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'

/** Replicas may come in any order: the latest use stays. */
export async function saveUse(executor: Executor, keyId: string, at: Date): Promise<void> {
  await sql`insert into api_key_uses (key_id, last_used_at) values (${keyId}, ${at})
    on conflict (key_id) do update set last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at)`.execute(
    executor,
  )
}

export async function listUses(executor: Executor): Promise<{ keyId: string; lastUsedAt: Date }[]> {
  const { rows } = await sql<{ keyId: string; lastUsedAt: Date }>`
    select key_id as "keyId", last_used_at as "lastUsedAt" from api_key_uses`.execute(executor)
  return rows
}
