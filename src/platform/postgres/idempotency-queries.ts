import { sql } from 'kysely'
import type { IdempotencyStore } from '../../kernel/idempotency.ts'
import type { Database } from './index.ts'

/** The first answer to a key is replayed for this long. */
const KEPT_HOURS = 24
/** A request that has run this long without an answer lost its process; the key may be used again. */
const ABANDONED_SECONDS = 300

/** Remembers the first answer to each key. */
export function createIdempotencyStore(db: Database): IdempotencyStore {
  return {
    async claim(key, fingerprint) {
      await sql`delete from idempotency_keys where key = ${key} and (
          created_at < now() - make_interval(hours => ${KEPT_HOURS})
          or (status is null and created_at < now() - make_interval(secs => ${ABANDONED_SECONDS})))`.execute(
        db.executor,
      )
      const added = await sql`insert into idempotency_keys (key, fingerprint) values (${key}, ${fingerprint})
        on conflict (key) do nothing returning key`.execute(db.executor)
      if (added.rows.length > 0) return { kind: 'fresh' }
      const { rows } = await sql<{ fingerprint: string; status: number | null; contentType: string; body: string }>`
        select fingerprint, status, content_type as "contentType", body from idempotency_keys
        where key = ${key}`.execute(db.executor)
      const [row] = rows
      if (!row) return { kind: 'running' }
      if (row.fingerprint !== fingerprint) return { kind: 'mismatch' }
      if (row.status === null) return { kind: 'running' }
      return { kind: 'replay', answer: { status: row.status, contentType: row.contentType, body: row.body } }
    },

    async complete(key, answer, { sessionId, userId }) {
      await sql`update idempotency_keys set status = ${answer.status}, content_type = ${answer.contentType},
        body = ${answer.body}, session_id = ${sessionId}, user_id = ${userId} where key = ${key}`.execute(db.executor)
    },

    async abandon(key) {
      await sql`delete from idempotency_keys where key = ${key} and status is null`.execute(db.executor)
    },
  }
}
