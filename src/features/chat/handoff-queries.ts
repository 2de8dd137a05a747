import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { HandoffSession, SessionMessage } from './handoff-types.ts'
import type { Origin } from './identity.ts'
import type { Channel, StoredMessage } from './types.ts'

/**
 * Statements of the hand-over between assistant and people. Each transition is one UPDATE whose condition is the state
 * that it starts from: of concurrent callers one gets the row, the others get none.
 */

const sessionColumns = sql`session_id as "sessionId", user_id as "userId", channel, agent_status as "agentStatus",
  agent_id as "agentId", priority, turn_count as "turnCount", failed_attempts as "failedAttempts",
  emotion_score as "emotionScore", intent, escalation_card as card, note, created_at as "createdAt",
  called_by_guest(chat_sessions) as "isGuestCall", updated_at as "updatedAt", escalated_at as "escalatedAt", accepted_at as "acceptedAt", resolved_at as "resolvedAt"`

const messageColumns = sql`seq, message_id as "messageId", session_id as "sessionId", role, content, intent, sources,
  details, created_at as "createdAt"`

const byPriority = sql`array_position(array['urgent', 'high', 'medium', 'low'], priority)`

/** The waiting sessions, most pressing first, among equal ones the longest waiting. */
export async function listPending(executor: Executor, limit: number): Promise<HandoffSession[]> {
  const { rows } = await sql<HandoffSession>`select ${sessionColumns} from chat_sessions
    where agent_status = 'pending' order by ${byPriority}, escalated_at, session_id limit ${limit}`.execute(executor)
  return rows
}

export async function findHandoff(executor: Executor, sessionId: string): Promise<HandoffSession | undefined> {
  const { rows } = await sql<HandoffSession>`select ${sessionColumns} from chat_sessions
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]
}

export async function acceptSession(
  executor: Executor,
  sessionId: string,
  agentId: string | null,
): Promise<HandoffSession | undefined> {
  const { rows } = await sql<HandoffSession>`update chat_sessions set agent_status = 'assigned',
      agent_id = ${agentId}, accepted_at = now(), updated_at = now()
    where session_id = ${sessionId} and agent_status = 'pending' returning ${sessionColumns}`.execute(executor)
  return rows[0]
}

/** Locks an assigned session until the transaction ends, so that no message lands behind its resolution. */
export async function touchAssigned(executor: Executor, sessionId: string): Promise<HandoffSession | undefined> {
  const { rows } = await sql<HandoffSession>`update chat_sessions set updated_at = now()
    where session_id = ${sessionId} and agent_status = 'assigned' returning ${sessionColumns}`.execute(executor)
  return rows[0]
}

/** What failed before the person came must not call the next one. */
export async function resolveSession(
  executor: Executor,
  sessionId: string,
  note: string | null,
): Promise<HandoffSession | undefined> {
  const { rows } = await sql<HandoffSession>`update chat_sessions set agent_status = 'resolved', note = ${note},
      failed_attempts = 0, agent_pending = null, resolved_at = now(), updated_at = now()
    where session_id = ${sessionId} and agent_status = 'assigned' returning ${sessionColumns}`.execute(executor)
  return rows[0]
}

/** Gives a session that has waited for at least `waitedSeconds` back to the assistant. */
export async function withdrawSession(
  executor: Executor,
  sessionId: string,
  waitedSeconds: number,
): Promise<HandoffSession | undefined> {
  const { rows } = await sql<HandoffSession>`update chat_sessions set agent_status = null, failed_attempts = 0,
      updated_at = now()
    where session_id = ${sessionId} and agent_status = 'pending'
      and escalated_at <= now() - make_interval(secs => ${waitedSeconds}) returning ${sessionColumns}`.execute(executor)
  return rows[0]
}

/** Waiting sessions that nobody took within `timeoutSeconds`, the longest waiting first. */
export async function listOverdue(executor: Executor, timeoutSeconds: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where agent_status = 'pending' and escalated_at < now() - make_interval(secs => ${timeoutSeconds})
    order by escalated_at limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

export async function findSessionMessage(executor: Executor, messageId: string): Promise<SessionMessage | undefined> {
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages
    where message_id = ${messageId}`.execute(executor)
  return rows[0]
}

