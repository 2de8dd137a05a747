import { AppError } from '../../../kernel/errors.ts'
import type { Database, Executor } from '../../../platform/postgres/index.ts'
import { versionName } from '../ingest/identity.ts'
import { languageOfChunks } from '../ingest/language.ts'
import { type Publication, resultOf } from '../ingest/publish.ts'
import {
  findVersion,
  insertChunks,
  insertVersion,
  lockDocument,
  publishChange,
  saveDocument,
  type VersionRow,
} from '../queries.ts'
import type { Collection, IngestResult, VersionStatus } from '../types.ts'
import { activateVersion, readVersion, requireChunks } from './activate.ts'
import { changeAudience, servedIn } from './audience.ts'
import { keepOriginal } from './originals.ts'
import { copyToCanary, dropCopies, moveVersion } from './queries.ts'

/**
 * Puts a version into the canary collection, where comparisons find it and customers do not. An earlier version moves
 * there; of the active one, which customers go on finding, copies of the chunks do, until another version becomes active.
 * The document's version that was in canary before leaves it.
 *
 * Throws not_found for an unknown document or version, conflict for one whose chunks were deleted.
 */
export function placeInCanary(db: Database, docId: string, versionGiven: string) {
  return db.transaction(async (trx) => {
    const { version } = await readVersion(trx, docId, versionGiven, { lock: true })
    if (version.status === 'canary') return placement(docId, version, 'canary', 'canary')
    requireChunks(docId, version)
    await emptyCanary(trx, docId)
    const isActive = version.status === 'active'
    if (isActive) await copyToCanary(trx, docId, version.versionNo)
    else await moveVersion(trx, docId, version.versionNo, { status: 'canary', collection: 'canary' })
    await publishChange(db, trx, docId)
    return placement(docId, version, isActive ? 'active' : 'canary', 'canary')
  })
}

/** Takes a version out of the canary collection. Throws not_found, and conflict when it is not there. */
export function withdrawFromCanary(db: Database, docId: string, versionGiven: string) {
  return db.transaction(async (trx) => {
    const { version, document } = await readVersion(trx, docId, versionGiven, { lock: true })
    const wasCopied = version.status === 'active' && (await dropCopies(trx, docId))
    if (!wasCopied) requireCanary(docId, version)
    await emptyCanary(trx, docId)
    await publishChange(db, trx, docId)
    return wasCopied
      ? placement(docId, version, 'active', servedIn(document.audience))
      : placement(docId, version, 'superseded', null)
  })
}

/**
 * Makes the canary version the active one, in one transaction; the version that was active becomes `superseded`. The
 * active version itself: nothing changes. Throws not_found, and conflict for a version that is not in canary.
 */
export function promoteCanary(db: Database, docId: string, version: string) {
  return activateVersion(db, { docId, version }, 'superseded', (found) => requireCanary(docId, found))
}

/**
 * Stores an upload as a document's newest version in the canary collection; what customers find stays as it is. The
 * document is registered by it: trying a version only makes sense beside its history.
 */
export function publishToCanary(db: Database, publication: Publication): Promise<IngestResult> {
  const { docId, docHash, chunks, metadata, original } = publication
  return db.transaction(async (trx) => {
    const document = await lockDocument(trx, publication)
    if (await changeAudience(trx, document, publication.audience)) await publishChange(db, trx, docId)
    const same = await findSame(trx, docId, docHash)
    if (same?.status === 'canary') return resultOf(publication, same.chunkCount, same.versionNo, true)
    await emptyCanary(trx, docId)
    if (same) {
      await copyToCanary(trx, docId, same.versionNo)
      await publishChange(db, trx, docId)
      return resultOf(publication, same.chunkCount, same.versionNo, true)
    }
    const version = {
      versionNo: document.lastVersion + 1,
      chunkCount: chunks.length,
      language: languageOfChunks(chunks),
    }
    await insertVersion(trx, { docId, ...version, docHash, ...metadata, status: 'canary' })
    await insertChunks(trx, { docId, versionNo: version.versionNo, collection: 'canary' }, chunks)
    await keepOriginal(trx, { docId, versionNo: version.versionNo }, original)
    const { audience } = document
    const status = document.status === 'archived' ? 'archived' : 'active'
    await saveDocument(trx, { docId, registered: true, status, lastVersion: version.versionNo, audience })
    await publishChange(db, trx, docId)
    return resultOf(publication, version.chunkCount, version.versionNo, false)
  })
}

/** The version that has this content and is searchable, in either collection. */
async function findSame(trx: Executor, docId: string, docHash: string): Promise<VersionRow | undefined> {
  const searchable = [await findVersion(trx, docId, 'canary'), await findVersion(trx, docId, 'active')]
  return searchable.find((version) => version?.docHash === docHash)
}

async function emptyCanary(trx: Executor, docId: string): Promise<void> {
  await dropCopies(trx, docId)
  const version = await findVersion(trx, docId, 'canary')
  if (version) await moveVersion(trx, docId, version.versionNo, { status: 'superseded', collection: null })
}

function requireCanary(docId: string, { versionNo, status }: VersionRow): void {
  if (status === 'canary') return
  const name = versionName(versionNo)
  throw new AppError('conflict', 'not_in_canary', `${name} of ${docId} is not in the canary collection: ${status}`)
}

function placement(
  docId: string,
  { versionNo, chunkCount }: VersionRow,
  status: VersionStatus,
  collectionName: Collection | null,
) {
  return { docId, version: versionName(versionNo), chunkCount, collectionName, status }
}
