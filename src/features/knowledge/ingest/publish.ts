import type { Database, Executor } from '../../../platform/postgres/index.ts'
import {
  type DocumentRow,
  deleteVersions,
  findServed,
  findVersion,
  insertChunks,
  insertVersion,
  lockDocument,
  publishChange,
  renameDocument,
  saveDocument,
  updateVersionMetadata,
  type VersionRow,
} from '../queries.ts'
import type { Audience, DocumentMetadata, IngestResult, OnStored, PreparedChunk } from '../types.ts'
import { changeAudience, servedIn } from '../versions/audience.ts'
import { keepOriginal, type Original } from '../versions/originals.ts'
import { dropCopies, moveVersion } from '../versions/queries.ts'
import { versionName } from './identity.ts'
import { languageOfChunks } from './language.ts'

export interface Publication {
  docId: string
  source: string
  /** The document's name from now on; null: the one that it has already, at first its source. */
  label: string | null
  docHash: string
  /** Real path of the file that updates read it from; null: it was uploaded. */
  filePath: string | null
  register: boolean
  metadata: DocumentMetadata
  /** Null: whom it is served to already, at first customers. */
  audience: Audience | null
  /** The file itself; null: it is not kept. */
  original: Original | null
  chunks: readonly PreparedChunk[]
}

/** A publication before its file was read. */
export type Target = Omit<Publication, 'chunks'>

/** Publishes, unless another content has the document's name meanwhile: undefined, and nothing changed. */
export function publishIfFree(
  db: Database,
  publication: Publication,
  onStored: OnStored,
): Promise<IngestResult | undefined> {
  return orNothing(db, async (trx) => {
    const { document, active } = await lockActive(trx, publication)
    const isTaken = document.status === 'active' && active?.docHash !== publication.docHash
    return isTaken ? undefined : publishWithin(db, trx, publication, onStored)
  })
}

/**
 * The result where this content is published under this source already, without preparing anything; else nothing changed,
 * and whether there is another content, which a new version would follow.
 */
export async function publishUnchanged(
  db: Database,
  publication: Target,
): Promise<{ result?: IngestResult | undefined; isServed: boolean }> {
  const served = await findServed(db.executor, publication.docId)
  if (!served || !isSame(served, served, publication)) return { isServed: (served?.docHash ?? null) !== null }
  return { result: await keepUnchanged(db, publication), isServed: true }
}

function keepUnchanged(db: Database, publication: Target): Promise<IngestResult | undefined> {
  return orNothing(db, async (trx) => {
    const { document, active } = await lockActive(trx, publication)
    if (active && isSame(document, active, publication)) return keepVersion(db, trx, { document, active, publication })
    return undefined
  })
}

/** Rolls back when nothing comes of it, so that no row is left of a document that was never published. */
async function orNothing(
  db: Database,
  attempt: (trx: Executor) => Promise<IngestResult | undefined>,
): Promise<IngestResult | undefined> {
  const nothing = new Error('Nothing was published')
  try {
    return await db.transaction(async (trx) => {
      const result = await attempt(trx)
      if (!result) throw nothing
      return result
    })
  } catch (error) {
    if (error === nothing) return undefined
    throw error
  }
}

async function lockActive(trx: Executor, publication: Target) {
  const document = await lockDocument(trx, publication)
  const active = document.status === 'active' ? await findVersion(trx, publication.docId, 'active') : undefined
  return { document, active }
}

/**
 * Publishes a document's content, together with whatever else the transaction does: searches see the old version or the
 * new one, never parts of both. Uploads of one document at the same time follow each other.
 */
export async function publishWithin(
  db: Database,
  trx: Executor,
  publication: Publication,
  onStored: OnStored,
): Promise<IngestResult> {
  const { docId } = publication
  const { document, active } = await lockActive(trx, publication)
  if (active && isSame(document, active, publication)) return keepVersion(db, trx, { document, active, publication })
  await changeAudience(trx, document, publication.audience)
  const registered = publication.register || document.registered
  // A document outside the registry has no history: its replacement starts anew.
  const keepsHistory = document.registered
  if (keepsHistory) await dropCopies(trx, docId)
  else if (!document.isNew) await deleteVersions(trx, docId)
  if (keepsHistory && active)
    await moveVersion(trx, docId, active.versionNo, { status: 'superseded', collection: null })
  const versionNo = keepsHistory ? document.lastVersion + 1 : 1
  await insertVersion(trx, {
    docId,
    versionNo,
    docHash: publication.docHash,
    chunkCount: publication.chunks.length,
    language: languageOfChunks(publication.chunks),
    status: 'active',
    ...publication.metadata,
  })
  const { audience } = document
  const target = { docId, versionNo, collection: servedIn(audience) }
  onStored(await insertChunks(trx, target, publication.chunks), publication.chunks)
  await keepOriginal(trx, { docId, versionNo }, publication.original)
  await saveDocument(trx, { docId, registered, status: 'active', lastVersion: versionNo, audience })
  await relabel(trx, document, publication)
  await publishChange(db, trx, docId)
  return resultOf(publication, publication.chunks.length, registered ? versionNo : null, false)
}

function isSame(
  document: Pick<DocumentRow, 'registered'>,
  active: { docHash: string | null },
  publication: Target,
): boolean {
  return active.docHash === publication.docHash && (document.registered || !publication.register)
}

async function keepVersion(
  db: Database,
  trx: Executor,
  kept: { document: DocumentRow; active: VersionRow; publication: Target },
): Promise<IngestResult> {
  const { document, active, publication } = kept
  await updateVersionMetadata(trx, document.docId, active.versionNo, publication.metadata)
  await keepOriginal(trx, { docId: document.docId, versionNo: active.versionNo }, publication.original)
  const isMoved = (active.url ?? null) !== (publication.metadata.url ?? null)
  // Replies that are kept name the source and where it is read.
  const isOthers = await changeAudience(trx, document, publication.audience)
  if ((await relabel(trx, document, publication)) || isMoved || isOthers) await publishChange(db, trx, document.docId)
  return resultOf(publication, active.chunkCount, document.registered ? active.versionNo : null, true)
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

/** @param versionNo null for a document outside the registry. */
export function resultOf(
  { docId, source }: Pick<Publication, 'docId' | 'source'>,
  chunkCount: number,
  versionNo: number | null,
  unchanged: boolean,
): IngestResult {
  const version = versionNo === null ? null : versionName(versionNo)
  return { docId, source, chunkCount, status: 'success', version, unchanged, errors: [] }
}
