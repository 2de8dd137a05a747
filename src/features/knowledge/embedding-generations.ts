import type { Analyser } from '../../ai/analysis/analyser.ts'
import type { Embedder } from '../../ai/embedder/port.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { createSimilarityGauge, type UnrelatedSimilarity } from './embedding-similarity.ts'
import {
  addVectors,
  type ChunkTextRow,
  chunksWithoutVector,
  claimGeneration,
  countVectors,
  type Generation,
  listGenerations,
  readIndexFingerprint,
  readTextsAfter,
  replaceTerms,
  saveIndexFingerprint,
  switchGeneration,
} from './generation-queries.ts'
import { embeddingText, encodeFeatures, FEATURES_REVISION, indexTerms } from './ranking.ts'
import { ensureVectorIndexes } from './search-queries.ts'

const EMBED_BATCH = 64
const ANALYSE_BATCH = 200
const RETRY_DELAY_MS = 5_000

interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface RebuildProgress {
  task: 'embedding' | 'analysis'
  done: number
  total: number
}

/** Which vectors are served and which are being made. */
export interface EmbeddingGenerations {
  /**
   * The generation that searches use, and the embedder of its queries (null: that embedder is no longer configured).
   * `unrelatedSimilarity`: how alike it finds unrelated passages; undefined for an embedder that knows no meanings, whose
   * vectors are not searched because they find nothing that the words of a query do not.
   */
  serving(): {
    generation: number
    dimensions: number
    embedder: Embedder | null
    unrelatedSimilarity: UnrelatedSimilarity | undefined
  }
  /** Tells how many passages can be found now. */
  resized(chunkCount: number): Promise<void>
  /** Vectors for new chunks: one for each generation in use. */
  embedDocuments(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ generation: number; vectors: Float32Array[] }[]>
  progress(): RebuildProgress | null
  /** Reads which generation serves; call it when another replica says that it switched. */
  reload(): Promise<void>
  /** Resolves when no rebuild is under way. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/**
 * Detects at start that the embedder, its dimension or the analyser changed, and makes what is stored anew in the
 * background. The old vectors serve until the last new one is there; then one transaction switches.
 *
 * @param known every embedder that this process can call; the first is the configured one.
 */
export async function startEmbeddingGenerations(options: {
  db: Database
  known: readonly [Embedder, ...Embedder[]]
  analyser: Analyser
  log: Log
  onSwitch: () => Promise<void>
}): Promise<EmbeddingGenerations> {
  const { db, known, analyser, log } = options
  const configured = known[0]
  const stopping = new AbortController()
  let progress: RebuildProgress | null = null
  const claimed = await claimGeneration(db, configured.id, configured.dimensions)
  let generations: Generation[] = []
  const gauge = createSimilarityGauge(db)

  async function reload(): Promise<void> {
    generations = await listGenerations(db.executor)
    for (const { generation, dimensions, embedderId } of generations) {
      if (knowsMeanings(embedderId)) await ensureVectorIndexes(db, generation, dimensions)
    }
  }
  await reload()
  const background = rebuild().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'Rebuilding the index stopped; it goes on at the next start')
  })

  async function rebuild(): Promise<void> {
    await analyseAnew()
    if (claimed.status === 'building') await embedAnew(claimed.generation)
    progress = null
  }

  async function analyseAnew(): Promise<void> {
    const fingerprint = `${analyser.fingerprint}-${FEATURES_REVISION}`
    const stored = await readIndexFingerprint(db.executor)
    if (stored === fingerprint) return
    const { total } = await countVectors(db.executor, claimed.generation)
    if (total > 0) log.info({ total }, 'Text analysis changed; analysing the stored passages anew')
    progress = { task: 'analysis', done: 0, total }
    for (let after = 0; ; ) {
      stopping.signal.throwIfAborted()
      const rows = await readTextsAfter(db.executor, after, ANALYSE_BATCH)
      if (rows.length === 0) break
      await replaceTerms(
        db.executor,
        rows.map((row) => analysed(row, analyser)),
      )
      after = rows.at(-1)?.chunkId ?? after
      progress = { ...progress, done: progress.done + rows.length }
    }
    await saveIndexFingerprint(db.executor, fingerprint)
    if (total > 0) await options.onSwitch()
  }

  async function embedAnew(generation: number): Promise<void> {
    const counted = await countVectors(db.executor, generation)
    progress = { task: 'embedding', ...counted }
    log.info({ ...counted, embedder: configured.id }, 'The embedder changed; embedding the stored passages anew')
    do {
      for (;;) {
        stopping.signal.throwIfAborted()
        const rows = await chunksWithoutVector(db.executor, generation, EMBED_BATCH)
        if (rows.length === 0) break
        const done = await embedBatch(generation, rows)
        progress = { ...progress, done: progress.done + done }
      }
    } while (!(await switchGeneration(db, generation)))
    log.info({ embedder: configured.id }, 'The new embeddings serve now')
    await reload()
    await options.onSwitch()
  }

  /** A remote embedder may be down for hours: what is left waits for it. */
  async function embedBatch(generation: number, rows: readonly ChunkTextRow[]): Promise<number> {
    try {
      const vectors = await configured.embed(rows.map(embeddingText), 'document', stopping.signal)
      await addVectors(
        db.executor,
        generation,
        rows.map(({ chunkId }, i) => ({ chunkId, vector: vectors[i]! })),
      )
      return rows.length
    } catch (error) {
      stopping.signal.throwIfAborted()
      log.warn({ err: error }, 'Embedding failed; trying again')
      await pause(RETRY_DELAY_MS, stopping.signal)
      return 0
    }
  }

  const embedderOf = (entry: Generation): Embedder | null =>
    known.find(({ id, dimensions }) => id === entry.embedderId && dimensions === entry.dimensions) ?? null

  return {
    serving() {
      const entry = generations.find(({ status }) => status === 'serving') ?? claimed
      const { generation, dimensions, embedderId } = entry
      const unrelatedSimilarity = knowsMeanings(embedderId) ? gauge.current(generation) : undefined
      return { generation, dimensions, embedder: embedderOf(entry), unrelatedSimilarity }
    },
    async resized(chunkCount) {
      const entry = generations.find(({ status }) => status === 'serving')
      if (entry && knowsMeanings(entry.embedderId)) await gauge.update(entry.generation, chunkCount)
    },
    async embedDocuments(texts, signal) {
      const usable = generations.flatMap((entry) => {
        const embedder = embedderOf(entry)
        return embedder ? [{ generation: entry.generation, embedder }] : []
      })
      return Promise.all(
        usable.map(async ({ generation, embedder }) => ({
          generation,
          vectors: await embedder.embed(texts, 'document', signal),
        })),
      )
    },
    progress: () => progress,
    reload,
    settled: () => background,
    async stop() {
      stopping.abort()
      await background
    },
  }
}

/**
 * The local embedder hashes the words that the lexical index knows already. Its vectors as candidates found nothing more
 * and cost half of a search and a quarter of an upload: docs/decisions/0071-retrieval-latency.md.
 */
function knowsMeanings(embedderId: string): boolean {
  return !embedderId.startsWith('local-')
}

function analysed(row: ChunkTextRow, analyser: Analyser) {
  return {
    chunkId: row.chunkId,
    searchText: indexTerms(row, analyser).join(' '),
    features: encodeFeatures(row, analyser),
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
