import type { ChunkFeatures } from './chunk-features.ts'
import type { RankingQuery } from './query.ts'
import type { Candidate, RankingParameters } from './types.ts'

type Signals = {
  coverage: number
  question: number
  heading: number
  proximity: number
  vector: number
  fusion: number
}

const WEIGHTS: Signals = { coverage: 3, question: 3, heading: 0.5, proximity: 1, vector: 3, fusion: 1 }
const BIAS = -4

/** Estimated probability, 0 to 1, that a chunk answers the query: a logistic model over a handful of signals. */
export function relevance(
  query: RankingQuery,
  chunk: ChunkFeatures,
  candidate: Candidate,
  parameters: RankingParameters,
): number {
  const signals = signalsOf(query, chunk, candidate, parameters)
  let sum = BIAS
  for (const name of Object.keys(WEIGHTS) as (keyof Signals)[]) sum += WEIGHTS[name] * signals[name]
  return 1 / (1 + Math.exp(-sum))
}

function signalsOf(query: RankingQuery, chunk: ChunkFeatures, candidate: Candidate, p: RankingParameters): Signals {
  const heading = new Set(chunk.heading)
  const question = new Set(chunk.question)
  const content = new Set(chunk.content)
  const any = (hash: number): boolean => content.has(hash) || question.has(hash) || heading.has(hash)
  return {
    coverage: coverage(query, any),
    question: coverage(query, (hash) => question.has(hash)),
    heading: p.titleWeight * coverage(query, (hash) => heading.has(hash)),
    proximity: Math.max(adjacency(query, chunk.question), adjacency(query, chunk.content)),
    vector: candidate.vectorScore ?? 0,
    fusion: fusedRank(candidate, p),
  }
}

/** Share of the query's idf mass that a field holds. */
function coverage({ words }: RankingQuery, holds: (hash: number) => boolean): number {
  let total = 0
  let held = 0
  for (const { hash, idf } of words) {
    total += idf
    if (holds(hash)) held += idf
  }
  return total > 0 ? held / total : 0
}

/** Share of the query's pairs of neighbouring words that also stand next to each other in the field. */
function adjacency({ words }: RankingQuery, field: Uint32Array): number {
  if (words.length < 2 || field.length < 2) return 0
  const wanted = new Map<number, Set<number>>()
  for (let i = 1; i < words.length; i++) {
    const followers = wanted.get(words[i - 1]!.hash) ?? new Set<number>()
    wanted.set(words[i - 1]!.hash, followers.add(words[i]!.hash))
  }
  const found = new Set<string>()
  for (let i = 1; i < field.length; i++) {
    if (wanted.get(field[i - 1]!)?.has(field[i]!)) found.add(`${field[i - 1]} ${field[i]}`)
  }
  return found.size / (words.length - 1)
}

/** Weighted reciprocal rank fusion (Cormack et al., 2009), scaled so that first place in both is 1. */
function fusedRank({ lexicalRank, vectorRank }: Candidate, { rrfK, vectorWeight }: RankingParameters): number {
  const share = (rank: number | null): number => (rank === null ? 0 : (rrfK + 1) / (rrfK + rank))
  return (1 - vectorWeight) * share(lexicalRank) + vectorWeight * share(vectorRank)
}
