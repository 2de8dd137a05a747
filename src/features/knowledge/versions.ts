import { AppError } from '../../kernel/errors.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { versionName, versionNumber } from './identity.ts'
import {
  type DocumentRow,
  findActiveVersion,
  findDocument,
  publishChange,
  retireActive,
  saveDocument,
  type VersionRow,
} from './queries.ts'
import { dropCopies, findVersion, lockExisting, moveVersion } from './version-queries.ts'

/** What rollback, canary and promotion have in common: one version of one registered document. */

export interface VersionSwitch {
  docId: string
  /** `v1`, `v2`, …; null: no version was active before. */
  previousVersion: string | null
  currentVersion: string
  chunkCount: number
}

export interface DocumentVersion {
  document: DocumentRow
  version: VersionRow
}

/** A document and one of its versions. Throws not_found when the registry does not know them. */
export async function readVersion(executor: Executor, docId: string, version: string): Promise<DocumentVersion> {
  return versionOf(executor, docId, await findDocument(executor, docId), version)
}

/** As `readVersion`, with the document locked until the transaction ends. */
export async function lockVersion(trx: Executor, docId: string, version: string): Promise<DocumentVersion> {
  return versionOf(trx, docId, await lockExisting(trx, docId), version)
}

async function versionOf(
  executor: Executor,
  docId: string,
  document: DocumentRow | undefined,
  version: string,
): Promise<DocumentVersion> {
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
): Promise<VersionSwitch> {
  return db.transaction(async (trx) => {
    const { document, version } = await lockVersion(trx, docId, versionGiven)
    const active = await findActiveVersion(trx, docId)
    const switched: VersionSwitch = {
      docId,
      previousVersion: active ? versionName(active.versionNo) : null,
      currentVersion: versionName(version.versionNo),
      chunkCount: version.chunkCount,
    }
    if (version.status === 'active') return switched
    requireFit(version)
    await dropCopies(trx, docId)
    await retireActive(trx, docId, retiredAs)
    await moveVersion(trx, docId, version.versionNo, { status: 'active', collection: 'main' })
    await saveDocument(trx, { ...document, status: 'active' })
    await publishChange(db, trx, docId)
    return switched
  })
}
