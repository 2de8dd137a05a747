import { countShared, jaccard, toSet } from '../../../kernel/sorted-sets.ts'
import { decodeFeatures } from '../retrieval/ranking/chunk-features.ts'
import { agreement, bucketsOf, mix, signatureOf } from './minhash.ts'

export interface Duplicate {
  /** Number of the chunk, counted from 0 in the order in which they were added. */
  chunk: number
  duplicateOf: number
  /** Jaccard similarity of the pairs of neighbouring words, 0 to 1. */
  similarity: number
}

/** From this similarity on two passages say the same; see docs/decisions/0006-near-duplicates.md. */
const DUPLICATE_SIMILARITY = 0.8
/** A pair of similarity 0.8 shares a band with 99.96 %, one of 0.3 with 5 %. */
const BANDING = { bands: 20, rows: 5 }
/** A pair whose signatures agree less cannot be a duplicate: six standard deviations below the threshold. */
const MIN_AGREEMENT = Math.floor(BANDING.bands * BANDING.rows * (DUPLICATE_SIMILARITY - 0.24))
/** Chunks of a bucket that later ones are compared with; without a bound a bucket of templates would cost its square. */
const MAX_HEADS = 10

/** Fewer pairs of words say nothing about a document. */
const MIN_SHINGLES = 5

/** Finds near duplicates among any number of chunks in nearly linear time; some 700 bytes a chunk. */
export function createDuplicateFinder() {
  const shingles: Uint32Array[] = []
  const signatures: Uint32Array[] = []
  return {
    /** @param words hashes of a chunk's words, in order. */
    add(words: Uint32Array): void {
      const set = shinglesOf(words)
      shingles.push(set)
      signatures.push(signatureOf(set, BANDING))
    },
    /** Each chunk that says almost the same as an earlier one, with that one. */
    find(): Duplicate[] {
      const found = new Map<number, Duplicate>()
      for (const { members } of bucketsOf(signatures, BANDING)) joinBucket(members, shingles, signatures, found)
      return [...found.values()].sort((a, b) => a.chunk - b.chunk)
    },
  }
}

/** Compares a bucket's chunks, in their order, with the earlier ones that are no duplicates themselves. */
function joinBucket(
  bucket: readonly number[],
  shingles: readonly Uint32Array[],
  signatures: readonly Uint32Array[],
  found: Map<number, Duplicate>,
): void {
  const heads: number[] = []
  for (const chunk of bucket) {
    if (found.has(chunk) || shingles[chunk]!.length === 0) continue
    const duplicate = firstDuplicate(chunk, heads, shingles, signatures)
    if (duplicate) found.set(chunk, duplicate)
    else if (heads.length < MAX_HEADS) heads.push(chunk)
  }
}

function firstDuplicate(
  chunk: number,
  heads: readonly number[],
  shingles: readonly Uint32Array[],
  signatures: readonly Uint32Array[],
): Duplicate | undefined {
  for (const head of heads) {
    if (agreement(signatures[head]!, signatures[chunk]!) < MIN_AGREEMENT) continue
    const similarity = jaccard(shingles[head]!, shingles[chunk]!)
    if (similarity >= DUPLICATE_SIMILARITY) return { chunk, duplicateOf: head, similarity }
  }
  return undefined
}

/** Pairs of neighbouring words as hashes; a single word stands for itself. */
function shinglesOf(words: Uint32Array): Uint32Array {
  if (words.length < 2) return words.slice()
  const pairs = new Uint32Array(words.length - 1)
  for (let i = 0; i < pairs.length; i++) pairs[i] = mix(Math.imul(words[i]!, 31) + words[i + 1]!)
  return toSet(pairs)
}

/**
 * The share of the shorter text's pairs of neighbouring words that the other one has too, 0 to 1; null where one is too
 * short. A document that grew keeps what it had, whatever was added.
 */
export function overlapOf(a: readonly Uint8Array[], b: readonly Uint8Array[]): number | null {
  const [first, second] = [shingles(a), shingles(b)]
  const shorter = Math.min(first.length, second.length)
  return shorter < MIN_SHINGLES ? null : countShared(first, second) / shorter
}

/** @param features what `encodeFeatures` made of each passage. */
function shingles(features: readonly Uint8Array[]): Uint32Array {
  const all = features.flatMap((each) => {
    const { question, content } = decodeFeatures(each)
    return [...shinglesOf(question), ...shinglesOf(content)]
  })
  return toSet(Uint32Array.from(all))
}
