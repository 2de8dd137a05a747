import type { ChunkFeatures } from './chunk-features.ts'
import type { RankingQuery } from './query.ts'
import { SIGNALS, type Signals, signalsOf } from './signals.ts'
import type { RankingParameters } from './types.ts'

/**
 * Learned by `node bench/lab/train.ts FIXTURES` (docs/decisions/0004-ranking.md): a softmax over each query's candidates plus a
 * little logistic loss, l2, then Platt scaling on queries with and without an answer.
 */
const WEIGHTS: Signals = {
  coverage: 0.95,
  questionCoverage: 1.43,
  questionPrecision: 1.11,
  headingCoverage: 0.39,
  bm25: 2.52,
  adjacency: 0.67,
  window: 1.24,
  vector: 0.57,
  otherType: -0.38,
  pair: -0.77,
  length: -1.03,
}
const BIAS = -2.33

/** The tuner's defaults, at which the learned weights hold as they are. */
const DEFAULT_VECTOR_WEIGHT = 0.4
const DEFAULT_TITLE_WEIGHT = 0.5

/** Estimated probability, 0 to 1, that a chunk answers the query: a logistic model over its signals. */
export function relevance(
  query: RankingQuery,
  chunk: ChunkFeatures,
  vectorScore: number | null,
  { vectorWeight, titleWeight }: Pick<RankingParameters, 'vectorWeight' | 'titleWeight'>,
): number {
  const signals = signalsOf(query, chunk, vectorScore)
  let sum = BIAS
  for (const name of SIGNALS) sum += WEIGHTS[name] * signals[name]
  sum += WEIGHTS.vector * signals.vector * (vectorWeight / DEFAULT_VECTOR_WEIGHT - 1)
  sum += WEIGHTS.headingCoverage * signals.headingCoverage * (titleWeight / DEFAULT_TITLE_WEIGHT - 1)
  return 1 / (1 + Math.exp(-sum))
}
