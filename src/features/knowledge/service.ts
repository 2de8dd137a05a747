import type { Analyser } from '../../ai/analysis/analyser.ts'
import type { Embedder } from '../../ai/embedder/port.ts'
import type { Reranker } from '../../ai/reranker/port.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { placeInCanary, promoteCanary, withdrawFromCanary } from './canary.ts'
import { compareCanary } from './canary-compare.ts'
import { type ChunkMemory, createChunkMemory } from './chunk-memory.ts'
import { startEmbeddingGenerations } from './embedding-generations.ts'
import { listStoredFiles, type StoredFile } from './file-queries.ts'
import { createParserPool } from './formats/index.ts'
import { type IngestRequest, ingest, targetOf } from './ingest.ts'
import type { RetrievalParameters } from './parameters.ts'
import { prepareChunks } from './prepare.ts'
import { type Publication, publishWithin } from './publish.ts'
import type { QualityLists } from './quality/inspection-protocol.ts'
import { readQualityLists } from './quality/list-files.ts'
import { createQuality, type QualityFilter } from './quality.ts'
import {
  type DocumentRow,
  deleteChunks,
  deleteDocumentRow,
  findDocument,
  KNOWLEDGE_CHANNEL,
  listDocuments,
  listSearchable,
  listVersions,
  publishChange,
  readStats,
  saveDocument,
  type VersionRow,
} from './queries.ts'
import { rollBack } from './rollback.ts'
import { search } from './search.ts'
import { ensureLexicalIndexes } from './search-queries.ts'
import type { Collection, IngestResult, SearchHit, SearchRequest } from './types.ts'
import { lockExisting } from './version-queries.ts'

