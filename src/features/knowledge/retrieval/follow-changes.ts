import { createBatcher } from '../../../kernel/batcher.ts'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Collection, OnStored } from '../types.ts'
import type { FeatureIndex } from './feature-index.ts'
import { listDocumentChunks } from './queries.ts'

/** Documents that are read at once. */
const MAX_BATCH = 64
/** Chunks whose features wait to be taken over: of a change that came to nothing they are never asked for. */
const MAX_WAITING = 5_000

/**
 * Brings the indexes up to date after changes. A change is reported by the one who made it and by the database: reports
 * that come together are answered by one reading, and features that were stored here are not read at all.
 */
export function createFollower(executor: Executor, indexes: Readonly<Record<Collection, FeatureIndex>>) {
  const fresh = new Map<number, Uint8Array>()
  const onStored: OnStored = (chunkIds, chunks) => {
    if (fresh.size + chunkIds.length > MAX_WAITING) fresh.clear()
    for (const [i, chunkId] of chunkIds.entries()) fresh.set(chunkId, chunks[i]!.features)
  }

  async function read(docIds: readonly string[]): Promise<undefined[]> {
    const distinct = [...new Set(docIds)]
    const listed = await listDocumentChunks(executor, distinct)
    const refreshes = distinct.flatMap((docId) => {
      const own = listed.filter((each) => each.docId === docId)
      return Object.entries(indexes).map(([name, index]) =>
        index.refresh(docId, { chunks: own.filter(({ collection }) => collection === name), features: fresh }),
      )
    })
    await Promise.all(refreshes)
    for (const { chunkIds } of listed) for (const chunkId of chunkIds) fresh.delete(chunkId)
    return docIds.map(() => undefined)
  }

  const changes = new Map<string, number>()

  /** Notices of a document until a change made here ends is known to the reading that follows it. */
  async function changing<T>(docId: string, change: Promise<T>, takeOver: () => Promise<void>): Promise<T> {
    changes.set(docId, (changes.get(docId) ?? 0) + 1)
    const end = (): void => {
      const left = (changes.get(docId) ?? 1) - 1
      if (left > 0) changes.set(docId, left)
      else changes.delete(docId)
    }
    try {
      const result = await change.finally(end)
      await takeOver()
      return result
    } catch (error) {
      // A change of others may have come meanwhile. Without the database nothing is taken over, and all of it once it is back.
      takeOver().catch(() => {})
      throw error
    }
  }

  return {
    onStored,
    changing,
    /** Whether a change made here will be taken over later than now. */
    isChanging: (docId: string): boolean => changes.has(docId),
    /** Resolves when searches know of all changes of a document that are committed by now. */
    refresh: createBatcher<string, undefined>({ run: read, maxBatch: MAX_BATCH }),
  }
}
