import { sql } from 'kysely'
import { type Database, type Executor, notify, readSharedSecret, toJson } from '../../platform/postgres/index.ts'
import type { Counts, Erasure } from './types.ts'

/** Records of erasures: each is noted before anything goes, so that one that is cut off goes on. */

/** Says to every replica that a customer was erased: what it remembers of conversations goes. */
export const ERASED_CHANNEL = 'customer_erased'

const LEASE_SECONDS = 60

const columns = sql`erasure_id as "erasureId", subject, user_id as "userId", erases_records as "erasesRecords", caller,
  state, counts, started_at as "startedAt", finished_at as "finishedAt"`

/**
 * The secret that digests of customers are made with: without it, whoever reads the records could try user ids until
 * one fits.
 */
export const readSecret = (executor: Executor): Promise<string> => readSharedSecret(executor, 'erasures')

export async function insertErasure(
  executor: Executor,
  erasure: Pick<Erasure, 'erasureId' | 'subject' | 'userId' | 'erasesRecords' | 'caller'> & { owner: string },
): Promise<Erasure> {
  const { rows } = await sql<Erasure>`insert into customer_erasures (erasure_id, subject, user_id, erases_records,
      caller, state, owner, lease_expires_at)
    values (${erasure.erasureId}, ${erasure.subject}, ${erasure.userId}, ${erasure.erasesRecords}, ${erasure.caller},
      'started', ${erasure.owner}, now() + make_interval(secs => ${LEASE_SECONDS}))
    returning ${columns}`.execute(executor)
  return rows[0] as Erasure
}

/** Takes the oldest erasure whose process is gone; `isAlone`: no other process can be working on one. */
export async function claimAbandoned(
  executor: Executor,
  owner: string,
  own: readonly string[],
  isAlone: boolean,
): Promise<Erasure | undefined> {
  const { rows } = await sql<Erasure>`update customer_erasures set owner = ${owner},
      lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where erasure_id = (select erasure_id from customer_erasures
      where state = 'started' and (lease_expires_at < now() or ${isAlone}) and erasure_id <> all(${[...own]}::text[])
      order by started_at limit 1 for update skip locked)
    returning ${columns}`.execute(executor)
  return rows[0]
}

/** Adds to what was erased, in the transaction that erases it; false when another process has taken over. */
export async function noteErased(
  trx: Executor,
  { erasureId, owner }: { erasureId: string; owner: string },
  counts: Counts,
): Promise<boolean> {
  const { rows } = await sql`update customer_erasures set
      counts = counts || (select coalesce(jsonb_object_agg(key, coalesce((counts->>key)::bigint, 0) + value::bigint), '{}')
        from jsonb_each_text(${toJson(counts)}::jsonb)),
      lease_expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where erasure_id = ${erasureId} and owner = ${owner} and state = 'started' returning erasure_id`.execute(trx)
  return rows.length > 0
}

/** Forgets who it was about. */
export async function finishErasure(
  executor: Executor,
  { erasureId, owner }: { erasureId: string; owner: string },
): Promise<Erasure | undefined> {
  const { rows } = await sql<Erasure>`update customer_erasures set state = 'finished', user_id = null, owner = null,
      lease_expires_at = null, finished_at = clock_timestamp()
    where erasure_id = ${erasureId} and owner = ${owner} returning ${columns}`.execute(executor)
  return rows[0]
}

/** Newest first. */
export async function listErasures(
  executor: Executor,
  { limit, offset, subject }: { limit: number; offset: number; subject: string | null },
): Promise<{ items: Erasure[]; total: number }> {
  const matches = sql`(${subject}::text is null or subject = ${subject})`
  const { rows } = await sql<Erasure>`select ${columns} from customer_erasures where ${matches}
    order by started_at desc, erasure_id desc limit ${limit} offset ${offset}`.execute(executor)
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total from customer_erasures
    where ${matches}`.execute(executor)
  return { items: rows, total: counted[0]?.total ?? 0 }
}

export function announceErasure(db: Database): Promise<void> {
  return notify(db, db.executor, ERASED_CHANNEL, '')
}
