import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import { type DocumentRow, documentColumns, type VersionRow, versionColumns } from './queries.ts'
import type { Collection, VersionStatus } from './types.ts'

/** Statements that move one version of a document between the collections. */

/** A document, locked until the transaction ends; undefined: there is none. */
export async function lockExisting(executor: Executor, docId: string): Promise<DocumentRow | undefined> {
  const { rows } = await sql<DocumentRow>`select ${documentColumns} from knowledge_documents
    where doc_id = ${docId} for update`.execute(executor)
  return rows[0]
}

export async function findVersion(
  executor: Executor,
  docId: string,
  versionNo: number,
): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`select ${versionColumns} from knowledge_versions
    where doc_id = ${docId} and version_no = ${versionNo}`.execute(executor)
  return rows[0]
}

export async function findCanaryVersion(executor: Executor, docId: string): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`select ${versionColumns} from knowledge_versions
    where doc_id = ${docId} and status = 'canary'`.execute(executor)
  return rows[0]
}

/** Gives a version its status and its chunks and vectors the collection in which they are searchable, if any. */
export async function moveVersion(
  executor: Executor,
  docId: string,
  versionNo: number,
  to: { status: VersionStatus; collection: Collection | null },
): Promise<void> {
  await sql`update knowledge_versions set status = ${to.status}
    where doc_id = ${docId} and version_no = ${versionNo}`.execute(executor)
  await sql`update knowledge_embeddings e set collection = ${to.collection}
    from knowledge_chunks c where c.chunk_id = e.chunk_id and c.doc_id = ${docId}
      and c.version_no = ${versionNo}`.execute(executor)
  await sql`update knowledge_chunks set collection = ${to.collection}
    where doc_id = ${docId} and version_no = ${versionNo}`.execute(executor)
}
