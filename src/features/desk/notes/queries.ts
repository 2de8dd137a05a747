import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Note, NoteCursor } from './types.ts'

const columns = sql`note_id as "noteId", session_id as "sessionId", author, content, mentions,
  created_at as "createdAt", updated_at as "updatedAt", created_at::text as "createdKey"`

/** Undefined: there is no such session. */
export async function insertNote(
  executor: Executor,
  note: Pick<Note, 'noteId' | 'sessionId' | 'author' | 'content' | 'mentions'>,
): Promise<Note | undefined> {
  const { noteId, sessionId, author, content, mentions } = note
  const { rows } = await sql<Note>`insert into desk_notes (note_id, session_id, author, content, mentions)
    select ${noteId}, session_id, ${author}, ${content}, ${[...mentions]}::text[] from chat_sessions
    where session_id = ${sessionId} for key share returning ${columns}`.execute(executor)
  return rows[0]
}

/** @param isLocked until the transaction ends */
export async function findNote(
  executor: Executor,
  { noteId, sessionId }: Pick<Note, 'noteId' | 'sessionId'>,
  isLocked = false,
): Promise<Note | undefined> {
  const { rows } = await sql<Note>`select ${columns} from desk_notes
    where note_id = ${noteId} and session_id = ${sessionId} ${isLocked ? sql`for update` : sql``}`.execute(executor)
  return rows[0]
}

/** The newest first. */
export async function listNotes(
  executor: Executor,
  { sessionId, before, limit }: { sessionId: string; before: NoteCursor | null; limit: number },
): Promise<Note[]> {
  const after = before ? sql`and (created_at, note_id) < (${before.createdAt}::timestamptz, ${before.noteId})` : sql``
  const { rows } = await sql<Note>`select ${columns} from desk_notes where session_id = ${sessionId} ${after}
    order by created_at desc, note_id desc limit ${limit}`.execute(executor)
  return rows
}

export async function updateNote(
  executor: Executor,
  { noteId, content, mentions }: Pick<Note, 'noteId' | 'content' | 'mentions'>,
): Promise<Note> {
  const { rows } = await sql<Note>`update desk_notes set content = ${content}, mentions = ${[...mentions]}::text[],
      updated_at = now() where note_id = ${noteId} returning ${columns}`.execute(executor)
  return rows[0] as Note
}

export async function deleteNote(executor: Executor, noteId: string): Promise<void> {
  await sql`delete from desk_notes where note_id = ${noteId}`.execute(executor)
}
