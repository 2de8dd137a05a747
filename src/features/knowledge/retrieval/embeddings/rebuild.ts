import { setTimeout as sleep } from 'node:timers/promises'
import { isBuiltIn } from '../../../../ai/embedder/built-in.ts'
import type { Embedder } from '../../../../ai/embedder/port.ts'
import type { Log } from '../../../../kernel/log.ts'
import type { Analyser } from '../../../../language/words/analyser.ts'
import type { Database } from '../../../../platform/postgres/index.ts'
import { addVectors } from '../../queries.ts'
import { analyseChunk, FEATURES_REVISION } from '../ranking/chunk-features.ts'
import { chunkVectors } from './chunk-vectors.ts'
import {
  type ChunkTextRow,
  chunksWithoutVector,
  countVectors,
  type Generation,
  readIndexFingerprint,
  readTextsAfter,
  replaceTerms,
  saveIndexFingerprint,
  switchGeneration,
} from './queries.ts'

const EMBED_BATCH = 64
const ANALYSE_BATCH = 200
const RETRY_DELAY_MS = 5_000

interface RebuildOptions {
  db: Database
  embedder: Embedder
  analyser: Analyser
  /** The embedder's own generation, new or going on. */
  claimed: Generation
  signal: AbortSignal
  /** Called when passages were analysed anew. */
  onAnalysed: () => Promise<void>
  /** Called when the new vectors serve. */
  onSwitch: () => Promise<void>
  log: Log<'info' | 'warn'>
}

/** Makes what is stored of each passage anew where the analysis or the embedder changed. `run` rejects when it stops. */
export function createRebuild(options: RebuildOptions) {
  const { db, embedder, analyser, claimed, signal, onAnalysed, onSwitch, log } = options
  let progress: { task: 'embedding' | 'analysis'; done: number; total: number } | null = null

  async function run(): Promise<void> {
    await analyseAnew()
    if (claimed.status === 'building')
      await (isBuiltIn(embedder.id) ? takeOver(options) : embedAnew(claimed.generation))
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
      signal.throwIfAborted()
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
    if (total > 0) await onAnalysed()
  }

  async function embedAnew(generation: number): Promise<void> {
    const counted = await countVectors(db.executor, generation)
    progress = { task: 'embedding', ...counted }
    log.info({ ...counted, embedder: embedder.id }, 'The embedder changed; embedding the stored passages anew')
    do {
      for (;;) {
        signal.throwIfAborted()
        const rows = await chunksWithoutVector(db.executor, generation, EMBED_BATCH)
        if (rows.length === 0) break
        const done = await embedBatch(options, rows)
        progress = { ...progress, done: progress.done + done }
      }
    } while (!(await switchGeneration(db, generation, { isStored: true })))
    log.info({ embedder: embedder.id }, 'The new embeddings serve now')
    await onSwitch()
  }

  return {
    run,
    /** Null while nothing is rebuilt. */
    progress: () => progress,
  }
}

/** A remote embedder may be down for hours: what is left waits for it. */
async function embedBatch(
  { db, embedder, claimed, signal, log }: RebuildOptions,
  rows: readonly ChunkTextRow[],
): Promise<number> {
  try {
    const vectors = await chunkVectors(embedder, rows, signal)
    await addVectors(
      db.executor,
      claimed.generation,
      rows.map(({ chunkId }, i) => ({ chunkId, vector: vectors[i]! })),
    )
    return rows.length
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error }, 'Embedding failed; trying again')
    await sleep(RETRY_DELAY_MS, undefined, { signal }).catch(() => {})
    return 0
  }
}

/** Built-in vectors stand in the features of the passages already. */
async function takeOver({ db, embedder, claimed, onSwitch, log }: RebuildOptions): Promise<void> {
  await switchGeneration(db, claimed.generation, { isStored: false })
  log.info({ embedder: embedder.id }, 'The built-in vectors serve now')
  await onSwitch()
}

function analysed(row: ChunkTextRow, analyser: Analyser) {
  return { chunkId: row.chunkId, ...analyseChunk(row, analyser) }
}
