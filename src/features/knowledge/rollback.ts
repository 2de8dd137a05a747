import { AppError } from '../../kernel/errors.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { versionName } from './identity.ts'
import { findActiveVersion, publishChange, retireActive, saveDocument } from './queries.ts'
import { moveVersion } from './version-queries.ts'
import { lockVersion, requireChunks, type VersionSwitch } from './versions.ts'

/**
 * Makes an earlier version of a registered document the active one again, in one transaction that only moves flags:
 * nothing is parsed or embedded. The version that it replaces becomes `rolled_back`. The active version itself: nothing
 * changes.
 *
 * Throws not_found for an unknown document or version, conflict for a version that is in the canary collection or whose
 * chunks were deleted.
 */
export function rollBack(db: Database, docId: string, targetVersion: string): Promise<VersionSwitch> {
  return db.transaction(async (trx) => {
    const { document, version } = await lockVersion(trx, docId, targetVersion)
    const active = await findActiveVersion(trx, docId)
    const switched: VersionSwitch = {
      docId,
      previousVersion: active ? versionName(active.versionNo) : null,
      currentVersion: versionName(version.versionNo),
      chunkCount: version.chunkCount,
    }
    if (version.status === 'active') return switched
    if (version.status === 'canary') {
      throw new AppError('conflict', 'version_in_canary', `${targetVersion} is in the canary collection: promote it`)
    }
    requireChunks(docId, version)
    await retireActive(trx, docId, 'rolled_back')
    await moveVersion(trx, docId, version.versionNo, { status: 'active', collection: 'main' })
    await saveDocument(trx, { ...document, status: 'active' })
    await publishChange(db, trx, docId)
    return switched
  })
}
