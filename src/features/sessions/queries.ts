import { type RawBuilder, sql } from 'kysely'
import type { Intent } from '../../language/understanding.ts'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Origin } from './identity.ts'
import type { AgentStatus, ChannelName, MessageDetails, SessionMessage, Source, StoredMessage } from './types.ts'

const messageColumns = sql`seq, desk_seq as "deskSeq", message_id as "messageId", session_id as "sessionId", role, content, intent, sources,
  details, created_at as "createdAt"`

/** Makes a session under an id that nobody has. */
export async function openSession(
  executor: Executor,
  session: { sessionId: string; userId: string; channel: ChannelName; origin: Origin },
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

/** The part of a session that one may read: what was said by and to its customer, or to guests; null: everything. */
export type Readable = 'own' | 'guest' | null

const readableBy = (reader: Readable) =>
  reader === null ? sql`true` : sql`(details ? 'guest') = ${reader === 'guest'}`

/** Messages after one, oldest first; `afterSeq` 0 starts at the beginning. */
export async function messagesAfter(
  executor: Executor,
  session: { sessionId: string; readable: Readable },
  afterSeq: number,
  limit: number,
): Promise<SessionMessage[]> {
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages
    where session_id = ${session.sessionId} and seq > ${afterSeq} and ${readableBy(session.readable)}
    order by seq limit ${limit}`.execute(executor)
  return rows
}

const PAGE_MESSAGES = 500

/** Everything that was said in a session, oldest first, however long ago. */
export async function allMessages(executor: Executor, sessionId: string): Promise<SessionMessage[]> {
  const all: SessionMessage[] = []
  for (;;) {
    const page = await messagesAfter(executor, { sessionId, readable: null }, all.at(-1)?.seq ?? 0, PAGE_MESSAGES)
    for (const message of page) all.push(message)
    if (page.length < PAGE_MESSAGES) return all
  }
}

/** @param session where the message must stand; default: in any */
export async function findMessage(
  executor: Executor,
  messageId: string,
  session: { sessionId?: string; readable: Readable } = { readable: null },
): Promise<SessionMessage | undefined> {
  const { sessionId, readable } = session
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages
    where message_id = ${messageId} and ${sessionId === undefined ? sql`true` : sql`session_id = ${sessionId}`}
      and ${readableBy(readable)}`.execute(executor)
  return rows[0]
}

/** The latest of a session's messages of one role; `event`: of those that tell of it. */
export async function latestMessage(
  executor: Executor,
  sessionId: string,
  role: StoredMessage['role'],
  event?: string,
): Promise<SessionMessage | undefined> {
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages
    where session_id = ${sessionId} and role = ${role}
      and ${event === undefined ? sql`true` : sql`details->>'event' = ${event}`}
    order by seq desc limit 1`.execute(executor)
  return rows[0]
}

/** The number of the newest message of a session. */
export async function lastSeq(executor: Executor, sessionId: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0) as seq from chat_messages
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]?.seq ?? 0
}

/** The number of the newest message of all. */
export async function lastMessageSeq(executor: Executor): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0) as seq from chat_messages`.execute(executor)
  return rows[0]?.seq ?? 0
}

const MAX_ACTIVITY = 500

/** The latest messages of conversations that the desk is not told of, one for each, in order. */
export async function activityAfter(executor: Executor, afterSeq: number): Promise<SessionMessage[]> {
  const { rows } = await sql<SessionMessage>`select * from (
      select distinct on (session_id) ${messageColumns} from chat_messages
      where seq > ${afterSeq} and role in ('user', 'assistant') and desk_seq is null order by session_id, seq desc) latest
    order by seq limit ${MAX_ACTIVITY}`.execute(executor)
  return rows
}

/** Makes a message one that people at the desk are told of, after all that they were told of before, until the transaction ends. */
export async function tellDesk(executor: Executor, messageId: string): Promise<void> {
  await sql`select tell_desk(array[${messageId}::text])`.execute(executor)
}

/** The number of the newest message that the desk was told of. */
export async function lastDeskSeq(executor: Executor): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(desk_seq), 0) as seq from chat_messages
    where desk_seq is not null`.execute(executor)
  return rows[0]?.seq ?? 0
}

/** Messages that a desk which was told of everything up to a number has missed, in order. */
export async function deskMessagesAfter(
  executor: Executor,
  afterDeskSeq: number,
  limit: number,
): Promise<SessionMessage[]> {
  const { rows } = await sql<SessionMessage>`select ${messageColumns} from chat_messages
    where desk_seq > ${afterDeskSeq} order by desk_seq limit ${limit}`.execute(executor)
  return rows
}

/** Who a session was with, and what was said by them. */
export interface Conversation {
  userId: string
  said: string[]
}

/** The session, and those of the messages; sessions that are not ours are left out. */
export async function listConversations(
  executor: Executor,
  { sessionId, messageIds }: { sessionId: string; messageIds: readonly string[] },
): Promise<Conversation[]> {
  const { rows } = await sql<Conversation>`select s.user_id as "userId",
      array(select m.content from chat_messages m where m.session_id = s.session_id and m.role = 'user' order by m.seq)
        as said
    from chat_sessions s where s.session_id = ${sessionId} or s.session_id in (
      select session_id from chat_messages where message_id = any(${[...messageIds]}::text[]))`.execute(executor)
  return rows
}

/** So far back do we look for what was left unanswered. */
const RECENT_MESSAGES = 50_000

/** Questions that the assistant left unanswered lately, newest first, each once. */
export function unansweredQuestions(executor: Executor, limit: number): Promise<string[]> {
  return latestQuestions(executor, limit, sql`and details->>'confident' = 'false'`)
}

/** Questions that customers asked lately, newest first, each once. */
export function recentQuestions(executor: Executor, limit: number): Promise<string[]> {
  return latestQuestions(executor, limit, sql``)
}

async function latestQuestions(executor: Executor, limit: number, those: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ question: string }>`
    select question from (
      select distinct on (asked.content) asked.content as question, asked.seq
      from (select session_id, seq from chat_messages
        where seq > (select coalesce(max(seq), 0) - ${RECENT_MESSAGES}::bigint from chat_messages)
          and role = 'assistant' ${those} and intent not in ('chitchat', 'human')
        order by seq desc limit ${limit * 2}) reply
      join lateral (select content, seq from chat_messages m
        where m.session_id = reply.session_id and m.role = 'user' and m.seq < reply.seq
        order by m.seq desc limit 1) asked on true
      order by asked.content, asked.seq desc) latest
    order by seq desc limit ${limit}`.execute(executor)
  return rows.map(({ question }) => question)
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

/** The session in which a customer of a channel spoke last; those whom a platform names are others than the shop's. */
export async function findLatestSession(
  executor: Executor,
  { channel, userId, origin }: { channel: ChannelName; userId: string; origin: Origin },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where channel = ${channel} and user_id = ${userId} and is_native(origin) = is_native(${origin})
    order by updated_at desc, session_id limit 1`.execute(executor)
  return rows[0]?.id
}

