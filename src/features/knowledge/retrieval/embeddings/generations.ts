import pLimit from 'p-limit'
import { isBuiltIn } from '../../../../ai/embedder/built-in.ts'
import type { Embedder } from '../../../../ai/embedder/port.ts'
import type { Log } from '../../../../kernel/log.ts'
import type { Analyser } from '../../../../language/words/analyser.ts'
import type { Database } from '../../../../platform/postgres/index.ts'
import { ensureVectorIndexes } from '../queries.ts'
import type { ChunkText } from '../ranking/chunk-features.ts'
import { chunkVectors } from './chunk-vectors.ts'
import { claimGeneration, type Generation, listGenerations } from './queries.ts'
import { createRebuild } from './rebuild.ts'
import { createSimilarityGauge } from './similarity.ts'

/** Which vectors are served and which are being made. */
export type EmbeddingGenerations = Awaited<ReturnType<typeof startEmbeddingGenerations>>

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
  log: Log<'info' | 'warn'>
  onSwitch: () => Promise<void>
}) {
  const { db, known, analyser, log } = options
  const configured = known[0]
  const stopping = new AbortController()
  const claimed = await claimGeneration(db, configured.id, configured.dimensions)
  let generations: Generation[] = []
  const gauge = createSimilarityGauge(db)

  const inTurn = pLimit(1)
  const reload = () =>
    inTurn(async () => {
      generations = await listGenerations(db.executor)
      for (const { generation, dimensions, embedderId } of generations) {
        if (isSearched(embedderId) && !isBuiltIn(embedderId)) await ensureVectorIndexes(db, generation, dimensions)
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
    /**
     * The generation that searches use, and the embedder of its queries (null: that embedder is no longer configured).
     * `unrelatedSimilarity`: how alike a model finds unrelated passages; undefined for the built-in vectors, whose
     * similarity was learned together with everything else that ranks.
     */
    serving() {
      const entry = generations.find(({ status }) => status === 'serving') ?? claimed
      const { generation, dimensions, embedderId } = entry
      const isOwn = isBuiltIn(embedderId)
      const unrelatedSimilarity = isOwn || !isSearched(embedderId) ? undefined : gauge.current(generation)
      const embedder = isSearched(embedderId) ? embedderOf(entry) : null
      return { generation, dimensions, isBuiltIn: isOwn, embedder, unrelatedSimilarity }
    },
    /** Tells how many passages can be found now. */
    async resized(chunkCount: number): Promise<void> {
      const entry = generations.find(({ status }) => status === 'serving')
      if (entry && isSearched(entry.embedderId) && !isBuiltIn(entry.embedderId))
        await gauge.update(entry.generation, chunkCount)
    },
    /** Vectors for new chunks: one for each generation in use whose embedder is a model that can be called. */
    async embedDocuments(chunks: readonly ChunkText[]) {
      const stored = generations.filter(({ embedderId }) => !isBuiltIn(embedderId))
      const made = stored.map(async (entry) => {
        const embedder = embedderOf(entry)
        return embedder ? [{ generation: entry.generation, vectors: await chunkVectors(embedder, chunks) }] : []
      })
      return (await Promise.all(made)).flat()
    },
    progress: rebuild.progress,
    /** Reads which generation serves; call it when another replica says that it switched. */
    reload,
    /** Resolves when no rebuild is under way. */
    settled: () => background,
    async stop(): Promise<void> {
      stopping.abort()
      await background
    },
  }
}

/** Releases up to 0.3.0 hashed the words that the lexical index knows already; nothing is found by such vectors. */
function isSearched(embedderId: string): boolean {
  return !embedderId.startsWith('local-')
}
