import type { Embedder } from '../../ai/embedder/port.ts'
import type { Reranker } from '../../ai/reranker/port.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Analyser } from '../../language/words/analyser.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { createParserPool } from './formats/parser-pool.ts'
import { type BatchResult, ingestBatch } from './ingest/batch.ts'
import { versionName } from './ingest/identity.ts'
import { type IngestRequest, ingest, targetOf } from './ingest/ingest.ts'
import { prepareChunks } from './ingest/prepare.ts'
import { type Publication, publishWithin } from './ingest/publish.ts'
import { listStoredFiles, type StoredFile } from './ingest/queries.ts'
import { type QualityLists, readQualityLists } from './quality/lists.ts'
import { createQuality, type QualityFilter } from './quality/service.ts'
import {
  countKinds,
  deleteChunks,
  deleteDocumentRow,
  findDocument,
  KNOWLEDGE_CHANNEL,
  listDocuments,
  listSearchable,
  listVersions,
  publishChange,
  readRevision,
  readStats,
  saveDocument,
} from './queries.ts'
import { startEmbeddingGenerations } from './retrieval/embeddings/generations.ts'
import { explainedSearch, mergeExplained } from './retrieval/explained-search.ts'
import { createFeatureIndex, type FeatureIndex, RESIDENT_PASSAGES } from './retrieval/feature-index.ts'
import { createFollower } from './retrieval/follow-changes.ts'
import { ensureLexicalIndexes } from './retrieval/lexical/queries.ts'
import type { RetrievalParameters } from './retrieval/parameters.ts'
import { search } from './retrieval/search.ts'
import type { Collection, IngestResult, SearchHit, SearchRequest } from './types.ts'
import { rollBack } from './versions/activate.ts'
import { type Amendment, amendDocument, registerDocument } from './versions/amend.ts'
import { archiveDocument } from './versions/archive.ts'
import { placeInCanary, promoteCanary, withdrawFromCanary } from './versions/canary.ts'
import { compareCanary } from './versions/compare.ts'
import { createReading } from './versions/reading.ts'

export interface KnowledgeOptions {
  db: Database
  analyser: Analyser
  /** Every embedder that can be called; the first is the configured one. */
  embedders: readonly [Embedder, ...Embedder[]]
  /** Judges the best passages of each search once more; default: the built-in ranking alone. */
  reranker?: Reranker | null
  parameters: () => RetrievalParameters
  /** The lists that quality checks go by; default: the shipped lists, no glossary. */
  qualityLists?: QualityLists
  /** Bytes that the files kept with versions take together; 0, the default: none is kept. */
  originalsMaxBytes?: number
  /** Passages of a collection that this process holds features of at the most; 0, the default: by the kind of database. */
  residentPassages?: number
  log: Log<'info' | 'warn'>
}

export type Knowledge = Awaited<ReturnType<typeof createKnowledge>>

