import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Collection, VersionStatus } from '../types.ts'

/** Statements that move one version of a document between the collections. */

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

/** Puts copies of the active version's chunks into the canary collection; the chunks stay where customers find them. */
export async function copyToCanary(executor: Executor, docId: string, versionNo: number): Promise<void> {
  await sql`with originals as (
      select * from knowledge_chunks where doc_id = ${docId} and version_no = ${versionNo} and collection in ('main', 'staff')
    ), copies as (
      insert into knowledge_chunks (doc_id, version_no, ordinal, collection, kind, title, heading_path, question,
        content, page, metadata, search_text, features)
      select doc_id, version_no, ordinal, 'canary', kind, title, heading_path, question, content, page, metadata,
        search_text, features from originals order by ordinal
      returning chunk_id, ordinal
    )
    insert into knowledge_embeddings (chunk_id, generation, collection, embedding)
    select copies.chunk_id, e.generation, 'canary', e.embedding
    from copies join originals using (ordinal) join knowledge_embeddings e on e.chunk_id = originals.chunk_id`.execute(
    executor,
  )
}

/** Takes copies out of the canary collection; a version that is there itself stays. Returns whether there were any. */
export async function dropCopies(executor: Executor, docId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from knowledge_chunks c using knowledge_versions v
    where c.doc_id = ${docId} and c.collection = 'canary' and v.doc_id = c.doc_id and v.version_no = c.version_no
      and v.status <> 'canary'`.execute(executor)
  return Number(numAffectedRows ?? 0) > 0
}
