import type { Database } from '../../platform/postgres/index.ts'
import { createTermStatistics, type TermStatistics } from './ranking.ts'
import { type FeatureRow, readDocumentFeatures, readFeatures, readFeaturesAfter } from './search-queries.ts'
import type { Collection } from './types.ts'

const PAGE_ROWS = 2_000

export interface StoredFeatures {
  features: Uint8Array
  publishedAt: Date
}

/**
 * What ranking needs of every searchable chunk, held in memory (some hundreds of bytes a chunk) so that a search reads
 * only ids and scores of its candidates: features by chunk, and in how many chunks each word occurs.
 */
export interface ChunkMemory {
  readonly statistics: TermStatistics
  /** Features of candidates; those published a moment ago and not yet here are read from the database. */
  lookUp(chunkIds: readonly number[]): Promise<Map<number, StoredFeatures>>
  /** Reads a document anew after it changed. */
  refresh(docId: string): Promise<void>
  /** Reads everything anew. */
  load(): Promise<void>
}

export function createChunkMemory(db: Database, collection: Collection): ChunkMemory {
  const byChunk = new Map<number, StoredFeatures>()
  const byDocument = new Map<string, number[]>()
  let statistics = createTermStatistics()
  let work: Promise<void> = Promise.resolve()

  function forget(docId: string): void {
    for (const chunkId of byDocument.get(docId) ?? []) {
      const stored = byChunk.get(chunkId)
      if (stored) statistics.remove(stored.features)
      byChunk.delete(chunkId)
    }
    byDocument.delete(docId)
  }
  function remember({ chunkId, docId, features, publishedAt }: FeatureRow): void {
    byChunk.set(chunkId, { features, publishedAt })
    statistics.add(features)
    const chunks = byDocument.get(docId)
    if (chunks) chunks.push(chunkId)
    else byDocument.set(docId, [chunkId])
  }
  async function loadAll(): Promise<void> {
    byChunk.clear()
    byDocument.clear()
    statistics = createTermStatistics()
    for (let after = 0; ; ) {
      const rows = await readFeaturesAfter(db.executor, collection, after, PAGE_ROWS)
      for (const row of rows) remember(row)
      if (rows.length < PAGE_ROWS) return
      after = rows.at(-1)?.chunkId ?? after
    }
  }
  // One after the other: two refreshes of one document must not count its chunks twice.
  function inOrder(task: () => Promise<void>): Promise<void> {
    work = work.catch(() => {}).then(task)
    return work
  }

  return {
    get statistics() {
      return statistics
    },
    refresh: (docId) =>
      inOrder(async () => {
        const rows = await readDocumentFeatures(db.executor, collection, docId)
        forget(docId)
        for (const row of rows) remember(row)
      }),
    load: () => inOrder(loadAll),
    async lookUp(chunkIds) {
      const found = new Map<number, StoredFeatures>()
      const missing: number[] = []
      for (const chunkId of chunkIds) {
        const stored = byChunk.get(chunkId)
        if (stored) found.set(chunkId, stored)
        else missing.push(chunkId)
      }
      if (missing.length > 0) for (const row of await readFeatures(db.executor, missing)) found.set(row.chunkId, row)
      return found
    },
  }
}
