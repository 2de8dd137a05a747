import { setImmediate as breathe } from 'node:timers/promises'
import pLimit from 'p-limit'
import { batchesOf } from '../../../kernel/batches.ts'
import { hashTerm } from '../../../language/words/hash-term.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Collection } from '../types.ts'
import { createLexicalIndex } from './lexical/lexical-index.ts'
import { createNearest } from './nearest.ts'
import {
  type FeaturePage,
  type FeatureRow,
  type ListedChunks,
  listDocumentChunks,
  readFeaturePage,
  readIdBounds,
  type ScoredChunk,
} from './queries.ts'
import { type AskedMeaning, createCommonMeaning } from './ranking/semantics.ts'
import { createTermStatistics, type TermStatistics } from './ranking/term-statistics.ts'

const PAGE_ROWS = 2_000
/** Rows counted before other requests get their turn. */
const SLICE = 100
/** Chunks whose features a replica holds of a collection: some 40 MB. Of a larger one it holds a part, by blocks of ids. */
export const RESIDENT_PASSAGES = { embedded: 200_000, server: 50_000 }
const BLOCK = 32

type StoredFeatures = Omit<FeatureRow, 'chunkId'>

/** The chunks of a document in a collection, and features of those that are known already. */
export interface Changes {
  chunks: readonly ListedChunks[]
  features: ReadonlyMap<number, Uint8Array>
}

export type FeatureIndex = ReturnType<typeof createFeatureIndex>

/**
 * The features that ranking needs of every searchable chunk, held in memory (some hundreds of bytes a chunk) so that a search reads
 * only ids and scores of its candidates: features by chunk, and in how many chunks each word occurs. Of a collection that is too
 * large for that it holds a part, from which it tells how common words are; a search then reads what it needs.
 */
export function createFeatureIndex(
  db: Database,
  collection: Collection,
  resident: number = RESIDENT_PASSAGES[db.kind],
) {
  let shelf = createShelf(1)
  // Two refreshes of one document must not count its chunks twice.
  const inTurn = pLimit(1)
  const size = (): number => shelf.size() * shelf.stride
  const lexical = createLexicalIndex(db, collection, size)

  async function loadAll(): Promise<void> {
    const bounds = await readIdBounds(db.executor, collection)
    shelf = bounds ? await loadedBetween(bounds) : createShelf(1)
    await lexical.follow()
  }
  /** Every block, or of too many each second, fourth and so on, as by chance. */
  async function loadedBetween({ first, last }: { first: number; last: number }): Promise<Shelf> {
    for (let stride = 1; ; ) {
      const fresh = createShelf(stride)
      const stoppedAt = await fill(fresh, stride === 1 ? everyPage(readPage) : readPages(fresh, first, last))
      if (stoppedAt === null) return fresh
      const left = (last - first + 1) / Math.max(1, stoppedAt - first)
      stride *= 2 ** Math.max(1, Math.ceil(Math.log2(left)))
    }
  }
  const readPage = (asked: FeaturePage): Promise<FeatureRow[]> => readFeaturePage(db.executor, collection, asked)
  async function* readPages({ holds }: Shelf, first: number, last: number): AsyncGenerator<FeatureRow[]> {
    const blocks: number[] = []
    for (let block = blockOf(first); block <= blockOf(last); block++) if (holds(block * BLOCK)) blocks.push(block)
    for (const some of batchesOf(blocks, PAGE_ROWS / BLOCK)) yield await readPage({ blocks: some, blockSize: BLOCK })
  }
  /** @returns the id at which there was no more room; null: all fit */
  async function fill(fresh: Shelf, pages: AsyncIterable<FeatureRow[]>): Promise<number | null> {
    for await (const rows of pages) {
      await putAll(fresh, rows)
      if (fresh.size() > resident) return rows.at(-1)!.chunkId
    }
    return null
  }
  const listed = async (docId: string): Promise<ListedChunks[]> =>
    (await listDocumentChunks(db.executor, [docId])).filter((each) => each.collection === collection)

  async function readChanges(docId: string, { chunks, features }: Changes): Promise<void> {
    const dated = chunks.flatMap(({ chunkIds, ...of }) => chunkIds.map((chunkId) => [chunkId, of] as const))
    const current = new Map(dated)
    const missing = shelf.keep(docId, current)
    const known = missing.flatMap((chunkId): FeatureRow[] => {
      const stored = features.get(chunkId)
      return stored ? [{ ...current.get(chunkId)!, chunkId, features: stored }] : []
    })
    await putAll(shelf, known)
    const unread = missing.filter((chunkId) => !features.has(chunkId))
    for (const page of batchesOf(unread, PAGE_ROWS)) await putAll(shelf, await readPage({ chunkIds: page }))
    if (shelf.size() > resident) await loadAll()
    else lexical.changed()
  }

  return {
    get statistics(): TermStatistics {
      return shelf.statistics
    },
    /** Finds chunks by words. */
    lexical,
    /** Chunks that are there, about, where they are too many to be held. */
    size,
    /** Whether the features of all chunks are here: then `nearest` knows every one. */
    isWhole: (): boolean => shelf.stride === 1,
    /** Those of a text's words that some chunk holds although none that is held here does. */
    async rareWords(words: readonly string[]): Promise<string[]> {
      if (shelf.stride === 1) return []
      return lexical.held(
        [...new Set(words)].filter((word) => shelf.statistics.documentFrequency(hashTerm(word)) === 0),
      )
    },
    /** The chunks of a document. */
    async chunksOf(docId: string): Promise<number[]> {
      if (shelf.stride === 1) return [...shelf.chunksOf(docId)]
      return (await listed(docId)).flatMap(({ chunkIds }) => chunkIds)
    },
    /** Mean of the passages' vectors: what they have in common. */
    commonMeaning: (): Float32Array => shelf.common.mean(),
    /** The chunks nearest to a question in meaning by the built-in vectors, best first. */
    nearest: (asked: AskedMeaning, count: number): ScoredChunk[] => shelf.nearest.find(asked, count),
    /**
     * Takes over what changed of a document: its chunks never change, they come and go.
     * @param changes what was read of it, in the order of the changes; default: reads it
     */
    refresh: (docId: string, changes?: Changes): Promise<void> =>
      inTurn(async () => readChanges(docId, changes ?? { chunks: await listed(docId), features: new Map() })),
    /** Reads everything anew; until it is there, what was there before serves. */
    load: (): Promise<void> => inTurn(loadAll),
    /** Features of candidates; those that are not held here are read from the database. */
    async lookUp(chunkIds: readonly number[]): Promise<Map<number, StoredFeatures>> {
      const found = new Map<number, StoredFeatures>()
      const missing: number[] = []
      for (const chunkId of chunkIds) {
        const stored = shelf.get(chunkId)
        if (stored) found.set(chunkId, stored)
        else missing.push(chunkId)
      }
      if (missing.length > 0) for (const row of await readPage({ chunkIds: missing })) found.set(row.chunkId, row)
      return found
    },
  }
}

