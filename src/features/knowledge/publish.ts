import { AppError } from '../../kernel/errors.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { versionName } from './identity.ts'
import {
  type DocumentRow,
  deleteVersions,
  findActiveVersion,
  insertChunks,
  insertVersion,
  lockDocument,
  publishChange,
  renameDocument,
  retireActive,
  saveDocument,
  updateVersionMetadata,
  type VersionRow,
} from './queries.ts'
import type { DocumentMetadata, IngestResult, PreparedChunk } from './types.ts'
import { dropCopies } from './version-queries.ts'

export interface Publication {
  docId: string
  source: string
  /** What the document is called from now on; null: what it is called already, at first its source. */
  label: string | null
  docHash: string
  /** Real path of the file that updates read it from; null: it was uploaded. */
  filePath: string | null
  register: boolean
  metadata: DocumentMetadata
  chunks: readonly PreparedChunk[]
}

/** What is to be published, before it was read. */
export type Target = Omit<Publication, 'chunks'>

/**
 * Publishes a document's content in one transaction: searches see the old version or the new one, never parts of both.
 * Uploads of one document at the same time follow each other.
 */
export async function publishDocument(db: Database, publication: Publication): Promise<IngestResult> {
  return db.transaction((trx) => publishWithin(db, trx, publication))
}

/** As `publishDocument`, unless another content has the document's name meanwhile: undefined, and nothing changed. */
export async function publishIfFree(db: Database, publication: Publication): Promise<IngestResult | undefined> {
  return db
    .transaction(async (trx) => {
      const document = await lockDocument(trx, publication)
      const active = document.status === 'active' ? await findActiveVersion(trx, publication.docId) : undefined
      if (document.status === 'active' && active?.docHash !== publication.docHash) throw NAME_TAKEN
      return publishWithin(db, trx, publication)
    })
    .catch((error: unknown) => {
      if (error === NAME_TAKEN) return undefined
      throw error
    })
}

/** Rolls back, so that nothing is left of the attempt. */
const NAME_TAKEN = new AppError('conflict', 'name_taken', 'Another document has this name')

/** The same within a transaction of the caller's: published together with whatever else it does, or not at all. */
export async function publishWithin(db: Database, trx: Executor, publication: Publication): Promise<IngestResult> {
  const { docId } = publication
  const document = await lockDocument(trx, publication)
  const active = document.status === 'active' ? await findActiveVersion(trx, docId) : undefined
  if (active && isSame(document, active, publication)) return keepVersion(db, trx, { document, active, publication })
  const registered = publication.register || document.registered
  // What the registry does not know has no history: its replacement starts anew.
  const keepsHistory = document.registered
  if (keepsHistory) await dropCopies(trx, docId)
  if (keepsHistory) await retireActive(trx, docId, 'superseded')
  else await deleteVersions(trx, docId)
  const versionNo = keepsHistory ? document.lastVersion + 1 : 1
  await insertVersion(trx, {
    docId,
    versionNo,
    docHash: publication.docHash,
    chunkCount: publication.chunks.length,
    status: 'active',
    ...publication.metadata,
  })
  await insertChunks(trx, { docId, versionNo, collection: 'main' }, publication.chunks)
  await saveDocument(trx, { docId, registered, status: 'active', lastVersion: versionNo })
  await relabel(trx, document, publication)
  await publishChange(db, trx, docId)
  return result(publication, publication.chunks.length, registered ? versionNo : null, false)
}

/** What is already published under this source with this content, without preparing anything; undefined: nothing. */
export async function publishUnchanged(db: Database, publication: Target): Promise<IngestResult | undefined> {
  return db
    .transaction(async (trx) => {
      const document = await lockDocument(trx, publication)
      const active = document.status === 'active' ? await findActiveVersion(trx, publication.docId) : undefined
      if (!active || !isSame(document, active, publication)) throw NOTHING_PUBLISHED
      return keepVersion(db, trx, { document, active, publication })
    })
    .catch((error: unknown) => {
      if (error === NOTHING_PUBLISHED) return undefined
      throw error
    })
}

/** Rolls the look-up back, so that it leaves no row of a document that was never published. */
const NOTHING_PUBLISHED = new AppError('not_found', 'nothing_published', 'Nothing is published under this source')

function isSame(document: DocumentRow, active: VersionRow, publication: Omit<Publication, 'chunks'>): boolean {
  return active.docHash === publication.docHash && (document.registered || !publication.register)
}

async function keepVersion(
  db: Database,
  trx: Executor,
  kept: { document: DocumentRow; active: VersionRow; publication: Omit<Publication, 'chunks'> },
): Promise<IngestResult> {
  const { document, active, publication } = kept
  await updateVersionMetadata(trx, document.docId, active.versionNo, publication.metadata)
  // Replies that are kept name the source.
  if (await relabel(trx, document, publication)) await publishChange(db, trx, document.docId)
  return result(publication, active.chunkCount, document.registered ? active.versionNo : null, true)
}

async function relabel(
  trx: Executor,
  { docId, source }: DocumentRow,
  { label }: Pick<Publication, 'label'>,
): Promise<boolean> {
  if (label === null || label === source) return false
  await renameDocument(trx, docId, label)
  return true
}

function result(
  { docId, source }: Pick<Publication, 'docId' | 'source'>,
  chunkCount: number,
  versionNo: number | null,
  unchanged: boolean,
): IngestResult {
  const version = versionNo === null ? null : versionName(versionNo)
  return { docId, source, chunkCount, status: 'success', version, unchanged, errors: [] }
}
