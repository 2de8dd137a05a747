import { decodeFeatures } from './chunk-features.ts'

/** In how many searchable chunks each word occurs. */
export type TermStatistics = {
  readonly chunkCount: number
  documentFrequency(hash: number): number
  /** Counts a chunk that became searchable. */
  add(encodedFeatures: Uint8Array): void
  /** Takes back a chunk that was counted. */
  remove(encodedFeatures: Uint8Array): void
}

/** Keeps document frequencies in memory: some 50 bytes per distinct word. Fill it from the stored features at start. */
export function createTermStatistics(): TermStatistics {
  const frequencies = new Map<number, number>()
  let chunkCount = 0
  const change = (encoded: Uint8Array, by: 1 | -1): void => {
    const { heading, question, content } = decodeFeatures(encoded)
    chunkCount += by
    for (const hash of new Set([...heading, ...question, ...content])) {
      const frequency = (frequencies.get(hash) ?? 0) + by
      if (frequency > 0) frequencies.set(hash, frequency)
      else frequencies.delete(hash)
    }
  }
  return {
    get chunkCount() {
      return chunkCount
    },
    documentFrequency: (hash) => frequencies.get(hash) ?? 0,
    add: (encoded) => change(encoded, 1),
    remove: (encoded) => change(encoded, -1),
  }
}
