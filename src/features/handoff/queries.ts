import { type RawBuilder, sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { EscalationCard } from './card.ts'
import type { HandoffSession } from './types.ts'

/**
 * Statements of the hand-over between assistant and people. Each transition is one UPDATE whose condition is the state
 * that it starts from: of concurrent callers one gets the row, the others get none.
 */

const sessionColumns = sql`session_id as "sessionId", user_id as "userId", channel, agent_status as "agentStatus",
  agent_id as "agentId", priority, turn_count as "turnCount", failed_attempts as "failedAttempts",
  emotion_score as "emotionScore", intent, escalation_card as card, note, agent_pending as "agentPending",
  called_by_guest(chat_sessions) as "isGuestCall", created_at as "createdAt", updated_at as "updatedAt",
  contact, escalated_at as "escalatedAt", accepted_at as "acceptedAt", resolved_at as "resolvedAt"`

const byPriority = sql`array_position(array['urgent', 'high', 'medium', 'low'], priority)`

/** The waiting sessions, most pressing first, among equal ones the longest waiting. */
export async function listPending(executor: Executor, limit: number): Promise<HandoffSession[]> {
  const { rows } = await sql<HandoffSession>`select ${sessionColumns} from chat_sessions
    where agent_status = 'pending' order by ${byPriority}, escalated_at, session_id limit ${limit}`.execute(executor)
  return rows
}

/** The place of a waiting session among those that wait, from 1; null: it does not wait. */
export async function placeInQueue(executor: Executor, sessionId: string): Promise<number | null> {
  const { rows } = await sql<{ place: number }>`select place::integer from (
      select session_id, row_number() over (order by ${byPriority}, escalated_at, session_id) as place
      from chat_sessions where agent_status = 'pending') waiting
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]?.place ?? null
}

export async function findHandoff(executor: Executor, sessionId: string): Promise<HandoffSession | undefined> {
  const { rows } = await sql<HandoffSession>`select ${sessionColumns} from chat_sessions
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]
}

/** Undefined: the session is not in the state that the change starts from. */
async function transition(
  executor: Executor,
  sessionId: string,
  from: 'pending' | 'assigned',
  changes: RawBuilder<unknown>,
  condition = sql`true`,
): Promise<HandoffSession | undefined> {
  const { rows } = await sql<HandoffSession>`update chat_sessions set ${changes}, updated_at = now()
    where session_id = ${sessionId} and agent_status = ${from} and ${condition} returning ${sessionColumns}`.execute(
    executor,
  )
  return rows[0]
}

/** Sessions that one person has; null: whoever has them. */
const ownedBy = (owner: string | null) => (owner === null ? sql`true` : sql`agent_id = ${owner}`)

export const acceptSession = (executor: Executor, sessionId: string, agentId: string | null) =>
  transition(executor, sessionId, 'pending', sql`agent_status = 'assigned', agent_id = ${agentId}, accepted_at = now()`)

/** Locks an assigned session until the transaction ends, so that no message lands behind its resolution. */
export const touchAssigned = (executor: Executor, sessionId: string, owner: string | null = null) =>
  transition(executor, sessionId, 'assigned', sql`agent_status = 'assigned'`, ownedBy(owner))

/** Failures from before the person came must not call the next one. */
export const resolveSession = (
  executor: Executor,
  sessionId: string,
  note: string | null,
  owner: string | null = null,
) =>
  transition(
    executor,
    sessionId,
    'assigned',
    sql`agent_status = 'resolved', note = ${note}, failed_attempts = 0, agent_pending = null, resolved_at = now()`,
    ownedBy(owner),
  )

/** Gives a session that has waited for at least `waitedSeconds` back to the assistant. */
/** @param openSince nobody waits before, as nobody is there */
export const withdrawSession = (
  executor: Executor,
  sessionId: string,
  waitedSeconds: number,
  openSince = new Date(0),
) =>
  transition(
    executor,
    sessionId,
    'pending',
    sql`agent_status = null, failed_attempts = 0`,
    sql`greatest(escalated_at, ${openSince}) <= now() - make_interval(secs => ${waitedSeconds})`,
  )

