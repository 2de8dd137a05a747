import { AppError } from '../../../kernel/errors.ts'
import type { Database, Executor } from '../../../platform/postgres/index.ts'
import { versionName } from '../ingest/identity.ts'
import { analyseChunks, type Preparation } from '../ingest/prepare.ts'
import {
  type DocumentRow,
  deleteVersionChunks,
  findDocument,
  findVersion,
  insertChunks,
  publishChange,
  saveDocument,
  updateVersionMetadata,
  type VersionRow,
} from '../queries.ts'
import type { Audience, PreparedChunk } from '../types.ts'
import { changeAudience, servedIn } from './audience.ts'
import { dropCopies } from './queries.ts'
import { listVersionPassages, readVersionChunks } from './reading-queries.ts'

/** Facts of a document that may be changed without its file. */
export interface Amendment {
  audience?: Audience | undefined
  /** Of the version that is served. */
  title?: string | undefined
  /** Null: it is read nowhere. */
  url?: string | null | undefined
  knowledgeType?: string | undefined
  productCategory?: string | undefined
}

export interface Amended extends Pick<DocumentRow, 'docId' | 'source' | 'registered' | 'status' | 'audience'> {
  title: string | null
  url: string | null
  knowledgeType: string | null
  productCategory: string | null
}

/**
 * Changes who is served a document, its title or its address; together or not at all. A title is searched by, so the
 * passages are analysed anew. Throws not_found, and conflict where nothing is served that could be changed.
 */
export async function amendDocument(
  { db, preparing }: { db: Database; preparing: Preparation },
  docId: string,
  { audience, title, ...facts }: Amendment,
): Promise<Record<'before' | 'after', Amended>> {
  const before = await readAmended(db.executor, docId)
  const active = await findVersion(db.executor, docId, 'active')
  const isRetitled = title !== undefined && title !== before.title
  const retitled = isRetitled && active ? await withTitle(db, preparing, active, docId, title) : null
  await db.transaction(async (trx) => {
    const document = await findDocument(trx, docId, { lock: true })
    if (!document) throw unknown(docId)
    const current = await findVersion(trx, docId, 'active')
    const isToldOf = Object.values(facts).some((fact) => fact !== undefined)
    const isWanted = isRetitled || isToldOf
    if (isWanted && (!current || current.versionNo !== active?.versionNo)) throw changed(docId, current)
    if (retitled && current) await replaceChunks(trx, document, current, retitled)
    if (isToldOf && current) await updateVersionMetadata(trx, docId, current.versionNo, withFacts(current, facts))
    await changeAudience(trx, document, audience ?? null)
    await publishChange(db, trx, docId)
  })
  return { before, after: await readAmended(db.executor, docId) }
}

export async function registerDocument(db: Database, docId: string) {
  await db.transaction(async (trx) => {
    const document = await findDocument(trx, docId, { lock: true })
    if (!document) throw unknown(docId)
    if (!document.registered) await saveDocument(trx, { ...document, registered: true })
  })
  const active = await findVersion(db.executor, docId, 'active')
  return { ...(await readAmended(db.executor, docId)), currentVersion: active ? versionName(active.versionNo) : null }
}

function unknown(docId: string): AppError {
  return new AppError('not_found', 'document', `No document has the doc_id ${docId}`)
}

function changed(docId: string, current: VersionRow | undefined): AppError {
  const reason = current ? 'another version of it was published meanwhile' : 'no version of it is active'
  return new AppError('conflict', 'document_state', `The document ${docId} cannot be changed: ${reason}`)
}

async function readAmended(executor: Executor, docId: string): Promise<Amended> {
  const document = await findDocument(executor, docId)
  if (!document) throw unknown(docId)
  const active = await findVersion(executor, docId, 'active')
  const page = { after: -1, limit: 1 }
  const [first] = active ? await listVersionPassages(executor, docId, active.versionNo, page) : []
  const { source, registered, status, audience } = document
  return {
    ...{ docId, source, registered, status, audience, title: first?.title ?? null, url: active?.url ?? null },
    ...{ knowledgeType: active?.knowledgeType ?? null, productCategory: active?.productCategory ?? null },
  }
}

function withFacts(current: VersionRow, { url, knowledgeType, productCategory }: Amendment): VersionRow {
  return {
    ...current,
    ...(url === undefined ? {} : { url }),
    ...(knowledgeType === undefined ? {} : { knowledgeType }),
    ...(productCategory === undefined ? {} : { productCategory }),
  }
}

async function withTitle(
  db: Database,
  preparing: Preparation,
  { versionNo }: VersionRow,
  docId: string,
  title: string,
): Promise<PreparedChunk[]> {
  const stored = await readVersionChunks(db.executor, docId, versionNo)
  const bare = stored.map(({ embeddings: _, features: __, searchText: ___, ...chunk }) => chunk)
  return analyseChunks(preparing, bare, title)
}

async function replaceChunks(
  trx: Executor,
  { docId, audience }: DocumentRow,
  { versionNo }: VersionRow,
  chunks: readonly PreparedChunk[],
): Promise<void> {
  await dropCopies(trx, docId)
  await deleteVersionChunks(trx, docId, versionNo)
  await insertChunks(trx, { docId, versionNo, collection: servedIn(audience) }, chunks)
}
