import { hashTerm } from '../../../../language/words/hash-term.ts'
import { STOP_WORDS } from '../../../../language/words/stop-words.ts'
import { decodeFeatures } from './chunk-features.ts'

/** In how many searchable chunks each word occurs, and how long chunks are. */
export type TermStatistics = ReturnType<typeof createTermStatistics>

/** Keeps document frequencies in memory: some 50 bytes per distinct word. Fill it from the stored features at start. */
export function createTermStatistics() {
  const frequencies = new Map<number, number>()
  let chunkCount = 0
  let wordCount = 0
  const change = (encoded: Uint8Array, by: 1 | -1): void => {
    const { heading, question, content } = decodeFeatures(encoded)
    chunkCount += by
    wordCount += by * (question.length + content.length)
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
    /** Words per chunk, question and content; 1 at least. */
    get averageLength() {
      return Math.max(1, wordCount / Math.max(1, chunkCount))
    },
    documentFrequency: (hash: number): number => frequencies.get(hash) ?? 0,
    /** Counts a chunk that became searchable. */
    add: (encodedFeatures: Uint8Array): void => change(encodedFeatures, 1),
    /** Takes back a chunk that was counted. */
    remove: (encodedFeatures: Uint8Array): void => change(encodedFeatures, -1),
  }
}

/** The same, for a base that holds more words than were counted: the given ones stand in a passage, too. */
export function withHeld(statistics: TermStatistics, words: readonly string[]): TermStatistics {
  if (words.length === 0) return statistics
  const held = new Set(words.map(hashTerm))
  const { chunkCount, averageLength, documentFrequency, add, remove } = statistics
  const frequency = (hash: number): number => documentFrequency(hash) || Number(held.has(hash))
  return { chunkCount, averageLength, documentFrequency: frequency, add, remove }
}

const STOP_HASHES = new Set([...STOP_WORDS].map(hashTerm))
const STOP_WORD_SHARE = 0.15
const STOP_WORD_MAX_IDF = 2

/**
 * The prior of words before anything is known: chunks of an imagined library, and in how many of them a word
 * occurs. In a base of one page every word of the page would otherwise count for nothing.
 */
const IMAGINED_CHUNKS = 200
const IMAGINED_FREQUENCY = 1

/** BM25's inverse document frequency, never negative. */
export function inverseFrequency(hash: number, statistics: TermStatistics): number {
  return weightOf(statistics.documentFrequency(hash), statistics)
}

/** Weight of a word that no chunk holds. */
export function rarestWeight(statistics: TermStatistics): number {
  return weightOf(0, statistics)
}

function weightOf(documentFrequency: number, { chunkCount }: TermStatistics): number {
  const frequency = documentFrequency + IMAGINED_FREQUENCY
  const count = chunkCount + IMAGINED_CHUNKS
  return Math.log(1 + Math.max(0, count - frequency + 0.5) / (frequency + 0.5))
}

/** How much a word says: its idf. A stop word says a little ("when" is not "why"), however rare it is here. */
export function termWeight(hash: number, statistics: TermStatistics): number {
  const idf = inverseFrequency(hash, statistics)
  return STOP_HASHES.has(hash) ? STOP_WORD_SHARE * Math.min(idf, STOP_WORD_MAX_IDF) : idf
}
