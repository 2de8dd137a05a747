import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { ReplyLanguage, ReplyWords, SavedReply } from './types.ts'

const columns = sql`reply_id as "replyId", title, content, shortcut, language, author, uses,
  last_used_at as "lastUsedAt", created_at as "createdAt", updated_at as "updatedAt", created_at::text as "createdKey"`

export interface ReplyFilter {
  /** Each of them stands in the title, the shortcut or the content, whatever the case. */
  words: readonly string[]
  /** Those of this language, and those that fit any. */
  language?: ReplyLanguage
  before: { createdAt: string; replyId: string } | null
  limit: number
}

/** The newest first. */
export async function listReplies(executor: Executor, filter: ReplyFilter): Promise<SavedReply[]> {
  const { words, language, before, limit } = filter
  const conditions = [
    sql`true`,
    ...words.map((word) => sql`position(lower(${word}) in lower(concat_ws(' ', title, shortcut, content))) > 0`),
    ...(language === undefined ? [] : [sql`(language is null or language = ${language})`]),
    ...(before ? [sql`(created_at, reply_id) < (${before.createdAt}::timestamptz, ${before.replyId})`] : []),
  ]
  const { rows } = await sql<SavedReply>`select ${columns} from desk_replies where ${sql.join(conditions, sql` and `)}
    order by created_at desc, reply_id desc limit ${limit}`.execute(executor)
  return rows
}

/** Undefined: another reply has the shortcut. */
export async function insertReply(
  executor: Executor,
  reply: ReplyWords & { replyId: string; author: string },
): Promise<SavedReply | undefined> {
  const { replyId, title, content, shortcut, language, author } = reply
  const { rows } = await sql<SavedReply>`insert into desk_replies (reply_id, title, content, shortcut, language, author)
    values (${replyId}, ${title}, ${content}, ${shortcut}, ${language}, ${author})
    on conflict do nothing returning ${columns}`.execute(executor)
  return rows[0]
}

/** @param isLocked until the transaction ends */
export async function findReply(
  executor: Executor,
  replyId: string,
  isLocked = false,
): Promise<SavedReply | undefined> {
  const { rows } = await sql<SavedReply>`select ${columns} from desk_replies where reply_id = ${replyId}
    ${isLocked ? sql`for update` : sql``}`.execute(executor)
  return rows[0]
}

/** Throws where another reply has the shortcut, as `isDuplicate` tells. */
export async function updateReply(executor: Executor, replyId: string, words: ReplyWords): Promise<SavedReply> {
  const { title, content, shortcut, language } = words
  const { rows } = await sql<SavedReply>`update desk_replies set title = ${title}, content = ${content},
      shortcut = ${shortcut}, language = ${language}, updated_at = now()
    where reply_id = ${replyId} returning ${columns}`.execute(executor)
  return rows[0] as SavedReply
}

export async function deleteReply(executor: Executor, replyId: string): Promise<SavedReply | undefined> {
  const { rows } = await sql<SavedReply>`delete from desk_replies where reply_id = ${replyId}
    returning ${columns}`.execute(executor)
  return rows[0]
}

export async function countUse(executor: Executor, replyId: string): Promise<void> {
  await sql`update desk_replies set uses = uses + 1, last_used_at = now() where reply_id = ${replyId}`.execute(executor)
}

/** Numbers of the orders that a session's customer last spoke of. */
export async function ordersSpokenOf(executor: Executor, sessionId: string): Promise<string[]> {
  const { rows } = await sql<{ topic: string[] | null }>`select context->'topic' as topic from chat_sessions
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]?.topic ?? []
}