/** All chunks in the order of their ids; the database reads the next page while one is counted. */
async function* everyPage(read: (asked: FeaturePage) => Promise<FeatureRow[]>): AsyncGenerator<FeatureRow[]> {
  const after = (chunkId: number): Promise<FeatureRow[]> => read({ after: chunkId, limit: PAGE_ROWS })
  for (let next: Promise<FeatureRow[]> | undefined = after(0); next; ) {
    const rows: FeatureRow[] = await next
    const last = rows.at(-1)
    next = last && rows.length === PAGE_ROWS ? after(last.chunkId) : undefined
    // It may fail after the last one was asked for.
    next?.catch(() => {})
    yield rows
  }
}

function blockOf(chunkId: number): number {
  return Math.floor(chunkId / BLOCK)
}

/** Numbers that follow each other become ones that do not (Knuth's multiplicative hashing). */
function scattered(number: number): number {
  return Math.imul(number, 0x9e3779b1) >>> 8
}

async function putAll(shelf: Shelf, rows: readonly FeatureRow[]): Promise<void> {
  for (const [i, row] of rows.entries()) {
    if (i > 0 && i % SLICE === 0) await breathe()
    shelf.put(row)
  }
}

type Shelf = ReturnType<typeof createShelf>

/**
 * The chunks in memory and the statistics over exactly these.
 * @param stride holds a block of chunks out of so many, a power of two; which ones is the same in every replica.
 */
function createShelf(stride: number) {
  const byChunk = new Map<number, StoredFeatures>()
  const byDocument = new Map<string, Set<number>>()
  const statistics = createTermStatistics()
  const common = createCommonMeaning()
  const nearest = createNearest(common.mean)

  const holds = (chunkId: number): boolean => scattered(blockOf(chunkId)) % stride === 0

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
    stride,
    holds,
    put(row: FeatureRow): void {
      const { chunkId, docId, features } = row
      if (byChunk.has(chunkId) || !holds(chunkId)) return
      byDocument.set(docId, (byDocument.get(docId) ?? new Set()).add(chunkId))
      byChunk.set(chunkId, row)
      statistics.add(features)
      common.add(features)
      nearest.add(chunkId, features)
    },
    chunksOf: (docId: string): ReadonlySet<number> => byDocument.get(docId) ?? new Set(),
    /** Drops a document's other chunks, dates these, and returns those of them that are not here. */
    keep(docId: string, current: ReadonlyMap<number, { publishedAt: Date }>): number[] {
      const here = byDocument.get(docId) ?? new Set()
      for (const chunkId of here) {
        const dated = current.get(chunkId)
        const stored = byChunk.get(chunkId)
        if (dated && stored) stored.publishedAt = dated.publishedAt
        else {
          remove(chunkId)
          here.delete(chunkId)
        }
      }
      if (here.size === 0) byDocument.delete(docId)
      return [...current.keys()].filter((chunkId) => !byChunk.has(chunkId) && holds(chunkId))
    },
  }
}
