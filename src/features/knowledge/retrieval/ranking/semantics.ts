import { DIMENSIONS } from '../../../../ai/embedder/vectors/format.ts'
import { type ChunkFeatures, decodeMeanings, type Meaning } from './chunk-features.ts'

/** Passages without a meaning of their own in an imagined base: in a base of one page its own subject is no commonplace. */
const IMAGINED_CHUNKS = 20

/** Meaning that the passages of a base have in common, kept as they come and go. */
export function createCommonMeaning() {
  const sum = new Float64Array(DIMENSIONS)
  let count = 0
  const change = (encoded: Uint8Array, by: 1 | -1): void => {
    const meanings = decodeMeanings(encoded)
    if (!meanings) return
    const { scale, values } = meanings.whole
    count += by
    for (let d = 0; d < DIMENSIONS; d++) sum[d]! += by * scale * values[d]!
  }
  return {
    add: (encoded: Uint8Array): void => change(encoded, 1),
    remove: (encoded: Uint8Array): void => change(encoded, -1),
    /** The mean of the passages' vectors. */
    mean: (): Float32Array => Float32Array.from(sum, (value) => value / (count + IMAGINED_CHUNKS)),
  }
}

/** A question's meaning beyond what all passages are about. */
export interface AskedMeaning {
  /** The question's vector less the mean: by it the nearest passages are found. */
  readonly vector: Float32Array
  readonly length: number
  readonly mean: Float32Array
  readonly meanSquared: number
  /** Product of `vector` and `mean`. */
  readonly offset: number
}

export function askedMeaning(question: Float32Array, mean: Float32Array): AskedMeaning {
  const vector = question.map((value, d) => value - mean[d]!)
  const offset = dot(vector, mean)
  return { vector, length: Math.sqrt(dot(vector, vector)), mean, meanSquared: dot(mean, mean), offset }
}

/**
 * How alike a question and a chunk are in meaning, -1 to 1: the larger cosine with what the chunk's question or heading
 * says and with what it says as a whole, each less what all passages of the base have in common.
 */
export function semanticSimilarity(asked: AskedMeaning, meanings: ChunkFeatures['meanings']): number {
  if (!meanings || asked.length === 0) return 0
  return Math.max(cosine(asked, meanings.topic), cosine(asked, meanings.whole))
}

function cosine({ vector, length, mean, meanSquared, offset }: AskedMeaning, { scale, values }: Meaning): number {
  if (scale === 0) return 0
  let product = 0
  let common = 0
  let squares = 0
  for (let d = 0; d < DIMENSIONS; d++) {
    const value = values[d]!
    product += vector[d]! * value
    common += mean[d]! * value
    squares += value * value
  }
  const own = Math.sqrt(Math.max(1e-9, scale * scale * squares - 2 * scale * common + meanSquared))
  return (scale * product - offset) / (length * own)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}
