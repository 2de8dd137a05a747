import type { Analyser } from '../../ai/analysis/analyser.ts'
import type { Embedder } from '../../ai/embedder/port.ts'
import { oneAtATime } from '../../kernel/one-at-a-time.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { createRebuild, type RebuildLog, type RebuildProgress } from './embedding-rebuild.ts'
import { createSimilarityGauge, type UnrelatedSimilarity } from './embedding-similarity.ts'
import { claimGeneration, type Generation, listGenerations } from './generation-queries.ts'
import { ensureVectorIndexes } from './search-queries.ts'

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
  log: RebuildLog
  onSwitch: () => Promise<void>
}): Promise<EmbeddingGenerations> {
  const { db, known, analyser, log } = options
  const configured = known[0]
  const stopping = new AbortController()
  const claimed = await claimGeneration(db, configured.id, configured.dimensions)
  let generations: Generation[] = []
  const gauge = createSimilarityGauge(db)

  const inTurn = oneAtATime()
  const reload = () =>
    inTurn(async () => {
      generations = await listGenerations(db.executor)
      for (const { generation, dimensions, embedderId } of generations) {
        if (knowsMeanings(embedderId)) await ensureVectorIndexes(db, generation, dimensions)
      }
    })
  await reload()
  const rebuild = createRebuild({
    db,
    embedder: configured,
    analyser,
    log,
    claimed,
    signal: stopping.signal,
    onAnalysed: options.onSwitch,
    onSwitch: () => reload().then(options.onSwitch),
  })
  const background = rebuild.run().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'Rebuilding the index stopped; it goes on at the next start')
  })

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
    progress: rebuild.progress,
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