/** Waiting sessions that nobody took within `timeoutSeconds`, the longest waiting first. */
export async function listOverdue(
  executor: Executor,
  timeoutSeconds: number,
  limit: number,
  openSince: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where agent_status = 'pending' and greatest(escalated_at, ${openSince}) < now() - make_interval(secs => ${timeoutSeconds})
    order by escalated_at limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

export async function saveAgentPending(executor: Executor, sessionId: string, pending: object | null): Promise<void> {
  const value = pending ? toJson(pending) : null
  await sql`update chat_sessions set agent_pending = ${value}::jsonb
    where session_id = ${sessionId}`.execute(executor)
}

/** Makes the session wait for a person; false when it waits already or a person has it. */
export async function requestHandoff(executor: Executor, sessionId: string, card: EscalationCard): Promise<boolean> {
  const { rows } = await sql`update chat_sessions set agent_status = 'pending', agent_id = null, note = null,
      priority = ${card.priority}, escalation_card = ${toJson(card)}::jsonb, escalated_at = now(), accepted_at = null,
      resolved_at = null
    where session_id = ${sessionId} and (agent_status is null or agent_status = 'resolved')
    returning session_id`.execute(executor)
  return rows.length > 0
}

/**
 * Gives a session to a person: one that waits, keeping its card, or one that no person has, with the card that is given.
 * Undefined: somebody else has it.
 *
 * @param taking.from also one that this other person has; empty: whom nobody named
 */
export async function takeSession(
  executor: Executor,
  sessionId: string,
  taking: { agentId: string | null; card: EscalationCard | null; from: string | null },
): Promise<HandoffSession | undefined> {
  const { agentId, card, from } = taking
  const isOpen = sql`(agent_status is null or agent_status = 'resolved')`
  const { rows } = await sql<HandoffSession>`update chat_sessions set agent_status = 'assigned', agent_id = ${agentId},
      accepted_at = now(), resolved_at = null, note = null, agent_pending = null, updated_at = now(),
      escalated_at = case when ${isOpen} then now() else escalated_at end,
      priority = case when ${isOpen} then ${card?.priority ?? null} else priority end,
      escalation_card = case when ${isOpen} then ${card && toJson(card)}::jsonb else escalation_card end
    where session_id = ${sessionId} and (agent_status is distinct from 'assigned'
      or ${from === null ? sql`false` : sql`agent_id is not distinct from ${from === '' ? null : from}`})
    returning ${sessionColumns}`.execute(executor)
  return rows[0]
}

/** @param from who must have it until then */
export const transferSession = (executor: Executor, sessionId: string, from: string | null, to: string) =>
  transition(
    executor,
    sessionId,
    'assigned',
    sql`agent_id = ${to}, accepted_at = now(), agent_pending = null`,
    sql`agent_id is not distinct from ${from}`,
  )

/** Back to those who wait, before those whom nobody has served yet. */
export const releaseSession = (executor: Executor, sessionId: string, from: string | null) =>
  transition(
    executor,
    sessionId,
    'assigned',
    sql`agent_status = 'pending', agent_id = null, accepted_at = null, escalated_at = now(), agent_pending = null,
      priority = case when priority = 'urgent' then 'urgent' else 'high' end`,
    sql`agent_id is not distinct from ${from}`,
  )

/** Back to the assistant, unresolved. */
export const handBackSession = (executor: Executor, sessionId: string, from: string | null) =>
  transition(
    executor,
    sessionId,
    'assigned',
    sql`agent_status = null, agent_id = null, failed_attempts = 0, agent_pending = null`,
    sql`agent_id is not distinct from ${from}`,
  )

/**
 * Assigned sessions whose customer has waited for an answer for `idleMinutes`, in which their person neither wrote nor took
 * the session; the longest idle first.
 *
 * @param sessionId this one alone
 */
export async function listIdle(
  executor: Executor,
  idleMinutes: number,
  limit: number,
  sessionId?: string,
): Promise<{ sessionId: string; agentId: string | null }[]> {
  const { rows } = await sql<{ sessionId: string; agentId: string | null }>`
    select s.session_id as "sessionId", s.agent_id as "agentId" from chat_sessions s
    cross join lateral (select coalesce(max(seq), 0) as seq, greatest(max(created_at), s.accepted_at) as at
      from chat_messages m where m.session_id = s.session_id and m.role = 'agent') answered
    cross join lateral (select min(created_at) as since from chat_messages m
      where m.session_id = s.session_id and m.role = 'user' and m.seq > answered.seq) waiting
    where s.agent_status = 'assigned' and ${sessionId === undefined ? sql`true` : sql`s.session_id = ${sessionId}`}
      and waiting.since < now() - make_interval(mins => ${idleMinutes})
      and answered.at < now() - make_interval(mins => ${idleMinutes})
    order by answered.at limit ${limit}`.execute(executor)
  return rows
}
