import { decodeFeatures } from './chunk-features.ts'
import type { RankingQuery } from './query.ts'
import { relevance } from './relevance.ts'
import type { Candidate, Ranked, RankingParameters } from './types.ts'

const DAY_MS = 86_400_000

/** How many candidates, the best by fused rank, are looked at closely. */
const RERANK_DEPTH = 64

/**
 * Orders candidates by how likely each answers the query, best first. Of passages that match equally the newest comes first:
 * the later published one, then the one that stands later in its file.
 */
export function rank(
  query: RankingQuery,
  candidates: readonly Candidate[],
  parameters: RankingParameters,
  now: Date = new Date(),
): Ranked[] {
  return mostPromising(candidates, parameters)
    .map((candidate) => ({ candidate, score: scoreOf(query, candidate, parameters, now) }))
    .filter(({ score }) => score >= parameters.minScore)
    .sort((a, b) => b.score - a.score || byAge(a.candidate, b.candidate))
    .slice(0, parameters.rerankTopK)
    .map(({ candidate, score }) => ({ chunkId: candidate.chunkId, score }))
}

function mostPromising(candidates: readonly Candidate[], parameters: RankingParameters): readonly Candidate[] {
  if (candidates.length <= RERANK_DEPTH) return candidates
  return candidates.toSorted((a, b) => fusedRank(b, parameters) - fusedRank(a, parameters)).slice(0, RERANK_DEPTH)
}

/** Weighted reciprocal rank fusion (Cormack et al., 2009). */
function fusedRank({ lexicalRank, vectorRank }: Candidate, { rrfK, vectorWeight }: RankingParameters): number {
  const share = (rank: number | null): number => (rank === null ? 0 : 1 / (rrfK + rank))
  return (1 - vectorWeight) * share(lexicalRank) + vectorWeight * share(vectorRank)
}

function scoreOf(query: RankingQuery, candidate: Candidate, parameters: RankingParameters, now: Date): number {
  const score = relevance(query, decodeFeatures(candidate.features), candidate, parameters)
  return score * recency(candidate.publishedAt, parameters.recencyHalfLifeDays, now)
}

function byAge(a: Candidate, b: Candidate): number {
  const age = b.publishedAt.getTime() - a.publishedAt.getTime()
  return age || b.chunkId - a.chunkId
}

/** Between 1 (new) and 0.5 (old): age may settle what is close, it must not hide the only answer. */
function recency(publishedAt: Date, halfLifeDays: number, now: Date): number {
  if (halfLifeDays <= 0) return 1
  const ageDays = Math.max(0, now.getTime() - publishedAt.getTime()) / DAY_MS
  return 0.5 + 0.5 * 2 ** (-ageDays / halfLifeDays)
}