/** The knowledge base: documents in, passages out. Starts its indexes and follows changes made by other replicas. */
export async function createKnowledge(options: KnowledgeOptions) {
  const { db, analyser, embedders, parameters, log, originalsMaxBytes = 0, residentPassages = 0 } = options
  const indexes = createFeatureIndexes(db, residentPassages || RESIDENT_PASSAGES[db.kind])
  const follower = createFollower(db.executor, indexes)
  const parsers = createParserPool()
  const resized = (): Promise<void> => embeddings.resized(indexes.main.statistics.chunkCount)
  const loadIndexes = async (): Promise<void> => {
    await Promise.all(Object.values(indexes).map((index) => index.load()))
    await resized()
  }
  await ensureLexicalIndexes(db)
  const embeddings = await startEmbeddingGenerations({ db, known: embedders, analyser, log, onSwitch: loadIndexes })
  const refresh = async (docId: string): Promise<void> => {
    if (docId !== '') await follower.refresh(docId).then(resized)
    else await embeddings.reload().then(loadIndexes)
  }
  const listeners = new Set<(docId: string) => void>()
  const follow = (docId: string): void => {
    for (const listener of listeners) listener(docId)
    if (follower.isChanging(docId)) return
    refresh(docId).catch((error: unknown) =>
      log.warn({ err: error, docId }, 'A change of the knowledge base was missed'),
    )
  }
  const unfollow = await db.listen(KNOWLEDGE_CHANNEL, follow, () => follow(''))
  const loaded = loadIndexes()
  // A service that is stopped while it loads has nothing to report.
  let isClosed = false
  loaded.catch((error: unknown) => {
    if (!isClosed) log.warn({ err: error }, 'Loading the term statistics failed')
  })
  const searching = { db, analyser, embeddings, indexes, reranker: options.reranker ?? null, parameters, log }

  const find = async (request: SearchRequest, trial?: Publication): Promise<SearchHit[]> => {
    await loaded
    const isWide = request.audience === 'staff' && request.collection === undefined && indexes.staff.size() > 0
    if (!isWide) return search(searching, request, trial)
    const forAll = search(searching, request, trial)
    const forStaff = search(searching, { ...request, collection: 'staff' })
    const count = request.topK ?? (request.parameters ?? parameters()).rerankTopK
    return [...(await forAll), ...(await forStaff)].sort((a, b) => b.score - a.score).slice(0, count)
  }
  const lists = options.qualityLists ?? readQualityLists()
  const quality = createQuality({
    executor: db.executor,
    search: (request) => find({ ...request, isRough: true }),
    lists,
    words: (text) => analyser.words(text),
  })
  const changing = <T>(docId: string, change: Promise<T>): Promise<T> =>
    follower.changing(docId, change, () => refresh(docId))

  const preparing = { analyser, embeddings, parsers }
  const ingesting = {
    db,
    prepare: (input: Parameters<typeof prepareChunks>[1]) => prepareChunks(preparing, input),
    quality,
    changing,
    onStored: follower.onStored,
    originalsMaxBytes,
  }
  const takeIn = (request: IngestRequest): Promise<IngestResult> => ingest(ingesting, request)

  return {
    search: (request: SearchRequest): Promise<SearchHit[]> => find(request),

    /** The same passages as customers get, with what their order rests on. */
    async explain({ audience, ...request }: SearchRequest & { parameters: RetrievalParameters }) {
      const explained = (collection: Collection) =>
        explainedSearch({ executor: db.executor, analyser, search: find }, { ...request, collection })
      if (audience !== 'staff') return explained('main')
      const [forAll, forStaff] = await Promise.all([explained('main'), explained('staff')])
      return mergeExplained(forAll, forStaff, request.topK ?? request.parameters.rerankTopK)
    },

    /** Throws bad_request for a file that cannot be read. */
    ingest: takeIn,

    /** See `ingest/batch.ts`. */
    ingestBatch: (
      requests: readonly IngestRequest[],
      signal: AbortSignal,
      onResult?: (result: BatchResult) => Promise<void>,
    ): Promise<BatchResult[]> => ingestBatch({ ingest: takeIn, log }, requests, signal, onResult),

    /** The publication that `ingest` would make, ready to be published by another transaction or tried without being stored. */
    async prepare(request: IngestRequest, fileName: string): Promise<Publication> {
      const chunks = await prepareChunks(preparing, { bytes: request.bytes, fileName })
      return { ...targetOf(request), chunks }
    },

    /** The findings of the quality checks in what would be published, a line each. */
    inspect: async (publication: Publication): Promise<string[]> => (await quality.inspectUpload(publication)).messages,

    /**
     * Publishes together with what else a transaction does, or not at all; when it resolves, searches know of it.
     * @param transaction is given what publishes within it
     */
    publishTogether: <T>(
      publication: Publication,
      transaction: (publish: (trx: Executor) => Promise<IngestResult>) => Promise<T>,
    ): Promise<T> =>
      changing(
        publication.docId,
        transaction((trx) => publishWithin(db, trx, publication, follower.onStored)),
      ),

    /** The passages that `search` would find if this were published. */
    searchWith: (publication: Publication, request: SearchRequest): Promise<SearchHit[]> => find(request, publication),

    /** See `versions/reading.ts`. */
    reading: createReading({ db, search: find }),

    /** Grows with every change of what is searchable. */
    revision: () => readRevision(db.executor),

    async stats() {
      const { dimensions } = embeddings.serving()
      const [stats, kinds] = await Promise.all([readStats(db.executor), countKinds(db.executor)])
      return { ...stats, ...kinds, dimensions, rebuild: embeddings.progress() }
    },

    /** Every document that customers can find, registered or not. */
    searchable: () => listSearchable(db.executor),

    list: (filter: Parameters<typeof listDocuments>[1]) => listDocuments(db.executor, filter),

    /** A registered document and its versions; undefined: there is none. */
    async detail(docId: string) {
      const document = await findDocument(db.executor, docId)
      if (!document?.registered) return undefined
      const versions = await listVersions(db.executor, docId)
      const active = versions.find(({ status }) => status === 'active')
      const { source, status, createdAt, updatedAt } = document
      return {
        ...{ docId, source, currentVersion: active ? versionName(active.versionNo) : '', status, createdAt, updatedAt },
        versions: versions.map(({ versionNo, docHash, status, chunkCount, createdAt }) => {
          return { version: versionName(versionNo), docHash, status, chunkCount, createdAt }
        }),
      }
    },

    /** See `versions/amend.ts`. */
    amend: (docId: string, amendment: Amendment) => changing(docId, amendDocument({ db, preparing }, docId, amendment)),

    /** Keeps versions of a document from now on; one that is registered stays as it is. Throws not_found. */
    register: (docId: string) => registerDocument(db, docId),

    /** See `versions/archive.ts`. */
    archive: (docId: string) => changing(docId, archiveDocument(db, docId)),

    /** Throws not_found for a document that neither the registry nor the searchable chunks know. */
    async remove(docId: string): Promise<{ deletedChunks: number }> {
      return {
        deletedChunks: await changing(
          docId,
          db.transaction((trx) => removeWithin(db, trx, docId)),
        ),
      }
    },

    /**
     * Removes a document together with what else a transaction does, or neither; when it resolves, searches know of it.
     * @param transaction is given what removes it within, which a document that is gone already does not stop
     */
    removeTogether: <T>(
      docId: string,
      transaction: (remove: (trx: Executor) => Promise<void>) => Promise<T>,
    ): Promise<T> =>
      changing(
        docId,
        transaction(async (trx) => {
          if (await findDocument(trx, docId)) await removeWithin(db, trx, docId)
        }),
      ),

    /** See `versions.ts`. */
    rollBack: (docId: string, targetVersion: string) => changing(docId, rollBack(db, docId, targetVersion)),

    /** Versions that are tried before customers find them; see `canary.ts`. */
    canary: {
      place: (docId: string, version: string) => changing(docId, placeInCanary(db, docId, version)),
      withdraw: (docId: string, version: string) => changing(docId, withdrawFromCanary(db, docId, version)),
      promote: (docId: string, version: string) => changing(docId, promoteCanary(db, docId, version)),
      compare: (request: { docId: string; version: string; queries: readonly string[] }) =>
        compareCanary({ db, search: find, topK: parameters().rerankTopK }, request),
    },

    /** See `quality/service.ts`. */
    checkQuality: (filter: QualityFilter) => quality.check(filter),

    /** See `quality/accepted-queries.ts`. */
    acceptPair: quality.accept,

    /** Documents that updates read from files: the file `path`, or all files under it when it ends with a separator. */
    storedFiles: (path: string): Promise<StoredFile[]> => listStoredFiles(db.executor, path),

    /** Runs after any replica changed what is searchable: a document, or with an empty id possibly everything. */
    onChange(listener: (docId: string) => void): void {
      listeners.add(listener)
    },

    /** Resolves when no rebuild of vectors or terms is under way. */
    settled: () => embeddings.settled(),

    async close(): Promise<void> {
      isClosed = true
      await unfollow()
      await Promise.all([embeddings.stop(), parsers.close()])
    },
  }
}

/** Scores of all collections are compared with each other, so all of them weigh words by the main one. */
function createFeatureIndexes(db: Database, resident: number): Record<Collection, FeatureIndex> {
  const main = createFeatureIndex(db, 'main', resident)
  const canary = createFeatureIndex(db, 'canary', resident)
  const common = { statistics: { get: () => main.statistics }, commonMeaning: { value: main.commonMeaning } }
  const staff = createFeatureIndex(db, 'staff', resident)
  return { main, canary: Object.defineProperties(canary, common), staff: Object.defineProperties(staff, common) }
}

async function removeWithin(db: Database, trx: Executor, docId: string): Promise<number> {
  const document = await findDocument(trx, docId, { lock: true })
  if (!document) throw new AppError('not_found', 'document', `No document has the doc_id ${docId}`)
  const deleted = await deleteChunks(trx, docId)
  if (document.registered) await saveDocument(trx, { ...document, status: 'deleted' })
  else await deleteDocumentRow(trx, docId)
  await publishChange(db, trx, docId)
  return deleted
}
