import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'

/** Statements that read what quality checks look at: the chunks that customers can find. */

export interface QualityRow {
  chunkId: number
  docId: string
  source: string
  title: string
  headingPath: string[]
  question: string | null
  content: string
  features: Uint8Array
  productCategory: string
  applicableVersion: string
}

const searchable = sql`select c.chunk_id as "chunkId", c.doc_id as "docId", d.source, c.title,
    c.heading_path as "headingPath", c.question, c.content, c.features, v.product_category as "productCategory",
    v.applicable_version as "applicableVersion"
  from knowledge_chunks c join knowledge_versions v using (doc_id, version_no) join knowledge_documents d using (doc_id)
  where c.collection = 'main'`

/** A page of all chunks, in the order of their ids. */
export async function readQualityPage(executor: Executor, afterChunkId: number, limit: number): Promise<QualityRow[]> {
  const { rows } = await sql<QualityRow>`${searchable} and c.chunk_id > ${afterChunkId}
    order by c.chunk_id limit ${limit}`.execute(executor)
  return rows
}

/** Chunks of the documents that a filter names, in the order of their ids, at most `limit`. */
export async function readQualityScope(
  executor: Executor,
  scope: { source: string | null; docId: string | null },
  limit: number,
): Promise<QualityRow[]> {
  const { rows } = await sql<QualityRow>`${searchable}
    and (${scope.source}::text is null or d.source = ${scope.source})
    and (${scope.docId}::text is null or c.doc_id = ${scope.docId})
    order by c.chunk_id limit ${limit}`.execute(executor)
  return rows
}

export async function readQualityChunks(executor: Executor, chunkIds: readonly number[]): Promise<QualityRow[]> {
  const { rows } = await sql<QualityRow>`${searchable} and c.chunk_id = any(${[...chunkIds]}::bigint[])
    order by c.chunk_id`.execute(executor)
  return rows
}
