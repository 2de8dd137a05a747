/** Numbers in [0, 1), the same ones for the same seed. Mulberry32, by T. Ettinger, in the public domain. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Interval {
  low: number
  high: number
}

const RESAMPLES = 2_000
/** Draws per interval: of thousands of cases fewer resamples do, and nobody may wait for arithmetic. */
const MAX_DRAWS = 1_000_000

/**
 * 95 % confidence interval of the mean of paired differences, by the percentile bootstrap; the same one each time.
 * Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13.
 */
export function bootstrapInterval(differences: readonly number[], seed = 1): Interval {
  const random = createRandom(seed)
  const count = differences.length
  if (count === 0) return { low: 0, high: 0 }
  const resamples = Math.min(RESAMPLES, Math.ceil(MAX_DRAWS / count))
  const means = new Float64Array(resamples)
  for (let i = 0; i < resamples; i++) {
    let sum = 0
    for (let drawn = 0; drawn < count; drawn++) sum += differences[Math.floor(random() * count)] as number
    means[i] = sum / count
  }
  const sorted = means.sort()
  const at = (share: number): number => sorted[Math.round(share * (resamples - 1))] as number
  return { low: at(0.025), high: at(0.975) }
}

/** Is a difference with this interval more than chance? */
export function verdictOf({ low, high }: Interval): 'better' | 'not_significant' | 'worse' {
  if (low > 0) return 'better'
  return high < 0 ? 'worse' : 'not_significant'
}
