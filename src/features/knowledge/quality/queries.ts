import { type RawBuilder, sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { InspectedChunk } from './inspector.ts'

/** Statements that read what quality checks look at: the chunks that customers can find. */

export type QualityRow = Omit<InspectedChunk, 'inScope'> & { chunkId: number }

const searchable = sql`select c.chunk_id as "chunkId", c.doc_id as "docId", d.source, c.title,
    c.heading_path as "headingPath", c.question, c.content, c.features, v.product_category as "productCategory",
    v.applicable_version as "applicableVersion"
  from knowledge_chunks c join knowledge_versions v using (doc_id, version_no) join knowledge_documents d using (doc_id)
  where c.collection = 'main'`

async function readChunks(executor: Executor, condition: RawBuilder<unknown>, limit?: number): Promise<QualityRow[]> {
  const bound = limit === undefined ? sql`` : sql`limit ${limit}`
  const { rows } = await sql<QualityRow>`${searchable} and ${condition} order by c.chunk_id ${bound}`.execute(executor)
  return rows
}

/** A page of all chunks, in the order of their ids. */
export function readQualityPage(executor: Executor, afterChunkId: number, limit: number): Promise<QualityRow[]> {
  return readChunks(executor, sql`c.chunk_id > ${afterChunkId}`, limit)
}

/** The texts of chunks by their ids, each cut at `length`. */
export async function readTexts(
  executor: Executor,
  chunkIds: readonly number[],
  length: number,
): Promise<Map<number, string>> {
  const { rows } = await sql<{ chunkId: number; text: string }>`
    select chunk_id as "chunkId", left(concat_ws(E'\\n', question, content), ${length}) as text
    from knowledge_chunks where chunk_id = any(${[...chunkIds]}::bigint[])`.execute(executor)
  return new Map(rows.map(({ chunkId, text }) => [chunkId, text]))
}

/** Chunks of the documents that a filter names, in the order of their ids, at most `limit`. */
export function readQualityScope(
  executor: Executor,
  { source, docId }: { source: string | null; docId: string | null },
  limit: number,
): Promise<QualityRow[]> {
  const isNamed = sql`(${source}::text is null or d.source = ${source}) and (${docId}::text is null or c.doc_id = ${docId})`
  return readChunks(executor, isNamed, limit)
}

export function readQualityChunks(executor: Executor, chunkIds: readonly number[]): Promise<QualityRow[]> {
  return readChunks(executor, sql`c.chunk_id = any(${[...chunkIds]}::bigint[])`)
}
