import { versionName } from './identity.ts'
import type { DocumentRow, ListedDocument, VersionRow } from './queries.ts'
import type { IngestResult } from './types.ts'

/** From this feature's own records to the bodies of the contract. */

export function presentIngest(result: IngestResult) {
  return {
    doc_id: result.docId,
    source: result.source,
    chunk_count: result.chunkCount,
    status: result.status,
    errors: result.errors,
    version: result.version,
    unchanged: result.unchanged,
  }
}

export function presentListed(row: ListedDocument) {
  return {
    doc_id: row.docId,
    source: row.source,
    current_version: row.status === 'active' ? versionName(row.versionNo) : null,
    status: row.status,
    knowledge_type: row.knowledgeType,
    product_category: row.productCategory,
    applicable_version: row.applicableVersion,
    chunk_count: row.status === 'active' ? row.chunkCount : 0,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

export function presentDetail(document: DocumentRow, versions: readonly VersionRow[]) {
  const active = versions.find(({ status }) => status === 'active')
  return {
    doc_id: document.docId,
    source: document.source,
    current_version: active ? versionName(active.versionNo) : '',
    status: document.status as string,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    versions: versions.map((version) => ({
      version: versionName(version.versionNo),
      doc_hash: version.docHash,
      status: version.status,
      chunk_count: version.chunkCount,
      created_at: version.createdAt.toISOString(),
    })),
  }
}

/** What the contract answers for a document that is not there: 200 with an empty detail. */
export function presentMissing(docId: string) {
  return {
    doc_id: docId,
    source: '',
    current_version: '',
    status: 'not_found',
    created_at: null,
    updated_at: null,
    versions: [],
  }
}