/** Makes callers who ask for one customer's session follow each other until their transactions end. */
export async function lockCustomer(executor: Executor, channel: ChannelName, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chat:${channel}:${userId}`}, 0))`.execute(executor)
}

/** A reply that did not settle its question, or was rated, with that question. */
export interface DoubtfulReply {
  messageId: string
  seq: number
  sessionId: string
  question: string
  sources: Source[]
  askedAt: Date
  /** Null: nobody rated it; `unsure` replies are doubtful by themselves. */
  rating: 'up' | 'down' | null
  isUnsure: boolean
  ratedAt: Date | null
}

const doubtful = sql`r.message_id as "messageId", r.seq::float8 as seq, r.session_id as "sessionId", asked.content as question,
  coalesce(r.sources, '[]') as sources, asked.created_at as "askedAt", coalesce(r.details->>'confident' = 'false', false)
    as "isUnsure"`
const askedBefore = sql`join lateral (select content, created_at from chat_messages m
  where m.session_id = r.session_id and m.role = 'user' and m.seq < r.seq order by m.seq desc limit 1) asked on true`

/** The place of the newest message there is; 0: there is none. */
export async function newestSeq(executor: Executor): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0)::float8 as seq from chat_messages`.execute(
    executor,
  )
  return rows[0]?.seq ?? 0
}

/** Replies behind the place `after` that did not settle their question, in order; of many only the newest are read. */
export async function unsureReplies(executor: Executor, after: number, limit: number): Promise<DoubtfulReply[]> {
  const { rows } = await sql<DoubtfulReply>`select ${doubtful}, null as rating, null as "ratedAt" from (
      select * from chat_messages where seq > ${after}
        and seq > (select coalesce(max(seq), 0) - ${RECENT_MESSAGES}::bigint from chat_messages)
        and role = 'assistant' and details->>'confident' = 'false' and intent not in ('chitchat', 'human')
      order by seq limit ${limit}) r ${askedBefore} order by r.seq`.execute(executor)
  return rows
}

/** Replies that were rated from then on, in the order of their ratings. */
export async function ratedReplies(executor: Executor, from: Date | null, limit: number): Promise<DoubtfulReply[]> {
  const { rows } = await sql<DoubtfulReply>`select ${doubtful}, f.rating, f.created_at as "ratedAt" from (
      select * from chat_feedback where ${from}::timestamptz is null or created_at >= ${from}
      order by created_at ${from === null ? sql`desc` : sql``} limit ${limit}) f
    join chat_messages r on r.message_id = f.message_id ${askedBefore} order by f.created_at`.execute(executor)
  return rows
}
