import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { Counts, Removed } from './types.ts'

/**
 * Removal of conversations, some at a time, with all that was made of them. What there may be much of goes first, in
 * batches; the sessions themselves go last, so that nothing is forgotten when a removal is cut off in between.
 */

/** Statements of so many rows are over before anybody waits for one. Traces are large. */
const ROWS = { messages: 500, traces: 100, deliveries: 500, answers: 500 }

/** Keeps turns from beginning while a session is removed; it ends by itself if the process dies. */
const HOLD_SECONDS = 120

/** Some of a customer's sessions. */
export async function sessionsOf(executor: Executor, userIds: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where user_id = any(${[...userIds]}::text[]) and user_id <> '' limit ${limit}`.execute(executor)
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

type Batch = (executor: Executor, sessionIds: readonly string[]) => Promise<Removed>

/** Each removes one batch. */
export const SESSION_BATCHES: readonly Batch[] = [removeTraces, removeMessages, removeDeliveries, removeAnswers]

async function removeTraces(executor: Executor, sessionIds: readonly string[]): Promise<Removed> {
  const { numAffectedRows = 0n } = await sql`delete from traces where ctid = any(array(
    select ctid from traces where session_id = any(${[...sessionIds]}::text[]) limit ${ROWS.traces}))`.execute(executor)
  return removed('traces', numAffectedRows, ROWS.traces)
}

async function removeMessages(executor: Executor, sessionIds: readonly string[]): Promise<Removed> {
  const { rows } = await sql<{ messages: number; feedback: number }>`with gone as (
      select seq, message_id from chat_messages
      where session_id = any(${[...sessionIds]}::text[]) order by session_id, seq limit ${ROWS.messages}
    ), feedback as (
      delete from chat_feedback f using gone where f.message_id = gone.message_id returning 1
    ), messages as (
      delete from chat_messages m using gone where m.seq = gone.seq returning 1
    )
    select (select count(*) from messages) as messages, (select count(*) from feedback) as feedback`.execute(executor)
  const { messages = 0, feedback = 0 } = rows[0] ?? {}
  return { counts: { messages, feedback }, more: messages >= ROWS.messages }
}

async function removeDeliveries(executor: Executor, sessionIds: readonly string[]): Promise<Removed> {
  const { numAffectedRows = 0n } = await sql`delete from gateway_outbox where ctid = any(array(
    select ctid from gateway_outbox where session_id = any(${[...sessionIds]}::text[])
    limit ${ROWS.deliveries}))`.execute(executor)
  return removed('deliveries', numAffectedRows, ROWS.deliveries)
}

async function removeAnswers(executor: Executor, sessionIds: readonly string[]): Promise<Removed> {
  const { numAffectedRows = 0n } = await sql`delete from idempotency_keys where ctid = any(array(
    select ctid from idempotency_keys where session_id = any(${[...sessionIds]}::text[])
    limit ${ROWS.answers}))`.execute(executor)
  return removed('stored_answers', numAffectedRows, ROWS.answers)
}

/**
 * The sessions themselves and what there is little of, in the caller's transaction. They are locked first: whoever makes
 * something of a session, a ticket say, has finished that, or finds no session.
 */
export async function removeSessions(trx: Executor, sessionIds: readonly string[]): Promise<Counts> {
  const ids = [...sessionIds]
  await sql`select session_id from chat_sessions where session_id = any(${ids}::text[])
    order by session_id for update`.execute(trx)
  const tickets = await count(trx, sql`delete from tickets where session_id = any(${ids}::text[])`)
  const addresses = await count(trx, sql`delete from gateway_addresses where session_id = any(${ids}::text[])`)
  const alerts = await count(
    trx,
    sql`update alerts set details = details - 'session_id' where details->>'session_id' = any(${ids}::text[])`,
  )
  const solutions = await removeSolutions(trx, ids)
  // Whatever came since the batches.
  let late: Counts = {}
  for (const batch of SESSION_BATCHES) late = addCounts(late, (await batch(trx, ids)).counts)
  const sessions = await count(trx, sql`delete from chat_sessions where session_id = any(${ids}::text[])`)
  await sql`update erased_sessions set erased_at = clock_timestamp()
    where session_key in (select erased_session_key(id) from unnest(${ids}::text[]) as s(id))`.execute(trx)
  const own = { sessions, tickets, solutions, alerts, channel_addresses: addresses }
  return addCounts(late, own)
}

/** What was not published goes; what was stays as the document that it became, and here without its words. */
async function removeSolutions(trx: Executor, ids: readonly string[]): Promise<number> {
  const unpublished = await count(
    trx,
    sql`delete from human_solutions
      where session_id = any(${[...ids]}::text[]) and session_id <> '' and status <> 'approved'`,
  )
  const published = await count(
    trx,
    sql`update human_solutions set session_id = '', question = '', solution = '', similar_passages = '[]',
        details = '{}', reason = null, masked = '[]', warnings = '[]'
      where session_id = any(${[...ids]}::text[]) and session_id <> ''`,
  )
  return unpublished + published
}

async function count(trx: Executor, statement: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows = 0n } = await statement.execute(trx)
  return Number(numAffectedRows)
}

function removed(kind: keyof Counts, affected: bigint, batch: number): Removed {
  return { counts: { [kind]: Number(affected) }, more: Number(affected) >= batch }
}

function addCounts(a: Counts, b: Counts): Counts {
  const sum: Counts = { ...a }
  for (const [kind, n] of Object.entries(b) as [keyof Counts, number][]) sum[kind] = (sum[kind] ?? 0) + n
  return sum
}
