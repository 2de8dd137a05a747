import { decodeFeatures } from '../ranking/chunk-features.ts'
import { shinglesOf } from './duplicates.ts'
import { countShared, toSet } from './minhash.ts'

/** Fewer pairs of words say nothing about a document. */
const MIN_SHINGLES = 5

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
