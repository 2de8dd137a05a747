import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { Counts } from './types.ts'

/** Keeps turns from beginning while a session is removed; it ends by itself if the process dies. */
const HOLD_SECONDS = 120

/** Some of a customer's sessions, those after `after` by id. */
export async function sessionsOf(
  executor: Executor,
  userIds: readonly string[],
  limit: number,
  after = '',
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where user_id = any(${[...userIds]}::text[]) and user_id <> '' and session_id > ${after}
    order by session_id limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

const SETTLED = sql`(agent_status is null or agent_status = 'resolved')`

/** Some sessions that nobody has used since `before`, and that no person has or is to have. */
export async function oldSessions(executor: Executor, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where updated_at < ${before} and ${SETTLED} order by updated_at limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

/**
 * Takes the turn of those sessions that nobody has a turn of, as a message does; those that were taken.
 *
 * @param before null: whatever their age
 */
export async function holdSessions(
  executor: Executor,
  sessionIds: readonly string[],
  owner: string,
  before: Date | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update chat_sessions
    set turn_owner = ${owner}, turn_expires_at = now() + make_interval(secs => ${HOLD_SECONDS})
    where session_id = any(${[...sessionIds]}::text[])
      and (turn_owner is null or turn_owner = ${owner} or turn_expires_at < now())
      and (${before}::timestamptz is null or (updated_at < ${before}::timestamptz and ${SETTLED}))
    returning session_id as id`.execute(executor)
  return rows.map(({ id }) => id)
}

/** From here on nothing that is recorded of these sessions is stored, until they are gone. */
export async function noteRemoval(executor: Executor, sessionIds: readonly string[]): Promise<void> {
  await sql`insert into erased_sessions (session_key, erased_at)
    select erased_session_key(id), 'infinity' from unnest(${[...sessionIds].sort()}::text[]) as s(id)
    on conflict (session_key) do update set erased_at = 'infinity', noted_at = now()`.execute(executor)
}

/** Up to `limit` messages, with their ratings. */
export async function removeMessages(
  executor: Executor,
  sessionIds: readonly string[],
  limit: number,
): Promise<Counts> {
  const { rows } = await sql<{ messages: number; feedback: number }>`with gone as (
      select seq, message_id from chat_messages
      where session_id = any(${[...sessionIds]}::text[]) order by session_id, seq limit ${limit}
    ), feedback as (
      delete from chat_feedback f using gone where f.message_id = gone.message_id returning 1
    ), messages as (
      delete from chat_messages m using gone where m.seq = gone.seq returning 1
    )
    select (select count(*) from messages) as messages, (select count(*) from feedback) as feedback`.execute(executor)
  return { ...rows[0] }
}

/** Makers of something from a session, a ticket say, have finished by now, or find no session. */
export async function lockSessions(trx: Executor, sessionIds: readonly string[]): Promise<void> {
  await sql`select session_id from chat_sessions where session_id = any(${[...sessionIds]}::text[])
    order by session_id for update`.execute(trx)
}

/** Sessions of which nothing else is left. */
export async function removeSessions(trx: Executor, sessionIds: readonly string[]): Promise<Counts> {
  const ids = [...sessionIds]
  const sessions = await count(trx, sql`delete from chat_sessions where session_id = any(${ids}::text[])`)
  await sql`update erased_sessions set erased_at = clock_timestamp()
    where session_key in (select erased_session_key(id) from unnest(${ids}::text[]) as s(id))`.execute(trx)
  return { sessions }
}

export async function removeFromAlerts(trx: Executor, sessionIds: readonly string[]): Promise<Counts> {
  const mentioned = sql`update alerts set details = details - 'session_id'
    where details->>'session_id' = any(${[...sessionIds]}::text[])`
  return { alerts: await count(trx, mentioned) }
}

/** Unpublished answers go; published ones stay as the document that they became, and here without their words. */
export async function removeSolutions(trx: Executor, sessionIds: readonly string[]): Promise<Counts> {
  const isTheirs = sql`session_id = any(${[...sessionIds]}::text[]) and session_id <> ''`
  const unpublished = await count(trx, sql`delete from human_solutions where ${isTheirs} and status <> 'approved'`)
  const published = await count(
    trx,
    sql`update human_solutions set session_id = '', question = '', solution = '', similar_passages = '[]',
      details = '{}', reason = null, masked = '[]', warnings = '[]' where ${isTheirs}`,
  )
  return { solutions: unpublished + published }
}

/** The last to go: by them the other names are known. */
export async function removeLinks(trx: Executor, userIds: readonly string[]): Promise<Counts> {
  const links = sql`delete from channel_links where user_id = any(${[...userIds]}::text[])
    or channel || ':' || channel_user_id = any(${[...userIds]}::text[])`
  return { channel_links: await count(trx, links) }
}

/** Every user id under which the customer is stored: channels' own names begin with the channel's until they are linked. */
export async function identitiesOf(executor: Executor, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select channel || ':' || channel_user_id as id from channel_links
    where user_id = ${userId} order by 1`.execute(executor)
  return [userId, ...rows.map(({ id }) => id)]
}

async function count(trx: Executor, statement: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows = 0n } = await statement.execute(trx)
  return Number(numAffectedRows)
}
