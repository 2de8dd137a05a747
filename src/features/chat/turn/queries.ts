import { sql } from 'kysely'
import type { Intent } from '../../../language/understanding.ts'
import { type Executor, statementOver, toJson } from '../../../platform/postgres/index.ts'
import type { EscalationCard } from '../../handoff/index.ts'
import type {
  AgentStatus,
  ChannelName,
  MessageDetails,
  Origin,
  SessionContext,
  SessionRow,
  Source,
  StoredMessage,
} from '../../sessions/index.ts'

/**
 * The statements of a turn: one begins it and one ends it, or one stores all of it, each for as many turns of different
 * sessions as wait. A value of a result costs the embedded database more than a row of a table, so what goes and comes
 * is one text of JSON.
 */

/** A turn that takes longer than this has lost its process; another replica may go on. */
const TURN_LEASE_SECONDS = 120
/** How many earlier messages a turn gets to see. */
const HISTORY_MESSAGES = 50

export interface TurnStart {
  sessionId: string
  userId: string
  channel: ChannelName
  /** Of the session, where this turn makes it; else whose word `userId` is. */
  origin: Origin
  /** A session whose id we made is its customer's word. */
  trustsMade: boolean
  owner: string
  messageId: string
  content: string
}

/** A turn that has begun: the session as it is now, and its last messages, oldest first, the new one last. */
export interface BegunTurn {
  session: SessionRow
  history: StoredMessage[]
  /** Of a guest: what the session's customer asked of the knowledge base. */
  customersQuestions: readonly string[]
}

type Serialised<T> = { [Key in keyof T]: T[Key] extends Date ? string : T[Key] }
interface BegunRow {
  session: Serialised<SessionRow> & { customersQuestions: string[] | null }
  history: Serialised<StoredMessage>[]
}

/**
 * Makes sessions that are new, takes the turn where nobody has it, and stores what the customers said, for turns of
 * different sessions. A turn that somebody else has, and a session of another user, are missing from the result.
 */
export async function beginTurns(executor: Executor, starts: readonly TurnStart[]): Promise<Map<string, BegunTurn>> {
  const { rows } = await sql<{ begun: string }>`select
    begin_chat_turns(${toJson(starts)}::jsonb, ${TURN_LEASE_SECONDS}, ${HISTORY_MESSAGES}) as begun`.execute(executor)
  const begun = JSON.parse(rows[0]?.begun ?? '[]') as BegunRow[]
  return new Map(begun.map((row) => [row.session.sessionId, toBegun(row)]))
}

function toBegun({ session: { customersQuestions, ...session }, history }: BegunRow): BegunTurn {
  const dates = { createdAt: new Date(session.createdAt), updatedAt: new Date(session.updatedAt) }
  return {
    session: { ...session, ...dates },
    history: history.map((message) => ({ ...message, createdAt: new Date(message.createdAt) })),
    customersQuestions: customersQuestions ?? [],
  }
}

/** The changes of a turn, and its reply; a reply without text is not stored. */
export interface TurnEnd {
  sessionId: string
  isGuest: boolean
  owner: string
  failedAttempts: number
  emotionScore: number
  intent: Intent
  context: SessionContext
  reply: { messageId: string; content: string; sources: readonly Source[]; details: MessageDetails }
}

/** The session after its turn. */
export interface FinishedTurn {
  /** The card is of a call that somebody else made. */
  isOthersCall: boolean
  sessionId: string
  turnCount: number
  failedAttempts: number
  agentStatus: AgentStatus | null
  escalationCard: EscalationCard | null
}

/**
 * Stores what turns of different sessions changed, gives their leases back, and stores their replies, but not where a
 * person has taken the session meanwhile.
 */
export async function endTurns(executor: Executor, ends: readonly TurnEnd[]): Promise<Map<string, FinishedTurn>> {
  const { rows } = await sql<{ ended: string }>`select
    end_chat_turns(turns_not_erased(${toJson(ends)}::jsonb)) as ended`.execute(executor)
  const finished = JSON.parse(rows[0]?.ended ?? '[]') as FinishedTurn[]
  return new Map(finished.map((turn) => [turn.sessionId, turn]))
}

export interface WholeTurn {
  start: TurnStart
  end: TurnEnd
}

/**
 * Stores first turns of new sessions as a whole. The sessions are known to nobody else, so there is no lease to take.
 */
export async function insertTurns(executor: Executor, turns: readonly WholeTurn[]): Promise<void> {
  await insertAll(executor, { rows: turns })
}

/** Messages stand in their order; a reply without text is not stored. */
const insertAll = statementOver<{ rows: readonly WholeTurn[] }>(
  ({ column }) => sql`with turns as (
      select * from unnest(${column('text', ({ start }) => start.sessionId)},
          ${column('text', ({ start }) => start.userId)}, ${column('text', ({ start }) => start.channel)},
          ${column('text', ({ start }) => start.origin)},
          ${column('text', ({ start }) => start.messageId)}, ${column('text', ({ start }) => start.content)},
          ${column('int4', ({ end }) => end.failedAttempts)}, ${column('float8', ({ end }) => end.emotionScore)},
          ${column('text', ({ end }) => end.intent)}, ${column('jsonb', ({ end }) => toJson(end.context))},
          ${column('text', ({ end }) => end.reply.messageId)}, ${column('text', ({ end }) => end.reply.content)},
          ${column('jsonb', ({ end }) => toJson(end.reply.sources))},
          ${column('jsonb', ({ end }) => toJson(end.reply.details))})
        as t(session_id, user_id, channel, origin, message_id, content, failed_attempts, emotion_score, intent, context,
          reply_id, reply, sources, details)
    ), opened as (
      insert into chat_sessions (session_id, user_id, channel, origin, turn_count, failed_attempts, emotion_score, intent, context)
      select session_id, user_id, channel, origin, 1, failed_attempts, emotion_score, intent, context from turns
    )
    insert into chat_messages (session_id, message_id, role, content, intent, sources, details)
    select session_id, said.* from turns, lateral (values
      (message_id, 'user', content, null, null, '{}'),
      (reply_id, 'assistant', reply, intent, sources, details)) as said(message_id, role, content, intent, sources, details)
    where said.role = 'user' or reply <> ''`,
)

export async function releaseTurn(executor: Executor, sessionId: string, owner: string): Promise<void> {
  await sql`update chat_sessions set turn_owner = null, turn_expires_at = null
    where session_id = ${sessionId} and turn_owner = ${owner}`.execute(executor)
}
