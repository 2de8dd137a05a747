import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { Attachment } from './types.ts'

const columns = sql`attachment_id as "attachmentId", session_id as "sessionId", message_id as "messageId",
  file_name as "fileName", media_type as "mediaType", size, created_at as "createdAt"`

const PIECE_BYTES = 1_048_576

/** Locks the session until the transaction ends, so that of two files at once the second sees the first. */
export async function countOf(executor: Executor, sessionId: string): Promise<number> {
  await sql`select from chat_sessions where session_id = ${sessionId} for update`.execute(executor)
  const { rows } = await sql<{ count: number }>`select count(*) as count from attachments
    where session_id = ${sessionId}`.execute(executor)
  return rows[0]?.count ?? 0
}

export async function insertAttachment(
  executor: Executor,
  { attachmentId, sessionId, messageId, fileName, mediaType }: Omit<Attachment, 'createdAt' | 'size'>,
  bytes: Uint8Array,
): Promise<Attachment> {
  const { rows } = await sql<Attachment>`insert into attachments (attachment_id, session_id, message_id, file_name,
      media_type, size)
    values (${attachmentId}, ${sessionId}, ${messageId}, ${fileName}, ${mediaType}, ${bytes.length})
    returning ${columns}`.execute(executor)
  for (let piece = 0; piece * PIECE_BYTES < bytes.length; piece++) {
    const part = Buffer.from(bytes.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES))
    await sql`insert into attachment_pieces (attachment_id, piece, bytes)
      values (${attachmentId}, ${piece}, ${part})`.execute(executor)
  }
  return rows[0] as Attachment
}

export async function findAttachment(executor: Executor, attachmentId: string): Promise<Attachment | undefined> {
  const { rows } = await sql<Attachment>`select ${columns} from attachments
    where attachment_id = ${attachmentId}`.execute(executor)
  return rows[0]
}

export async function listAttachments(executor: Executor, sessionId: string): Promise<Attachment[]> {
  const { rows } = await sql<Attachment>`select ${columns} from attachments where session_id = ${sessionId}
    order by created_at, attachment_id`.execute(executor)
  return rows
}

/** Undefined: it is deleted while it is read. */
export async function readBytes(executor: Executor, { attachmentId, size }: Attachment): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(size)
  for (let piece = 0; piece * PIECE_BYTES < size; piece++) {
    const { rows } = await sql<{ bytes: Uint8Array }>`select bytes from attachment_pieces
      where attachment_id = ${attachmentId} and piece = ${piece}`.execute(executor)
    if (!rows[0]) return undefined
    bytes.set(rows[0].bytes, piece * PIECE_BYTES)
  }
  return bytes
}

/** Files that a message is, with what they hold. */
export async function readFilesOf(
  executor: Executor,
  messageId: string,
): Promise<{ name: string; bytes: Uint8Array }[]> {
  const { rows } = await sql<Attachment>`select ${columns} from attachments where message_id = ${messageId}
    order by created_at, attachment_id`.execute(executor)
  const files = rows.map(async (attachment) => {
    const bytes = await readBytes(executor, attachment)
    return bytes ? [{ name: attachment.fileName, bytes }] : []
  })
  return (await Promise.all(files)).flat()
}