/** The latest of a session's messages of one role. */
export async function latestMessage(
  executor: Executor,
  sessionId: string,
  role: StoredMessage['role'],
): Promise<SessionMessage | undefined> {
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages
    where session_id = ${sessionId} and role = ${role} order by seq desc limit 1`.execute(executor)
  return rows[0]
}

/** What the session was told when a person was called last, whatever happened since. */
export async function latestCall(executor: Executor, sessionId: string): Promise<SessionMessage | undefined> {
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages
    where session_id = ${sessionId} and role = 'system' and details->>'event' = 'handoff'
    order by seq desc limit 1`.execute(executor)
  return rows[0]
}

/**
 * What a workspace that saw everything up to `afterSeq` has missed: changes of state, and what customers and people
 * said in sessions that are handed over.
 */
export async function workspaceMessagesAfter(
  executor: Executor,
  afterSeq: number,
  limit: number,
): Promise<SessionMessage[]> {
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages m
    where m.seq > ${afterSeq} and (
      (m.role = 'system' and m.details ? 'event') or (m.role in ('user', 'agent') and exists (
        select from chat_sessions s where s.session_id = m.session_id and s.escalated_at <= m.created_at
          and s.agent_status is not null)))
    order by m.seq limit ${limit}`.execute(executor)
  return rows
}

/** The newest message of all, where a workspace starts that has seen nothing. */
export async function lastMessageSeq(executor: Executor): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0) as seq from chat_messages`.execute(executor)
  return rows[0]?.seq ?? 0
}

export async function readAgentPending(executor: Executor, sessionId: string): Promise<unknown> {
  const { rows } = await sql<{ pending: unknown }>`select agent_pending as pending from chat_sessions
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]?.pending ?? null
}

export async function saveAgentPending(executor: Executor, sessionId: string, pending: object | null): Promise<void> {
  const value = pending ? toJson(pending) : null
  await sql`update chat_sessions set agent_pending = ${value}::jsonb
    where session_id = ${sessionId}`.execute(executor)
}

/** Makes callers who ask for one customer's session follow each other until their transactions end. */
export async function lockCustomer(executor: Executor, channel: Channel, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chat:${channel}:${userId}`}, 0))`.execute(executor)
}

/** The session in which a customer of a channel spoke last; those whom a platform names are others than the shop's. */
export async function findLatestSession(
  executor: Executor,
  { channel, userId, origin }: { channel: Channel; userId: string; origin: Origin },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where channel = ${channel} and user_id = ${userId} and is_native(origin) = is_native(${origin})
    order by updated_at desc, session_id limit 1`.execute(executor)
  return rows[0]?.id
}

/** So far back do we look for what was left unanswered. */
const RECENT_MESSAGES = 50_000

/** Questions that the assistant left unanswered lately, newest first, each once. */
export async function unansweredQuestions(executor: Executor, limit: number): Promise<string[]> {
  const { rows } = await sql<{ question: string }>`
    select question from (
      select distinct on (asked.content) asked.content as question, asked.seq
      from (select session_id, seq from chat_messages
        where seq > (select coalesce(max(seq), 0) - ${RECENT_MESSAGES}::bigint from chat_messages)
          and role = 'assistant' and details->>'confident' = 'false' and intent not in ('chitchat', 'human')
        order by seq desc limit ${limit * 2}) reply
      join lateral (select content, seq from chat_messages m
        where m.session_id = reply.session_id and m.role = 'user' and m.seq < reply.seq
        order by m.seq desc limit 1) asked on true
      order by asked.content, asked.seq desc) latest
    order by seq desc limit ${limit}`.execute(executor)
  return rows.map(({ question }) => question)
}
