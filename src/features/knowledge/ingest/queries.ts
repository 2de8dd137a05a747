import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { DocumentMetadata, DocumentStatus } from '../types.ts'

/** A document that updates read from a file. */
export interface StoredFile {
  docId: string
  filePath: string
  /** Its name where it is shown. */
  source: string
  status: DocumentStatus
  /** SHA-256 of the active version; null: none is active. */
  activeHash: string | null
  /** Of the versions newer than the active one that a rollback left: their content is known and was not wanted. */
  rolledBackHashes: string[]
  /** Of the active version; null: none is active. */
  metadata: DocumentMetadata | null
}

type Row = Omit<StoredFile, 'metadata'> & { [K in keyof DocumentMetadata]: DocumentMetadata[K] | null }

/** The documents whose file is `path`, or lies under it when `path` ends with a separator. */
export async function listStoredFiles(executor: Executor, path: string): Promise<StoredFile[]> {
  const { rows } = await sql<Row>`
    select d.doc_id as "docId", d.file_path as "filePath", d.source, d.status, a.doc_hash as "activeHash",
      a.knowledge_type as "knowledgeType", a.product_category as "productCategory",
      a.applicable_version as "applicableVersion", a.published_at as "publishedAt", a.url,
      array(select v.doc_hash from knowledge_versions v
        where v.doc_id = d.doc_id and v.status = 'rolled_back' and v.version_no > a.version_no) as "rolledBackHashes"
    from knowledge_documents d left join knowledge_versions a on a.doc_id = d.doc_id and a.status = 'active'
    where d.file_path is not null and (d.file_path = ${path} or
      (right(${path}::text, 1) in ('/', '\\') and starts_with(d.file_path, ${path})))
    order by d.file_path`.execute(executor)
  return rows.map(({ knowledgeType, productCategory, applicableVersion, publishedAt, url, ...row }) => ({
    ...row,
    metadata:
      knowledgeType === null || productCategory === null || applicableVersion === null
        ? null
        : { knowledgeType, productCategory, applicableVersion, publishedAt, url: url ?? null },
  }))
}
