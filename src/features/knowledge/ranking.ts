import { decodeFeatures } from './ranking/chunk-features.ts'
import type { RankingQuery } from './ranking/query.ts'
import { relevance } from './ranking/relevance.ts'
import type { Candidate, Ranked, RankingParameters } from './ranking/types.ts'

export { type ChunkFeatures, type ChunkText, encodeFeatures, FEATURES_REVISION } from './ranking/chunk-features.ts'
export { embeddingText, indexTerms } from './ranking/indexing.ts'
export { prepareQuery, type RankingQuery } from './ranking/query.ts'
export { createTermStatistics, type TermStatistics } from './ranking/term-statistics.ts'
export type { Candidate, Ranked, RankingParameters } from './ranking/types.ts'

const DAY_MS = 86_400_000

/** Orders candidates by how likely each answers the query, best first; equal scores keep the order of their ids. */
export function rank(
  query: RankingQuery,
  candidates: readonly Candidate[],
  parameters: RankingParameters,
  now: Date = new Date(),
): Ranked[] {
  return candidates
    .map((candidate) => ({ chunkId: candidate.chunkId, score: scoreOf(query, candidate, parameters, now) }))
    .filter(({ score }) => score >= parameters.minScore)
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, parameters.rerankTopK)
}

function scoreOf(query: RankingQuery, candidate: Candidate, parameters: RankingParameters, now: Date): number {
  const score = relevance(query, decodeFeatures(candidate.features), candidate, parameters)
  return score * recency(candidate.publishedAt, parameters.recencyHalfLifeDays, now)
}

/** Between 1 (new) and 0.5 (old): age may settle ties, it must not hide the only answer. */
function recency(publishedAt: Date, halfLifeDays: number, now: Date): number {
  if (halfLifeDays <= 0) return 1
  const ageDays = Math.max(0, now.getTime() - publishedAt.getTime()) / DAY_MS
  return 0.5 + 0.5 * 2 ** (-ageDays / halfLifeDays)
}
