import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Place } from './mailbox.ts'

export { claimTask } from '../../../platform/postgres/index.ts'

const digestOf = (id: string): string => createHash('sha256').update(id).digest('hex')

export async function findPlace(executor: Executor, folder: string): Promise<Place | undefined> {
  const { rows } = await sql<Place>`select uid_validity as "uidValidity", last_uid as "lastUid" from mail_folders
    where folder = ${folder}`.execute(executor)
  return rows[0]
}

export async function savePlace(executor: Executor, folder: string, { uidValidity, lastUid }: Place): Promise<void> {
  await sql`insert into mail_folders as f (folder, uid_validity, last_uid) values (${folder}, ${uidValidity}, ${lastUid})
    on conflict (folder) do update set uid_validity = excluded.uid_validity,
      last_uid = case when f.uid_validity = excluded.uid_validity then greatest(f.last_uid, excluded.last_uid)
        else excluded.last_uid end`.execute(executor)
}

/** @param message.id without angle brackets */
export async function rememberMail(
  executor: Executor,
  message: { id: string; sessionId: string; sentMessageId: string | null },
): Promise<void> {
  await sql`insert into mail_messages (message_digest, session_id, sent_message_id)
    values (${digestOf(message.id)}, ${message.sessionId}, ${message.sentMessageId})
    on conflict (message_digest) do nothing`.execute(executor)
}

export async function wasRead(executor: Executor, id: string): Promise<boolean> {
  const { rows } = await sql`select from mail_messages where message_digest = ${digestOf(id)}`.execute(executor)
  return rows.length > 0
}

/** The conversation of a customer that one of the messages belongs to, of the first that is known. */
export async function findThread(
  executor: Executor,
  ids: readonly string[],
  userId: string,
): Promise<string | undefined> {
  const digests = ids.map(digestOf)
  const { rows } = await sql<{
    id: string
  }>`select session_id as id from mail_messages m join chat_sessions s using (session_id)
    where message_digest = any(${digests}::text[]) and s.user_id = ${userId}
    order by array_position(${digests}::text[], message_digest) limit 1`.execute(executor)
  return rows[0]?.id
}

/** The message here that one of the mails was. */
export async function findSent(
  executor: Executor,
  ids: readonly string[],
): Promise<{ sessionId: string; messageId: string } | undefined> {
  const { rows } = await sql<{ sessionId: string; messageId: string }>`select session_id as "sessionId",
      sent_message_id as "messageId" from mail_messages
    where message_digest = any(${ids.map(digestOf)}::text[]) and sent_message_id is not null limit 1`.execute(executor)
  return rows[0]
}

export async function noteAnswer(executor: Executor, address: string): Promise<void> {
  await sql`insert into mail_answers (address) values (${digestOf(address)})`.execute(executor)
}

/** Within the last hour. */
export async function countAnswers(executor: Executor, address: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from mail_answers
    where address = ${digestOf(address)} and answered_at > now() - interval '1 hour'`.execute(executor)
  return rows[0]?.count ?? 0
}
