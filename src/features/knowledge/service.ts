import type { Analyser } from '../../ai/analysis/analyser.ts'
import type { Embedder } from '../../ai/embedder/port.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { createChunkMemory } from './chunk-memory.ts'
import { startEmbeddingGenerations } from './embedding-generations.ts'
import { contentHash, documentIdOf } from './identity.ts'
import type { RetrievalParameters } from './parameters.ts'
import { prepareChunks } from './prepare.ts'
import { type Publication, publishDocument, publishUnchanged, publishWithin } from './publish.ts'
import {
  type DocumentRow,
  deleteChunks,
  deleteDocumentRow,
  findDocument,
  KNOWLEDGE_CHANNEL,
  listDocuments,
  listVersions,
  publishChange,
  readStats,
  saveDocument,
  type VersionRow,
} from './queries.ts'
import { search } from './search.ts'
import { ensureLexicalIndexes } from './search-queries.ts'
import type { DocumentMetadata, IngestResult, SearchHit, SearchRequest } from './types.ts'

export interface KnowledgeOptions {
  db: Database
  analyser: Analyser
  /** Every embedder that can be called; the first is the configured one. */
  embedders: readonly [Embedder, ...Embedder[]]
  parameters: () => RetrievalParameters
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

export interface IngestRequest {
  bytes: Uint8Array
  /** File name, or path for updates; names the document. */
  source: string
  register: boolean
  metadata: DocumentMetadata
}

export type Knowledge = Awaited<ReturnType<typeof createKnowledge>>

/** The knowledge base: documents in, passages out. Starts its indexes and follows changes made by other replicas. */
export async function createKnowledge({ db, analyser, embedders, parameters, log }: KnowledgeOptions) {
  const memories = { main: createChunkMemory(db, 'main'), canary: createChunkMemory(db, 'canary') }
  const loadMemories = async (): Promise<void> => {
    await Promise.all([memories.main.load(), memories.canary.load()])
  }
  await ensureLexicalIndexes(db)
  const embeddings = await startEmbeddingGenerations({ db, known: embedders, analyser, log, onSwitch: loadMemories })
  const refresh = async (docId: string): Promise<void> => {
    if (docId === '') await Promise.all([embeddings.reload(), loadMemories()])
    else await Promise.all([memories.main.refresh(docId), memories.canary.refresh(docId)])
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
  const searching = { db, analyser, embeddings, memories, parameters, log }

  return {
    async search(request: SearchRequest): Promise<SearchHit[]> {
      await loaded
      return search(searching, request)
    },

    async ingest({ bytes, source, register, metadata }: IngestRequest): Promise<IngestResult> {
      const target = { docId: documentIdOf(source), source, docHash: contentHash(bytes), register, metadata }
      const unchanged = await publishUnchanged(db, target)
      if (unchanged) return unchanged
      const chunks = await prepareChunks({ analyser, embeddings }, { bytes, fileName: source })
      const published = await publishDocument(db, { ...target, chunks })
      await refresh(target.docId)
      return published
    },

    /** What `ingest` would publish, ready to be published by another transaction or tried without being stored. */
    async prepare({ bytes, source, register, metadata }: IngestRequest, fileName: string): Promise<Publication> {
      const chunks = await prepareChunks({ analyser, embeddings }, { bytes, fileName })
      return { docId: documentIdOf(source), source, docHash: contentHash(bytes), register, metadata, chunks }
    },

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
      const deletedChunks = await removeDocument(db, docId)
      await refresh(docId)
      return { deletedChunks }
    },

    /** Runs after any replica changed what is searchable: a document, or with an empty id possibly everything. */
    onChange(listener: (docId: string) => void): void {
      listeners.add(listener)
    },

    /** Resolves when no rebuild of vectors or terms is under way. */
    settled: () => embeddings.settled(),

    async close(): Promise<void> {
      await unfollow()
      await embeddings.stop()
    },
  }
}

function removeDocument(db: Database, docId: string): Promise<number> {
  return db.transaction(async (trx) => {
    const document = await findDocument(trx, docId)
    if (!document) throw new AppError('not_found', 'document', `No document has the doc_id ${docId}`)
    const deleted = await deleteChunks(trx, docId)
    if (document.registered) await saveDocument(trx, { ...document, status: 'deleted' })
    else await deleteDocumentRow(trx, docId)
    await publishChange(db, trx, docId)
    return deleted
  })
}
