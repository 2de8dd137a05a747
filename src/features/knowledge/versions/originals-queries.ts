import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'

/** Statements on the files that versions were read from. */

export interface OriginalFile {
  fileName: string
  bytes: Uint8Array
}

/** Bytes of a piece: a value takes ten times as much while it is written. */
const PIECE_BYTES = 1_048_576

/** Keeps the file of a version, unless it is there already. */
export async function saveOriginal(
  executor: Executor,
  { docId, versionNo }: { docId: string; versionNo: number },
  { fileName, bytes }: OriginalFile,
): Promise<void> {
  const { numAffectedRows } = await sql`insert into knowledge_originals (doc_id, version_no, file_name, size)
    values (${docId}, ${versionNo}, ${fileName}, ${bytes.length}) on conflict do nothing`.execute(executor)
  if (Number(numAffectedRows ?? 0) === 0) return
  for (let piece = 0; piece * PIECE_BYTES < bytes.length; piece++) {
    const part = Buffer.from(bytes.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES))
    await sql`insert into knowledge_original_pieces (doc_id, version_no, piece, bytes)
      values (${docId}, ${versionNo}, ${piece}, ${part})`.execute(executor)
  }
}

/** Undefined also for one that is deleted while it is read. */
export async function findOriginal(
  executor: Executor,
  docId: string,
  versionNo: number,
): Promise<OriginalFile | undefined> {
  const { rows } = await sql<{ fileName: string; size: number }>`select file_name as "fileName", size::float8 as size
    from knowledge_originals where doc_id = ${docId} and version_no = ${versionNo}`.execute(executor)
  const [file] = rows
  if (!file) return undefined
  const bytes = new Uint8Array(file.size)
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const { rows: parts } = await sql<{ bytes: Uint8Array }>`select bytes from knowledge_original_pieces
      where doc_id = ${docId} and version_no = ${versionNo} and piece = ${at / PIECE_BYTES}`.execute(executor)
    if (!parts[0]) return undefined
    bytes.set(parts[0].bytes, at)
  }
  return { fileName: file.fileName, bytes }
}

/** Bytes that all of them take together. */
export async function sizeOfOriginals(executor: Executor): Promise<number> {
  const { rows } = await sql<{ size: number }>`select coalesce(sum(size), 0)::float8 as size
    from knowledge_originals`.execute(executor)
  return rows[0]?.size ?? 0
}

/** Removes those of versions that are served no more, the oldest first, until so many bytes are free; says how many are. */
export async function freeOriginals(executor: Executor, wanted: number): Promise<number> {
  const { rows } = await sql<{ freed: number }>`with candidates as (
      select o.doc_id, o.version_no, sum(o.size) over (order by o.stored_at, o.doc_id, o.version_no) - o.size as before
      from knowledge_originals o join knowledge_versions v using (doc_id, version_no)
      where v.status not in ('active', 'canary')
    ), gone as (
      delete from knowledge_originals o using candidates c
      where o.doc_id = c.doc_id and o.version_no = c.version_no and c.before < ${wanted} returning o.size
    )
    select coalesce(sum(size), 0)::float8 as freed from gone`.execute(executor)
  return rows[0]?.freed ?? 0
}
