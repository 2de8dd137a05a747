import { agreement, bucketsOf, jaccard, mix, signatureOf, toSet } from './minhash.ts'

export interface Duplicate {
  /** Number of the chunk, counted from 0 in the order in which they were added. */
  chunk: number
  duplicateOf: number
  /** Jaccard similarity of the pairs of neighbouring words, 0 to 1. */
  similarity: number
}

export interface DuplicateFinder {
  /** @param words hashes of a chunk's words, in order. */
  add(words: Uint32Array): void
  /** Each chunk that says almost the same as an earlier one, with that one. */
  find(): Duplicate[]
}

/** From this similarity on two passages say the same; see docs/decisions/0006-near-duplicates.md. */
const DUPLICATE_SIMILARITY = 0.8
/** A pair of similarity 0.8 shares a band with 99.96 %, one of 0.3 with 5 %. */
const BANDING = { bands: 20, rows: 5 }
/** A pair whose signatures agree less cannot be a duplicate: six standard deviations below the threshold. */
const MIN_AGREEMENT = Math.floor(BANDING.bands * BANDING.rows * (DUPLICATE_SIMILARITY - 0.24))
/** Chunks of a bucket that later ones are compared with; without a bound a bucket of templates would cost its square. */
const MAX_HEADS = 10

/** Finds near duplicates among any number of chunks in nearly linear time; some 700 bytes a chunk. */
export function createDuplicateFinder(): DuplicateFinder {
  const shingles: Uint32Array[] = []
  const signatures: Uint32Array[] = []
  return {
    add(words) {
      const set = shinglesOf(words)
      shingles.push(set)
      signatures.push(signatureOf(set, BANDING))
    },
    find() {
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
export function shinglesOf(words: Uint32Array): Uint32Array {
  if (words.length < 2) return words.slice()
  const pairs = new Uint32Array(words.length - 1)
  for (let i = 0; i < pairs.length; i++) pairs[i] = mix(Math.imul(words[i]!, 31) + words[i + 1]!)
  return toSet(pairs)
}
