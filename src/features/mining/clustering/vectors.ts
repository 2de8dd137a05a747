/** Texts as sparse vectors of length 1, row after row: row `i` stands from `offsets[i]` to `offsets[i + 1]`. */
export interface SparseVectors {
  readonly offsets: Uint32Array
  /** Ascending within a row. */
  readonly terms: Uint32Array
  readonly weights: Float32Array
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
    terms: new Uint32Array(total),
    weights: new Float32Array(total),
    dimensions,
  }
  let end = 0
  texts.forEach((terms, text) => {
    const start = end
    for (const term of terms) {
      const weight = weightOf(term)
      if (weight === 0) continue
      vectors.terms[end] = term
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

/** Cosine of two rows. */
export function cosine({ offsets, terms, weights }: SparseVectors, a: number, b: number): number {
  let [i, j] = [offsets[a] as number, offsets[b] as number]
  const [endOfA, endOfB] = [offsets[a + 1] as number, offsets[b + 1] as number]
  let sum = 0
  while (i < endOfA && j < endOfB) {
    const difference = (terms[i] as number) - (terms[j] as number)
    if (difference === 0) sum += (weights[i] as number) * (weights[j] as number)
    if (difference <= 0) i += 1
    if (difference >= 0) j += 1
  }
  return sum
}

/** For each term the rows that have it with their weights, as rows of a matrix like the one that it is made from. */
export interface Postings {
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly weights: Float32Array
}

export function invert({ offsets, terms, weights, dimensions }: SparseVectors): Postings {
  const end = offsets[offsets.length - 1] as number
  const starts = new Uint32Array(dimensions + 1)
  for (let at = 0; at < end; at++) starts[(terms[at] as number) + 1]! += 1
  for (let term = 0; term < dimensions; term++) starts[term + 1]! += starts[term] as number
  const next = starts.slice()
  const postings = { offsets: starts, rows: new Uint32Array(end), weights: new Float32Array(end) }
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let at = offsets[row] as number; at < (offsets[row + 1] as number); at++) {
      const place = next[terms[at] as number] as number
      next[terms[at] as number] = place + 1
      postings.rows[place] = row
      postings.weights[place] = weights[at] as number
    }
  }
  return postings
}
