import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Origin } from './identity.ts'
import type { ChannelName, Contact } from './types.ts'

/** Makes the session where there is none: somebody may send a file before a word. */
export async function ensureSession(
  executor: Executor,
  { sessionId, userId, channel, origin }: { sessionId: string; userId: string; channel: ChannelName; origin: Origin },
): Promise<void> {
  await sql`insert into chat_sessions (session_id, user_id, channel, origin)
    values (${sessionId}, ${userId}, ${channel}, ${origin}) on conflict (session_id) do nothing`.execute(executor)
}

/**
 * A conversation of nobody becomes that of a customer who is named for certain, with all that was said: it was the same
 * browser. Nothing happens where it is somebody's already, or has not begun.
 */
export async function adoptSession(executor: Executor, sessionId: string, userId: string): Promise<void> {
  await sql`update chat_sessions set user_id = ${userId}, adopted_at = now(), updated_at = now()
    where session_id = ${sessionId} and user_id = ''`.execute(executor)
}

/** Facts that are not given stay as they were. */
export async function saveContact(executor: Executor, sessionId: string, contact: Partial<Contact>): Promise<void> {
  await sql`update chat_sessions set contact = coalesce(contact, '{}') || jsonb_strip_nulls(${toJson(contact)}::jsonb)
    where session_id = ${sessionId}`.execute(executor)
}

/** Ratings of replies in a session, by their messages. */
export async function feedbackIn(executor: Executor, sessionId: string): Promise<Map<string, 'up' | 'down'>> {
  const { rows } = await sql<{ messageId: string; rating: 'up' | 'down' }>`select message_id as "messageId", rating
    from chat_feedback where session_id = ${sessionId}`.execute(executor)
  return new Map(rows.map(({ messageId, rating }) => [messageId, rating]))
}
