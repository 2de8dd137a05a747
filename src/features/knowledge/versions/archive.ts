import { AppError } from '../../../kernel/errors.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { versionName } from '../ingest/identity.ts'
import { findDocument, findVersion, publishChange, saveDocument } from '../queries.ts'
import { dropCopies, moveVersion } from './queries.ts'

/**
 * Takes a document out of everything that is served and keeps it with all its versions; a rollback to one of them brings it
 * back. The document is registered by it, as only those keep versions. Archived again: nothing changes.
 *
 * Throws not_found for an unknown document, conflict for a deleted one.
 */
export function archiveDocument(db: Database, docId: string) {
  return db.transaction(async (trx) => {
    const document = await findDocument(trx, docId, { lock: true })
    if (!document) throw new AppError('not_found', 'document', `No document has the doc_id ${docId}`)
    if (document.status === 'deleted') {
      throw new AppError('conflict', 'document_state', `The document ${docId} is deleted: there is nothing to archive`)
    }
    const active = await findVersion(trx, docId, 'active')
    const { source } = document
    const archived = {
      docId,
      source,
      status: 'archived',
      previousVersion: active ? versionName(active.versionNo) : null,
    }
    if (document.status === 'archived') return archived
    await dropCopies(trx, docId)
    if (active) await moveVersion(trx, docId, active.versionNo, { status: 'superseded', collection: null })
    await saveDocument(trx, { ...document, registered: true, status: 'archived' })
    await publishChange(db, trx, docId)
    return archived
  })
}
