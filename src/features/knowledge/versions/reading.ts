import { AppError } from '../../../kernel/errors.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { versionName, versionNumber } from '../ingest/identity.ts'
import type { Publication } from '../ingest/publish.ts'
import { findDocument } from '../queries.ts'
import { withoutRepetition } from '../retrieval/neighbours.ts'
import type { Passage, SearchHit, SearchRequest } from '../types.ts'
import { readVersion, requireChunks } from './activate.ts'
import { diffTexts } from './diff.ts'
import { findOriginal } from './originals-queries.ts'
import { listVersionPage, listVersionPassages, readVersionChunks } from './reading-queries.ts'

interface ReadingOptions {
  db: Database
  search: (request: SearchRequest, trial?: Publication) => Promise<SearchHit[]>
}

/** Passages of one version that a comparison reads: a book has fewer. */
const MAX_PASSAGES = 20_000

/** Versions looked at: their passages, what differs between two, the file that one was read from. */
export function createReading({ db, search }: ReadingOptions) {
  const { executor } = db
  return {
    /** Newest first. Throws not_found, and invalid for a cursor that is none. */
    async list(docId: string, { before, limit }: { before: string | null; limit: number }) {
      const document = await findDocument(executor, docId)
      if (!document?.registered)
        throw new AppError('not_found', 'document', `No registered document has the doc_id ${docId}`)
      const cursor = before === null ? null : versionNumber(before)
      if (before !== null && cursor === null)
        throw new AppError('invalid', 'validation', 'before: must be a version such as v3')
      return listVersionPage(executor, docId, { before: cursor, limit })
    },

    /** In the document's order. */
    async passages(docId: string, version: string, page: { after: number; limit: number }) {
      const { version: found } = await readVersion(executor, docId, version)
      const passages = await listVersionPassages(executor, docId, found.versionNo, page)
      return { passages, total: found.chunkCount, version: versionName(found.versionNo) }
    },

    /** By default against the version before. Throws not_found, and conflict where one has no passages any more. */
    async diff(docId: string, version: string, against: string | null) {
      const { version: after } = await readVersion(executor, docId, version)
      const earlier = against ?? (await versionBefore(db, docId, after.versionNo))
      const { version: before } = await readVersion(executor, docId, earlier)
      for (const each of [before, after]) requireChunks(docId, each)
      const [old, young] = await Promise.all(
        [before, after].map(({ versionNo }) =>
          listVersionPassages(executor, docId, versionNo, { after: -1, limit: MAX_PASSAGES }),
        ),
      )
      return {
        ...{ docId, from: versionName(before.versionNo), to: versionName(after.versionNo) },
        ...diffTexts(linesOf(old ?? []), linesOf(young ?? [])),
      }
    },

    /** Throws not_found also where the version's file was not kept. */
    async original(docId: string, version: string) {
      const { version: found } = await readVersion(executor, docId, version)
      const original = await findOriginal(executor, docId, found.versionNo)
      if (original) return original
      const reason = 'it was stored before files were kept, there was no room, or it was deleted with its document'
      throw new AppError('not_found', 'original', `The file of ${version} of ${docId} is not kept: ${reason}`)
    },

    /** A search as if this version were the one that is served. Throws as `diff` does. */
    async searchAs(docId: string, version: string): Promise<(request: SearchRequest) => Promise<SearchHit[]>> {
      const { version: found, document } = await readVersion(executor, docId, version)
      requireChunks(docId, found)
      // A document for staff answers no customer, whichever version is served.
      if (found.status === 'active' || document.audience === 'staff') return (request) => search(request)
      const chunks = await readVersionChunks(executor, docId, found.versionNo)
      const { source } = document
      const trial = { docId, source, label: null, docHash: found.docHash, filePath: null, register: true }
      return (request) => search(request, { ...trial, metadata: found, audience: null, original: null, chunks })
    },
  }
}

async function versionBefore(db: Database, docId: string, versionNo: number): Promise<string> {
  const [found] = await listVersionPage(db.executor, docId, { before: versionNo, limit: 1 })
  if (found) return versionName(found.versionNo)
  throw new AppError('not_found', 'version', `The document ${docId} has no version before ${versionName(versionNo)}`)
}

/** The text of a version as a reader sees it: headings where they change, questions, and no text twice. */
function linesOf(passages: readonly Omit<Passage, 'source'>[]): string[] {
  const lines: string[] = []
  let [headings, previous] = ['', null as Omit<Passage, 'source'> | null]
  for (const passage of passages) {
    const own = passage.headingPath.join(' > ')
    if (own !== headings && own !== '') lines.push(own)
    headings = own
    if (passage.question !== null) lines.push(passage.question)
    const content = previous && passage.question === null ? withoutRepetition(previous, passage) : passage.content
    lines.push(...content.split('\n'))
    previous = passage
  }
  return lines.filter((line) => line.trim() !== '')
}
