import type { ChunkFeatures } from './chunk-features.ts'
import { type FieldMatch, matchField } from './matching.ts'
import type { Match, RankingQuery } from './query.ts'
import { termWeight } from './term-statistics.ts'

/** The features of the relevance model; each about 0 to 1. */
export type Signals = ReturnType<typeof signalsOf>

/** Passages up to this near in meaning are about other things. */
const UNRELATED = 0.35
const K1 = 1.2
const B = 0.75

/** Computes the signals of one candidate. A plain passage has no question to match, so its text counts more. */
export function signalsOf(query: RankingQuery, chunk: ChunkFeatures, semantic: number | null) {
  const heading = matchField(query, chunk.heading)
  const question = matchField(query, chunk.question)
  const content = matchField(query, chunk.content)
  const anywhere = strongest(query, [heading, question, content])
  const found = bm25(query, [heading, question, content], chunk.question.length + chunk.content.length)
  const isPair = chunk.question.length > 0
  const asked = query.type !== 'none' && isPair
  return {
    coverage: coverage(query, anywhere),
    questionCoverage: coverage(query, question.strengths),
    questionPrecision: precision(query, chunk.question),
    headingCoverage: coverage(query, heading.strengths),
    bm25: found,
    plainBm25: isPair ? 0 : found,
    topicCoverage: isPair ? 0 : coverage(query, matchField(query, chunk.topic).strengths),
    topicPrecision: isPair ? 0 : precision(query, chunk.topic),
    adjacency: Math.max(content.adjacency, question.adjacency),
    window: content.window,
    semantic: Math.max(0, (semantic ?? 0) - UNRELATED),
    otherType: asked && chunk.type !== 'none' && query.type !== chunk.type ? 1 : 0,
    pair: isPair ? 1 : 0,
    length: Math.log1p(chunk.content.length) / 5,
    telling: query.telling,
  }
}

function strongest({ weights }: RankingQuery, fields: readonly FieldMatch[]): Float64Array {
  const best = new Float64Array(weights.length)
  for (const { strengths } of fields) {
    for (let slot = 0; slot < best.length; slot++) if (strengths[slot]! > best[slot]!) best[slot] = strengths[slot]!
  }
  return best
}

/** Share of the query's weight that is found. */
function coverage({ weights, totalWeight }: RankingQuery, strengths: Float64Array): number {
  let sum = 0
  for (let slot = 0; slot < weights.length; slot++) sum += weights[slot]! * strengths[slot]!
  return totalWeight > 0 ? sum / totalWeight : 0
}

/** Share of the chunk's question that the query asks for too: a question about more is another question. */
function precision({ matches, statistics }: RankingQuery, question: Uint32Array): number {
  let asked = 0
  let total = 0
  for (const [i, hash] of question.entries()) {
    // At the most 64 words: looking back is faster than a set of them.
    if (question.indexOf(hash) < i) continue
    const weight = termWeight(hash, statistics)
    total += weight
    asked += weight * bestStrength(matches.get(hash))
  }
  return total > 0 ? asked / total : 0
}

function bestStrength(matches: readonly Match[] | undefined): number {
  let best = 0
  for (const { strength, before } of matches ?? []) if (before.length === 0 && strength > best) best = strength
  return best
}

/** BM25 over words and their other wordings, as a share of what a query's words could score at the most. */
function bm25(
  { weights, totalWeight, statistics }: RankingQuery,
  fields: readonly FieldMatch[],
  length: number,
): number {
  const norm = K1 * (1 - B + (B * length) / statistics.averageLength)
  let sum = 0
  for (let slot = 0; slot < weights.length; slot++) {
    let count = 0
    for (const { counts } of fields) count += counts[slot]!
    sum += (weights[slot]! * count) / (count + norm)
  }
  return totalWeight > 0 ? sum / totalWeight : 0
}
