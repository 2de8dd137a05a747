import { AppError } from '../../../kernel/errors.ts'
import type { Database, Executor } from '../../../platform/postgres/index.ts'
import { versionName, versionNumber } from '../ingest/identity.ts'
import { findDocument, findVersion, publishChange, saveDocument, type VersionRow } from '../queries.ts'
import { servedIn } from './audience.ts'
import { dropCopies, moveVersion } from './queries.ts'

/** The common ground of rollback, canary and promotion: one version of one registered document. */

/**
 * A document and one of its versions. Throws not_found when the registry does not know them.
 *
 * @param options.lock keeps others from changing the document until the transaction ends.
 */
export async function readVersion(
  executor: Executor,
  docId: string,
  version: string,
  options: { lock?: boolean } = {},
) {
  const document = await findDocument(executor, docId, options)
  if (!document?.registered) {
    throw new AppError('not_found', 'document', `No registered document has the doc_id ${docId}`)
  }
  const versionNo = versionNumber(version)
  const found = versionNo === null ? undefined : await findVersion(executor, docId, versionNo)
  if (!found) throw new AppError('not_found', 'version', `The document ${docId} has no version ${version}`)
  return { document, version: found }
}

/** Throws conflict for a version whose chunks went when its document was deleted: there is nothing to switch to. */
export function requireChunks(docId: string, { versionNo, chunkCount }: VersionRow): void {
  if (chunkCount > 0) return
  throw new AppError(
    'conflict',
    'version_deleted',
    `The chunks of ${versionName(versionNo)} were deleted with the document ${docId}; upload its file again`,
  )
}

/**
 * Makes a version the active one in one transaction that only moves flags; the active version itself: nothing changes.
 *
 * @param requireFit throws for a version that may not become active.
 * @param retiredAs what the version that it replaces becomes.
 */
export function activateVersion(
  db: Database,
  { docId, version: versionGiven }: { docId: string; version: string },
  retiredAs: 'superseded' | 'rolled_back',
  requireFit: (version: VersionRow) => void,
) {
  return db.transaction(async (trx) => {
    const { document, version } = await readVersion(trx, docId, versionGiven, { lock: true })
    const active = await findVersion(trx, docId, 'active')
    const switched = {
      docId,
      /** null: no version was active before. */
      previousVersion: active ? versionName(active.versionNo) : null,
      currentVersion: versionName(version.versionNo),
      status: 'active',
      chunkCount: version.chunkCount,
      success: true,
    }
    if (version.status === 'active') return switched
    requireFit(version)
    await dropCopies(trx, docId)
    if (active) await moveVersion(trx, docId, active.versionNo, { status: retiredAs, collection: null })
    await moveVersion(trx, docId, version.versionNo, {
      status: 'active',
      collection: servedIn(document.audience),
    })
    await saveDocument(trx, { ...document, status: 'active' })
    await publishChange(db, trx, docId)
    return switched
  })
}

/**
 * Makes an earlier version of a registered document the active one again, in one transaction that only moves flags:
 * nothing is parsed or embedded. The version that it replaces becomes `rolled_back`. The active version itself: nothing
 * changes.
 *
 * Throws not_found for an unknown document or version, conflict for a version that is in the canary collection or whose
 * chunks were deleted.
 */
export function rollBack(db: Database, docId: string, targetVersion: string) {
  return activateVersion(db, { docId, version: targetVersion }, 'rolled_back', (version) => {
    if (version.status === 'canary') {
      throw new AppError('conflict', 'version_in_canary', `${targetVersion} is in the canary collection: promote it`)
    }
    requireChunks(docId, version)
  })
}
