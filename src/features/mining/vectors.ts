/** Texts as sparse vectors of length 1: sorted term numbers with their weights. */
export interface SparseVectors {
  readonly terms: readonly Uint32Array[]
  readonly weights: readonly Float32Array[]
  readonly dimensions: number
}

export interface WeightingOptions {
  /** Terms in more than this share of the texts say nothing. */
  maxShare: number
  /** Terms in fewer texts connect nothing. */
  minTexts: number
}

/**
 * TF-IDF with binary frequencies: a short request repeats nothing, and a long one should not count more for repeating.
 * `counts` says for how many tickets each text stands.
 */
export function weigh(
  texts: readonly (readonly string[])[],
  counts: readonly number[],
  options: WeightingOptions,
): SparseVectors {
  const frequency = new Map<string, number>()
  let total = 0
  texts.forEach((text, i) => {
    total += counts[i] as number
    for (const term of new Set(text)) frequency.set(term, (frequency.get(term) ?? 0) + (counts[i] as number))
  })
  const kept = [...frequency].filter(
    ([, n]) => n >= options.minTexts && n <= Math.max(options.minTexts, total * options.maxShare),
  )
  const numbers = new Map(kept.map(([term], i) => [term, i]))
  const idf = kept.map(([, n]) => Math.log(1 + total / n))
  const vectors = texts.map((text) =>
    sparse(
      [...new Set(text)].flatMap((term) => numbers.get(term) ?? []),
      idf,
    ),
  )
  return {
    terms: vectors.map(({ terms }) => terms),
    weights: vectors.map(({ weights }) => weights),
    dimensions: kept.length,
  }
}

function sparse(found: number[], idf: readonly number[]): { terms: Uint32Array; weights: Float32Array } {
  const terms = Uint32Array.from(found).sort()
  const weights = Float32Array.from(terms, (term) => idf[term] as number)
  const length = Math.hypot(...weights)
  return { terms, weights: length > 0 ? weights.map((weight) => weight / length) : weights }
}
