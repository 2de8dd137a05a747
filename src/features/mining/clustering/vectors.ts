import type { SparseRows } from './sparse-rows.ts'

/** Texts as sparse vectors of length 1: their columns are terms, ascending within a row. */
export interface SparseVectors extends SparseRows {
  /** Term numbers are below this. */
  readonly dimensions: number
}

export interface WeightingOptions {
  /** Factor of each term, 0 to 1; undefined: 1 for all. */
  factors?: Float32Array | undefined
  /** Terms that are left out although they are frequent enough. */
  keep?: (term: number) => boolean
}

/** In few texts everything is frequent, so the share says nothing yet. */
const MIN_FREQUENT_TEXTS = 20
const MAX_SHARE = 0.5

/**
 * TF-IDF with binary frequencies: a short request repeats nothing, and a long one should not count more for repeating.
 * Terms of one text connect nothing, terms of more than half of the texts tell nothing apart; both are left out.
 */
export function weigh(
  texts: readonly Uint32Array[],
  dimensions: number,
  options: WeightingOptions = {},
): SparseVectors {
  const idf = inverseFrequencies(texts, dimensions)
  const { factors, keep } = options
  const weightOf = (term: number): number =>
    keep && !keep(term) ? 0 : (idf[term] as number) * (factors ? (factors[term] as number) : 1)
  const total = texts.reduce((sum, terms) => sum + terms.length, 0)
  const vectors = {
    offsets: new Uint32Array(texts.length + 1),
    columns: new Uint32Array(total),
    weights: new Float32Array(total),
    dimensions,
  }
  let end = 0
  texts.forEach((terms, text) => {
    const start = end
    for (const term of terms) {
      const weight = weightOf(term)
      if (weight === 0) continue
      vectors.columns[end] = term
      vectors.weights[end] = weight
      end += 1
    }
    normalise(vectors.weights.subarray(start, end))
    vectors.offsets[text + 1] = end
  })
  return vectors
}

/** Weight of each term; 0 for those that are left out. */
export function inverseFrequencies(texts: readonly Uint32Array[], dimensions: number): Float32Array {
  const frequencies = new Uint32Array(dimensions)
  for (const terms of texts) for (const term of terms) frequencies[term]! += 1
  const mostTexts = Math.max(MIN_FREQUENT_TEXTS, texts.length * MAX_SHARE)
  return Float32Array.from(frequencies, (n) => (n < 2 || n > mostTexts ? 0 : Math.log(1 + texts.length / n)))
}

/** Brings a vector to length 1 in place. */
export function normalise(weights: Float32Array): void {
  let squares = 0
  for (const weight of weights) squares += weight * weight
  if (squares === 0) return
  const length = Math.sqrt(squares)
  for (let i = 0; i < weights.length; i++) weights[i]! /= length
}
