import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Executor } from './database.ts'

/** A random text that all replicas share from the first who asks for it. */
export async function readSharedSecret(executor: Executor, name: string): Promise<string> {
  await sql`insert into shared_secrets (name, secret) values (${name}, ${randomBytes(32).toString('base64url')})
    on conflict (name) do nothing`.execute(executor)
  const { rows } = await sql<{ secret: string }>`select secret from shared_secrets where name = ${name}`.execute(
    executor,
  )
  return rows[0]?.secret ?? ''
}
