import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { VersionRow } from '../queries.ts'
import type { Passage, PreparedChunk } from '../types.ts'

/** Statements that look at versions. Copies in the canary collection are left out. */

export interface ListedVersion extends VersionRow {
  fileName: string | null
  fileSize: number | null
}

export async function listVersionPage(
  executor: Executor,
  docId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<ListedVersion[]> {
  const { rows } = await sql<ListedVersion>`select version_no as "versionNo", doc_hash as "docHash", status,
      chunk_count as "chunkCount", knowledge_type as "knowledgeType", product_category as "productCategory",
      applicable_version as "applicableVersion", published_at as "publishedAt", url, created_at as "createdAt",
      o.file_name as "fileName", o.size::float8 as "fileSize"
    from knowledge_versions v left join knowledge_originals o using (doc_id, version_no)
    where doc_id = ${docId} and (${before}::integer is null or version_no < ${before})
    order by version_no desc limit ${limit}`.execute(executor)
  return rows
}

const ownChunks = (docId: string, versionNo: number) => sql`(select distinct on (ordinal) * from knowledge_chunks
  where doc_id = ${docId} and version_no = ${versionNo} order by ordinal, chunk_id)`

/** Those behind the place `after`, in order. */
export async function listVersionPassages(
  executor: Executor,
  docId: string,
  versionNo: number,
  { after, limit }: { after: number; limit: number },
): Promise<Omit<Passage, 'source'>[]> {
  const { rows } = await sql<Omit<Passage, 'source'>>`select chunk_id as "chunkId", doc_id as "docId",
      version_no as version, ordinal, kind, title, heading_path as "headingPath", question, content, page, metadata
    from ${ownChunks(docId, versionNo)} c where ordinal > ${after} order by ordinal limit ${limit}`.execute(executor)
  return rows
}

/** As they would be published. */
export async function readVersionChunks(
  executor: Executor,
  docId: string,
  versionNo: number,
): Promise<PreparedChunk[]> {
  const { rows } = await sql<Omit<PreparedChunk, 'embeddings'> & { vectors: Record<string, string> | null }>`
    select ordinal, kind, title, heading_path as "headingPath", question, content, page, metadata,
      search_text as "searchText", features,
      (select json_object_agg(e.generation, e.embedding::text) from knowledge_embeddings e
        where e.chunk_id = c.chunk_id) as vectors
    from ${ownChunks(docId, versionNo)} c order by ordinal`.execute(executor)
  return rows.map(({ vectors, ...chunk }) => ({
    ...chunk,
    embeddings: Object.entries(vectors ?? {}).map(([generation, text]) => {
      return { generation: Number(generation), vector: Float32Array.from(JSON.parse(text) as number[]) }
    }),
  }))
}
