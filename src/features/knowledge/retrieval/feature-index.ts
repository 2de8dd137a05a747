import { setImmediate as breathe } from 'node:timers/promises'
import pLimit from 'p-limit'
import { batchesOf } from '../../../kernel/batches.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Collection } from '../types.ts'
import { createNearest } from './nearest.ts'
import type { ScoredChunk } from './queries.ts'
import { type FeatureRow, listDocumentChunks, readFeatures, readFeaturesAfter } from './queries.ts'
import { type AskedMeaning, createCommonMeaning } from './ranking/semantics.ts'
import { createTermStatistics, type TermStatistics } from './ranking/term-statistics.ts'

const PAGE_ROWS = 2_000
/** Rows counted before other requests get their turn. */
const SLICE = 100

interface StoredFeatures extends Pick<FeatureRow, 'docId' | 'features' | 'publishedAt'> {
  /** The chunks of its document; undefined: not yet here. */
  siblings?: ReadonlySet<number>
}

export type FeatureIndex = ReturnType<typeof createFeatureIndex>

/**
 * The features that ranking needs of every searchable chunk, held in memory (some hundreds of bytes a chunk) so that a search reads
 * only ids and scores of its candidates: features by chunk, and in how many chunks each word occurs.
 */
export function createFeatureIndex(db: Database, collection: Collection) {
  let shelf = createShelf()
  // Two refreshes of one document must not count its chunks twice.
  const inTurn = pLimit(1)

  async function loadAll(): Promise<void> {
    const fresh = createShelf()
    const page = (after: number): Promise<FeatureRow[]> => readFeaturesAfter(db.executor, collection, after, PAGE_ROWS)
    for (let next: Promise<FeatureRow[]> | undefined = page(0); next; ) {
      const rows: FeatureRow[] = await next
      const last = rows.at(-1)
      // The database reads the next page while this one is counted.
      next = last && rows.length === PAGE_ROWS ? page(last.chunkId) : undefined
      await putAll(fresh, rows)
    }
    shelf = fresh
  }
  async function readChanges(docId: string): Promise<void> {
    const current = await listDocumentChunks(db.executor, collection, docId)
    const missing = shelf.keep(docId, new Map(current.map(({ chunkId, publishedAt }) => [chunkId, publishedAt])))
    for (const page of batchesOf(missing, PAGE_ROWS)) await putAll(shelf, await readFeatures(db.executor, page))
  }

  return {
    get statistics(): TermStatistics {
      return shelf.statistics
    },
    /** Chunks that are there. */
    size: (): number => shelf.size(),
    /** The chunks of a document. */
    chunksOf: (docId: string): number[] => [...shelf.chunksOf(docId)],
    /** Mean of the passages' vectors: what they have in common. */
    commonMeaning: (): Float32Array => shelf.common.mean(),
    /** The chunks nearest to a question in meaning by the built-in vectors, best first. */
    nearest: (asked: AskedMeaning, count: number): ScoredChunk[] => shelf.nearest.find(asked, count),
    /** Reads what changed of a document: its chunks never change, they come and go. */
    refresh: (docId: string): Promise<void> => inTurn(() => readChanges(docId)),
    /** Reads everything anew; until it is there, what was there before serves. */
    load: (): Promise<void> => inTurn(loadAll),
    /** Features of candidates; those published a moment ago and not yet here are read from the database. */
    async lookUp(chunkIds: readonly number[]): Promise<Map<number, StoredFeatures>> {
      const found = new Map<number, StoredFeatures>()
      const missing: number[] = []
      for (const chunkId of chunkIds) {
        const stored = shelf.get(chunkId)
        if (stored) found.set(chunkId, stored)
        else missing.push(chunkId)
      }
      if (missing.length > 0) for (const row of await readFeatures(db.executor, missing)) found.set(row.chunkId, row)
      return found
    },
  }
}

async function putAll(shelf: ReturnType<typeof createShelf>, rows: readonly FeatureRow[]): Promise<void> {
  for (const [i, row] of rows.entries()) {
    if (i > 0 && i % SLICE === 0) await breathe()
    shelf.put(row)
  }
}

/** The chunks in memory and the statistics over exactly these. */
function createShelf() {
  const byChunk = new Map<number, StoredFeatures>()
  const byDocument = new Map<string, Set<number>>()
  const statistics = createTermStatistics()
  const common = createCommonMeaning()
  const nearest = createNearest(common.mean)

  function remove(chunkId: number): void {
    const stored = byChunk.get(chunkId)
    if (stored) {
      statistics.remove(stored.features)
      common.remove(stored.features)
      nearest.remove(chunkId)
    }
    byChunk.delete(chunkId)
  }
  return {
    statistics,
    common,
    nearest,
    size: (): number => byChunk.size,
    get: (chunkId: number): StoredFeatures | undefined => byChunk.get(chunkId),
    put({ chunkId, docId, features, publishedAt }: FeatureRow): void {
      if (byChunk.has(chunkId)) return
      const siblings = byDocument.get(docId) ?? new Set()
      byDocument.set(docId, siblings.add(chunkId))
      byChunk.set(chunkId, { docId, features, publishedAt, siblings })
      statistics.add(features)
      common.add(features)
      nearest.add(chunkId, features)
    },
    chunksOf: (docId: string): ReadonlySet<number> => byDocument.get(docId) ?? new Set(),
    /** Drops a document's other chunks, dates these, and returns those of them that are not here. */
    keep(docId: string, publishedAt: ReadonlyMap<number, Date>): number[] {
      const here = byDocument.get(docId) ?? new Set()
      for (const chunkId of here) {
        const date = publishedAt.get(chunkId)
        const stored = byChunk.get(chunkId)
        if (date && stored) stored.publishedAt = date
        else {
          remove(chunkId)
          here.delete(chunkId)
        }
      }
      if (here.size === 0) byDocument.delete(docId)
      return [...publishedAt.keys()].filter((chunkId) => !byChunk.has(chunkId))
    },
  }
}
