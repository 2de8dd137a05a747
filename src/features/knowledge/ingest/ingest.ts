import type { Database } from '../../../platform/postgres/index.ts'
import type { Quality } from '../quality/service.ts'
import { readActiveFeatures } from '../queries.ts'
import type { Audience, DocumentMetadata, IngestResult, OnStored, PreparedChunk } from '../types.ts'
import { publishToCanary } from '../versions/canary.ts'
import type { Original } from '../versions/originals.ts'
import { contentHash, documentIdOf } from './identity.ts'
import { COMPARED_CHUNKS, findOccupant, type OnConflict, strangerWarnings, underFreeName } from './name-conflicts.ts'
import { publishIfFree, publishUnchanged, publishWithin, type Target } from './publish.ts'

export interface IngestRequest {
  bytes: Uint8Array
  /** File name, or path for updates; names the document. */
  source: string
  /** Tells the format, where the source does not. Default: the last part of the source. */
  fileName?: string
  /** The document's name where it is shown; default: the one that it has already, at first its source. */
  label?: string | null
  register: boolean
  metadata: DocumentMetadata
  /** Checks the upload first: what is found becomes `errors`, and sensitive words reject it. Default: false. */
  validateQuality?: boolean
  /** Stores the upload as a version in the canary collection, which customers do not find. Default: false. */
  canary?: boolean
  /** The way out when a document of other content has its name already. Default: a version of that. */
  onConflict?: OnConflict
  /** Real path of the file, for documents that updates keep. */
  filePath?: string | null
  /** Default: whom the document is served to already, at first customers. */
  audience?: Audience | null
}

interface Ingestion {
  db: Database
  prepare(input: { bytes: Uint8Array; fileName: string }): Promise<PreparedChunk[]>
  quality: Pick<Quality, 'inspectUpload'>
  /** Brings what is in memory up to date after a change of a document. */
  changing<T>(docId: string, change: Promise<T>): Promise<T>
  onStored: OnStored
  /** Bytes that the files kept with versions take together; 0: none is kept. */
  originalsMaxBytes: number
}

const NOTHING_FOUND = { rejected: false, messages: [] }

/** From an upload to what customers find. Throws bad_request for a file that cannot be read. */
export async function ingest(ingestion: Ingestion, request: IngestRequest): Promise<IngestResult> {
  const { db, quality, prepare } = ingestion
  const { bytes, source, validateQuality = false, canary = false } = request
  const asked = { ...targetOf(request), original: originalOf(ingestion, request) }
  const place = await placeFor(ingestion, asked, request.onConflict)
  if ('refused' in place) return rejection(asked, [place.refused])
  // An upload that asks to be checked is checked, even when its content is there already.
  const { result, isServed } = validateQuality || canary ? { isServed: true } : await publishUnchanged(db, place.target)
  if (result) return { ...result, errors: place.notes }
  const chunks = await prepare({ bytes, fileName: request.fileName ?? baseName(source) })
  const { docId, metadata } = place.target
  const found = validateQuality
    ? await quality.inspectUpload({ docId, source: place.target.source, metadata, chunks })
    : NOTHING_FOUND
  if (found.rejected) return rejection(place.target, found.messages)
  return publish(ingestion, { request, asked, place, chunks, isServed, messages: found.messages })
}

interface Placed {
  target: Target
  notes: string[]
}

/** Under which name an upload goes, or why under none. */
async function placeFor(
  { db }: Pick<Ingestion, 'db'>,
  asked: Target,
  onConflict: OnConflict = 'version',
): Promise<Placed | { refused: string }> {
  const occupant = onConflict === 'version' ? null : await findOccupant(db.executor, asked)
  if (!occupant) return { target: asked, notes: [] }
  const taken = `"${asked.source}" is there already (${[asked.docId, occupant.version].filter(Boolean).join(', ')})`
  const target = onConflict === 'rename' ? await underFreeName(db.executor, asked) : null
  if (!target) return { refused: `error: ${taken}; nothing was stored` }
  return { target, notes: [`note: ${taken}, so this is "${target.source}"`] }
}

interface Ready {
  request: IngestRequest
  asked: Target
  place: Placed
  chunks: PreparedChunk[]
  /** Whether another content may be served under its name. */
  isServed: boolean
  messages: string[]
}

async function publish(
  ingestion: Ingestion,
  { request, asked, place, chunks, isServed, messages }: Ready,
): Promise<IngestResult> {
  const { db, changing, onStored } = ingestion
  const { onConflict = 'version', canary = false, filePath = null } = request
  const publication = { ...place.target, chunks }
  const { docId } = publication
  if (canary) {
    const published = await changing(docId, publishToCanary(db, publication))
    return { ...published, errors: [...place.notes, ...messages] }
  }
  if (onConflict === 'version') {
    const before = isServed && filePath === null ? await readActiveFeatures(db.executor, docId, COMPARED_CHUNKS) : []
    const published = await changing(
      docId,
      db.transaction((trx) => publishWithin(db, trx, publication, onStored)),
    )
    return { ...published, errors: [...strangerWarnings(before, chunks, published), ...messages] }
  }
  const published = await changing(docId, publishIfFree(db, publication, onStored))
  if (published) return { ...published, errors: [...place.notes, ...messages] }
  // Another upload took the name meanwhile.
  const next = await placeFor(ingestion, asked, onConflict)
  if ('refused' in next) return rejection(asked, [next.refused])
  return publish(ingestion, { request, asked, place: next, chunks, isServed, messages })
}

export function targetOf({
  bytes,
  source,
  label = null,
  register,
  metadata,
  filePath = null,
  audience = null,
}: IngestRequest): Target {
  const file = { docHash: contentHash(bytes), filePath, original: null }
  return { docId: documentIdOf(source), source, label, ...file, register, metadata, audience }
}

function originalOf({ originalsMaxBytes }: Ingestion, { bytes, source, fileName }: IngestRequest): Original | null {
  return originalsMaxBytes === 0
    ? null
    : { fileName: fileName ?? baseName(source), bytes, maxTotalBytes: originalsMaxBytes }
}

/** A document without a title of its own is named by its file, not by where that lies. */
function baseName(source: string): string {
  return source.split(/[/\\]/).at(-1) || source
}

function rejection({ docId, source }: Target, errors: string[]): IngestResult {
  return { docId, source, chunkCount: 0, status: 'rejected', version: null, unchanged: false, errors }
}
