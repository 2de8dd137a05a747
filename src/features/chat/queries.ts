import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Origin } from './identity.ts'
import type { AgentStatus, Channel, HandoffCard, MessageDetails, Source, StoredMessage } from './types.ts'
import type { Intent } from './understanding/types.ts'

const messageColumns = sql`seq, message_id as "messageId", role, content, intent, sources, details, created_at as "createdAt"`

/** Makes a session under an id that nobody has. */
export async function openSession(
  executor: Executor,
  session: { sessionId: string; userId: string; channel: Channel; origin: Origin },
): Promise<void> {
  await sql`insert into chat_sessions (session_id, user_id, channel, origin)
    values (${session.sessionId}, ${session.userId}, ${session.channel}, ${session.origin})`.execute(executor)
}

/** A session as it shows itself to somebody who is not in the middle of a turn. */
export interface SeenSession {
  sessionId: string
  agentStatus: AgentStatus | null
  /** As whom the session would be used: its customer, somebody who may be anyone, or another customer. */
  voice: 'own' | 'guest' | 'other'
}

/** @param speaker.trustsMade a session whose id we made is its customer's word */
export async function findSession(
  executor: Executor,
  sessionId: string,
  speaker: { userId: string; origin: Origin; trustsMade: boolean },
): Promise<SeenSession | undefined> {
  const { userId, origin, trustsMade } = speaker
  const { rows } = await sql<SeenSession>`select session_id as "sessionId", agent_status as "agentStatus",
      voice_in(user_id, origin, ${userId}, ${origin}, ${trustsMade}) as voice
    from chat_sessions where session_id = ${sessionId}`.execute(executor)
  return rows[0]
}

/** Makes the session wait for a person; false when it waits already or a person has it. */
export async function requestHandoff(executor: Executor, sessionId: string, card: HandoffCard): Promise<boolean> {
  const { rows } = await sql`update chat_sessions set agent_status = 'pending', agent_id = null, note = null,
      priority = ${card.priority}, escalation_card = ${toJson(card)}::jsonb, escalated_at = now(), accepted_at = null,
      resolved_at = null
    where session_id = ${sessionId} and (agent_status is null or agent_status = 'resolved')
    returning session_id`.execute(executor)
  return rows.length > 0
}

export async function releaseTurn(executor: Executor, sessionId: string, owner: string): Promise<void> {
  await sql`update chat_sessions set turn_owner = null, turn_expires_at = null
    where session_id = ${sessionId} and turn_owner = ${owner}`.execute(executor)
}

export interface NewMessage {
  messageId: string
  sessionId: string
  role: StoredMessage['role']
  content: string
  intent?: Intent
  sources?: readonly Source[]
  details?: MessageDetails
}

export async function insertMessage(executor: Executor, message: NewMessage): Promise<StoredMessage> {
  const sources = message.sources ? toJson(message.sources) : null
  const { rows } = await sql<StoredMessage>`
    insert into chat_messages (message_id, session_id, role, content, intent, sources, details)
    values (${message.messageId}, ${message.sessionId}, ${message.role}, ${message.content},
      ${message.intent ?? null}, ${sources}::jsonb, ${toJson(message.details ?? {})}::jsonb)
    returning ${messageColumns}`.execute(executor)
  return rows[0] as StoredMessage
}

/** What one may read of a session: what was said by and to its customer, or to guests; null: everything. */
export type Readable = 'own' | 'guest' | null

const readableBy = (reader: Readable) =>
  reader === null ? sql`true` : sql`(details ? 'guest') = ${reader === 'guest'}`

/** Messages after one, oldest first; `afterSeq` 0 starts at the beginning. */
export async function messagesAfter(
  executor: Executor,
  session: { sessionId: string; readable: Readable },
  afterSeq: number,
  limit: number,
): Promise<StoredMessage[]> {
  const { rows } = await sql<StoredMessage>`select ${messageColumns} from chat_messages
    where session_id = ${session.sessionId} and seq > ${afterSeq} and ${readableBy(session.readable)}
    order by seq limit ${limit}`.execute(executor)
  return rows
}

/** Where a message stands in its session; null when the session has no such message. */
export async function findMessage(
  executor: Executor,
  session: { sessionId: string; readable: Readable },
  messageId: string,
): Promise<StoredMessage | null> {
  const { rows } = await sql<StoredMessage>`select ${messageColumns} from chat_messages
    where session_id = ${session.sessionId} and message_id = ${messageId}
      and ${readableBy(session.readable)}`.execute(executor)
  return rows[0] ?? null
}

export async function lastSeq(executor: Executor, sessionId: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0) as seq from chat_messages
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]?.seq ?? 0
}

/** The last rating of a message counts. */
export async function saveFeedback(
  executor: Executor,
  feedback: { messageId: string; sessionId: string; rating: 'up' | 'down'; comment: string | null },
): Promise<void> {
  await sql`insert into chat_feedback (message_id, session_id, rating, comment)
    values (${feedback.messageId}, ${feedback.sessionId}, ${feedback.rating}, ${feedback.comment})
    on conflict (message_id) do update set rating = excluded.rating, comment = excluded.comment,
      created_at = now()`.execute(executor)
}
