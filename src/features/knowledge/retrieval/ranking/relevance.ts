import type { ChunkFeatures } from './chunk-features.ts'
import type { RankingQuery } from './query.ts'
import { type Signals, signalsOf } from './signals.ts'
import type { RankingParameters } from './types.ts'

/**
 * Learned by `node bench/lab/train.ts FIXTURES` (docs/decisions/0070-ranking.md): a softmax over each query's candidates
 * plus a little logistic loss, l2, then Platt scaling on the first hits of queries with and without an answer. The weight
 * of all headings together is set by hand: in the test collections the upper ones say nothing.
 */
const WEIGHTS: Signals = {
  coverage: 0.66,
  questionCoverage: 2.36,
  questionPrecision: 1.09,
  headingCoverage: 0.25,
  topicCoverage: 0.81,
  topicPrecision: 0.81,
  bm25: 1.83,
  plainBm25: 2.36,
  adjacency: 0.7,
  window: 1.27,
  vector: 0.1,
  otherType: -0.32,
  pair: -0.15,
  length: -1.46,
}
export const SIGNALS = Object.keys(WEIGHTS) as (keyof Signals)[]
const BIAS = -2.58

/** The tuner's defaults, at which the learned weights hold as they are. */
const DEFAULT_VECTOR_WEIGHT = 0.4
const DEFAULT_TITLE_WEIGHT = 0.5
const TITLE_SIGNALS = ['headingCoverage', 'topicCoverage', 'topicPrecision'] as const

/** A semantic model's similarity counts from so many deviations above that of unrelated passages on, and up to so many. */
const SEMANTIC_FROM = 2
const SEMANTIC_UP_TO = 8
/** In a base whose passages are all alike the slightest difference would be many deviations. */
const MIN_DEVIATION = 0.02
/** Set by reasoning: at the most it outweighs an average answer's missing words, as no test collection has a model's vectors. */
const SEMANTIC_WEIGHT = 0.5

/** Estimated probability, 0 to 1, that a chunk answers the query: a logistic model over its signals. */
export function relevance(
  query: RankingQuery,
  chunk: ChunkFeatures,
  vectorScore: number | null,
  parameters: Pick<RankingParameters, 'vectorWeight' | 'titleWeight' | 'unrelatedSimilarity'>,
): number {
  const signals = signalsOf(query, chunk, vectorScore)
  let sum = BIAS
  for (const name of SIGNALS) sum += WEIGHTS[name] * signals[name]
  sum += vectorCorrection(signals.vector, vectorScore, parameters)
  for (const name of TITLE_SIGNALS)
    sum += WEIGHTS[name] * signals[name] * (parameters.titleWeight / DEFAULT_TITLE_WEIGHT - 1)
  return 1 / (1 + Math.exp(-sum))
}

/** Replaces the learned share of the vector by what the tuner and a model in place of the built-in embedder make of it. */
function vectorCorrection(
  signal: number,
  vectorScore: number | null,
  { vectorWeight, unrelatedSimilarity }: Pick<RankingParameters, 'vectorWeight' | 'unrelatedSimilarity'>,
): number {
  const share = vectorWeight / DEFAULT_VECTOR_WEIGHT
  const learned = WEIGHTS.vector * signal
  if (!unrelatedSimilarity) return learned * (share - 1)
  const { mean, deviation } = unrelatedSimilarity
  const deviations = vectorScore === null ? 0 : (vectorScore - mean) / Math.max(deviation, MIN_DEVIATION)
  const above = Math.min(SEMANTIC_UP_TO, Math.max(SEMANTIC_FROM, deviations)) - SEMANTIC_FROM
  return share * SEMANTIC_WEIGHT * above - learned
}