export interface KnowledgeOptions {
  db: Database
  analyser: Analyser
  /** Every embedder that can be called; the first is the configured one. */
  embedders: readonly [Embedder, ...Embedder[]]
  /** Judges the best passages of each search once more; default: the built-in ranking alone. */
  reranker?: Reranker | null
  parameters: () => RetrievalParameters
  /** What quality checks go by; default: the shipped lists, no glossary. */
  qualityLists?: QualityLists
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

export type Knowledge = Awaited<ReturnType<typeof createKnowledge>>

/** The knowledge base: documents in, passages out. Starts its indexes and follows changes made by other replicas. */
export async function createKnowledge(options: KnowledgeOptions) {
  const { db, analyser, embedders, parameters, log } = options
  const memories = createMemories(db)
  const parsers = createParserPool()
  const resized = (): Promise<void> => embeddings.resized(memories.main.statistics.chunkCount)
  const loadMemories = async (): Promise<void> => {
    await Promise.all([memories.main.load(), memories.canary.load()])
    await resized()
  }
  await ensureLexicalIndexes(db)
  const embeddings = await startEmbeddingGenerations({ db, known: embedders, analyser, log, onSwitch: loadMemories })
  const refresh = async (docId: string): Promise<void> => {
    if (docId !== '') await Promise.all([memories.main.refresh(docId), memories.canary.refresh(docId)]).then(resized)
    else await embeddings.reload().then(loadMemories)
  }
  const listeners = new Set<(docId: string) => void>()
  const follow = (docId: string): void => {
    for (const listener of listeners) listener(docId)
    refresh(docId).catch((error: unknown) =>
      log.warn({ err: error, docId }, 'A change of the knowledge base was missed'),
    )
  }
  const unfollow = await db.listen(KNOWLEDGE_CHANNEL, follow, () => follow(''))
  const loaded = loadMemories()
  loaded.catch((error: unknown) => log.warn({ err: error }, 'Loading the term statistics failed'))
  const searching = { db, analyser, embeddings, memories, reranker: options.reranker ?? null, parameters, log }

  const find = async (request: SearchRequest): Promise<SearchHit[]> => {
    await loaded
    return search(searching, request)
  }
  const lists = options.qualityLists ?? readQualityLists()
  const quality = createQuality({
    executor: db.executor,
    search: (request) => find({ ...request, isRough: true }),
    lists,
    words: (text) => analyser.words(text),
  })
  const changing = async <T>(docId: string, change: Promise<T>): Promise<T> => {
    const result = await change
    await refresh(docId)
    return result
  }

  const preparing = { analyser, embeddings, parsers }

  return {
    search: find,

    /** Throws bad_request for a file that cannot be read. */
    ingest: (request: IngestRequest): Promise<IngestResult> =>
      ingest({ db, prepare: (input) => prepareChunks(preparing, input), quality, changing }, request),

    /** What `ingest` would publish, ready to be published by another transaction or tried without being stored. */
    async prepare(request: IngestRequest, fileName: string): Promise<Publication> {
      const chunks = await prepareChunks(preparing, { bytes: request.bytes, fileName })
      return { ...targetOf(request), chunks }
    },

    /** What the quality checks say to what would be published, a line each. */
    inspect: async (publication: Publication): Promise<string[]> => (await quality.inspectUpload(publication)).messages,

    /** Publishes together with what else the transaction does, or not at all. */
    publishWithin: (trx: Executor, publication: Publication): Promise<IngestResult> =>
      publishWithin(db, trx, publication),

    /** What `search` would find if this were published. */
    async searchWith(publication: Publication, request: SearchRequest): Promise<SearchHit[]> {
      await loaded
      return search(searching, request, publication)
    },

    async stats() {
      const { chunks, documents, revision } = await readStats(db.executor)
      return {
        chunks,
        documents,
        revision,
        dimensions: embeddings.serving().dimensions,
        rebuild: embeddings.progress(),
      }
    },

    /** Every document that customers can find, registered or not. */
    searchable: () => listSearchable(db.executor),

    list(filter: Parameters<typeof listDocuments>[1]) {
      return listDocuments(db.executor, filter)
    },

    async detail(docId: string): Promise<{ document: DocumentRow; versions: VersionRow[] } | undefined> {
      const document = await findDocument(db.executor, docId)
      if (!document?.registered) return undefined
      return { document, versions: await listVersions(db.executor, docId) }
    },

    /** Throws not_found for a document that neither the registry nor the searchable chunks know. */
    async remove(docId: string): Promise<{ deletedChunks: number }> {
      return { deletedChunks: await changing(docId, removeDocument(db, docId)) }
    },

    /** See `rollback.ts`. */
    rollBack: (docId: string, targetVersion: string) => changing(docId, rollBack(db, docId, targetVersion)),

    /** Versions that are tried before customers find them; see `canary.ts`. */
    canary: {
      place: (docId: string, version: string) => changing(docId, placeInCanary(db, docId, version)),
      withdraw: (docId: string, version: string) => changing(docId, withdrawFromCanary(db, docId, version)),
      promote: (docId: string, version: string) => changing(docId, promoteCanary(db, docId, version)),
      compare: (request: { docId: string; version: string; queries: readonly string[] }) =>
        compareCanary({ db, search: find, topK: parameters().rerankTopK }, request),
    },

    /** See `quality.ts`. */
    checkQuality: (filter: QualityFilter) => quality.check(filter),

    /** Documents that updates read from files: the file `path`, or all files under it when it ends with a separator. */
    storedFiles: (path: string): Promise<StoredFile[]> => listStoredFiles(db.executor, path),

    /** Runs after any replica changed what is searchable: a document, or with an empty id possibly everything. */
    onChange(listener: (docId: string) => void): void {
      listeners.add(listener)
    },

    /** Resolves when no rebuild of vectors or terms is under way. */
    settled: () => embeddings.settled(),

    async close(): Promise<void> {
      await unfollow()
      await Promise.all([embeddings.stop(), parsers.close()])
    },
  }
}

/** Scores of the canary are to be compared with those of the main collection, so both weigh words by the main one. */
function createMemories(db: Database): Record<Collection, ChunkMemory> {
  const main = createChunkMemory(db, 'main')
  const canary = createChunkMemory(db, 'canary')
  return { main, canary: Object.defineProperty(canary, 'statistics', { get: () => main.statistics }) }
}

function removeDocument(db: Database, docId: string): Promise<number> {
  return db.transaction(async (trx) => {
    const document = await lockExisting(trx, docId)
    if (!document) throw new AppError('not_found', 'document', `No document has the doc_id ${docId}`)
    const deleted = await deleteChunks(trx, docId)
    if (document.registered) await saveDocument(trx, { ...document, status: 'deleted' })
    else await deleteDocumentRow(trx, docId)
    await publishChange(db, trx, docId)
    return deleted
  })
}
