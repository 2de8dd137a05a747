import { readFileSync } from 'node:fs'
import type { ChunkFeatures } from './chunk-features.ts'
import type { RankingQuery } from './query.ts'
import { type Signals, signalsOf } from './signals.ts'
import type { Candidate, RankingParameters } from './types.ts'

interface RankingModel {
  bias: number
  weights: Signals
  /** Log odds that full support by other passages of the document adds, and how sharply evidence fades (see `createSupport`). */
  siblings: { weight: number; sharpness: number }
}

/**
 * Learned by `node bench/lab/train.ts FIXTURES` (docs/decisions/0131-ranking-on-varied-bases.md), which writes the file: a
 * softmax over each query's candidates plus a little logistic loss, l2, then the weight of siblings, then Platt scaling on the
 * first hits of queries with and without an answer.
 */
const MODEL = JSON.parse(readFileSync(new URL('./weights.json', import.meta.url), 'utf8')) as RankingModel
const { weights: WEIGHTS, bias: BIAS } = MODEL
export const SIBLINGS = MODEL.siblings
export const SIGNALS = Object.keys(WEIGHTS) as (keyof Signals)[]

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

/** Estimated log odds that a chunk answers the query, by itself: a linear model over its signals. */
export function relevance(
  query: RankingQuery,
  chunk: ChunkFeatures,
  { semantic, vectorScore }: Pick<Candidate, 'semantic' | 'vectorScore'>,
  parameters: Pick<RankingParameters, 'vectorWeight' | 'titleWeight' | 'unrelatedSimilarity'>,
): number {
  const signals = signalsOf(query, chunk, semantic)
  let sum = BIAS
  for (const name of SIGNALS) sum += WEIGHTS[name] * signals[name]
  sum += vectorCorrection(signals.semantic, vectorScore, parameters)
  for (const name of TITLE_SIGNALS)
    sum += WEIGHTS[name] * signals[name] * (parameters.titleWeight / DEFAULT_TITLE_WEIGHT - 1)
  return sum
}

/** A part of a score: what was measured, and how far it moves the log odds. */
export interface ScorePart {
  readonly name: keyof Signals | 'model' | 'siblings' | 'start'
  readonly value: number
  readonly logOdds: number
}

/** The same sum as `relevance`, part by part. */
export function relevanceParts(
  query: RankingQuery,
  chunk: ChunkFeatures,
  { semantic, vectorScore }: Pick<Candidate, 'semantic' | 'vectorScore'>,
  parameters: Pick<RankingParameters, 'vectorWeight' | 'titleWeight' | 'unrelatedSimilarity'>,
): ScorePart[] {
  const signals = signalsOf(query, chunk, semantic)
  const { vectorWeight } = parameters
  const ofMeaning = vectorCorrection(signals.semantic, null, { vectorWeight })
  const corrections: Partial<Signals> = { semantic: ofMeaning }
  for (const name of TITLE_SIGNALS)
    corrections[name] = WEIGHTS[name] * signals[name] * (parameters.titleWeight / DEFAULT_TITLE_WEIGHT - 1)
  return [
    { name: 'start', value: 1, logOdds: BIAS },
    ...SIGNALS.map((name) => {
      return { name, value: signals[name], logOdds: WEIGHTS[name] * signals[name] + (corrections[name] ?? 0) }
    }),
    {
      name: 'model',
      value: parameters.unrelatedSimilarity ? (vectorScore ?? 0) : 0,
      logOdds: vectorCorrection(signals.semantic, vectorScore, parameters) - ofMeaning,
    },
  ]
}

/** Makes of the learned share of meaning what the tuner wants, and adds what a model in place of the built-in vectors says. */
function vectorCorrection(
  signal: number,
  vectorScore: number | null,
  { vectorWeight, unrelatedSimilarity }: Pick<RankingParameters, 'vectorWeight' | 'unrelatedSimilarity'>,
): number {
  const share = vectorWeight / DEFAULT_VECTOR_WEIGHT
  const learned = WEIGHTS.semantic * signal * (share - 1)
  if (!unrelatedSimilarity) return learned
  const { mean, deviation } = unrelatedSimilarity
  const deviations = vectorScore === null ? 0 : (vectorScore - mean) / Math.max(deviation, MIN_DEVIATION)
  const above = Math.min(SEMANTIC_UP_TO, Math.max(SEMANTIC_FROM, deviations)) - SEMANTIC_FROM
  return learned + share * SEMANTIC_WEIGHT * above
}
