import { AppError } from '../../kernel/errors.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { activateVersion, requireChunks, type VersionSwitch } from './versions.ts'

/**
 * Makes an earlier version of a registered document the active one again, in one transaction that only moves flags:
 * nothing is parsed or embedded. The version that it replaces becomes `rolled_back`. The active version itself: nothing
 * changes.
 *
 * Throws not_found for an unknown document or version, conflict for a version that is in the canary collection or whose
 * chunks were deleted.
 */
export function rollBack(db: Database, docId: string, targetVersion: string): Promise<VersionSwitch> {
  return activateVersion(db, { docId, version: targetVersion }, 'rolled_back', (version) => {
    if (version.status === 'canary') {
      throw new AppError('conflict', 'version_in_canary', `${targetVersion} is in the canary collection: promote it`)
    }
    requireChunks(docId, version)
  })
}
