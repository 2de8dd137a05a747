import { decodeFeatures } from './chunk-features.ts'
import type { RankingQuery } from './query.ts'
import { relevance, relevanceParts, SIBLINGS } from './relevance.ts'
import { createSupport } from './siblings.ts'
import type { Candidate, ExplainedCandidate, Ranked, RankingParameters } from './types.ts'

const DAY_MS = 86_400_000

/** How many candidates, the best by fused rank, are looked at closely. */
const RERANK_DEPTH = 64

/** The best of the candidates, and the scores that other passages of their documents would have got beside them. */
export interface Ranking {
  readonly ranked: Ranked[]
  readonly judge: (others: readonly Candidate[]) => Ranked[]
  /** Every candidate with what its score is made of. */
  readonly explain: () => ExplainedCandidate[]
}

/**
 * Orders candidates by how likely each answers the query, best first. Of passages that match equally the newest comes first:
 * the later published one, then the one that stands later in its file.
 */
export function rank(
  query: RankingQuery,
  candidates: readonly Candidate[],
  parameters: RankingParameters,
  now: Date = new Date(),
): Ranking {
  const judgeAlone = (candidate: Candidate) => ({
    candidate,
    docId: candidate.docId,
    passages: candidate.passages,
    logOdds: relevance(query, decodeFeatures(candidate.features), candidate, parameters),
  })
  const judged = mostPromising(candidates, parameters).map(judgeAlone)
  const supportOf = createSupport(judged, SIBLINGS.sharpness)
  const score = (one: ReturnType<typeof judgeAlone>): number =>
    probability(one.logOdds + SIBLINGS.weight * supportOf(one)) *
    recency(one.candidate.publishedAt, parameters.recencyHalfLifeDays, now)
  const explained = ({ features, semantic, publishedAt, passages: _, ...candidate }: Candidate): ExplainedCandidate => {
    const fused = fusedRank(candidate, parameters)
    const one = judged.find(({ candidate: { chunkId } }) => chunkId === candidate.chunkId)
    if (!one) return { ...candidate, fusedRank: fused, judgement: null }
    const support = supportOf(one)
    const own = relevanceParts(query, decodeFeatures(features), { ...candidate, semantic }, parameters)
    const parts = [...own, { name: 'siblings' as const, value: support, logOdds: SIBLINGS.weight * support }]
    const age = recency(publishedAt, parameters.recencyHalfLifeDays, now)
    return { ...candidate, fusedRank: fused, judgement: { score: score(one), recency: age, parts } }
  }
  return {
    explain: () => candidates.map(explained),
    ranked: judged
      .map((one) => ({ candidate: one.candidate, score: score(one) }))
      .filter((one) => one.score >= parameters.minScore)
      .sort((a, b) => b.score - a.score || byAge(a.candidate, b.candidate))
      .slice(0, parameters.rerankTopK)
      .map(({ candidate, score: own }) => ({ chunkId: candidate.chunkId, score: own })),
    judge: (others) => others.map(judgeAlone).map((one) => ({ chunkId: one.candidate.chunkId, score: score(one) })),
  }
}

function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}

function mostPromising(candidates: readonly Candidate[], parameters: RankingParameters): readonly Candidate[] {
  if (candidates.length <= RERANK_DEPTH) return candidates
  return candidates.toSorted((a, b) => fusedRank(b, parameters) - fusedRank(a, parameters)).slice(0, RERANK_DEPTH)
}

/** Weighted reciprocal rank fusion (Cormack et al., 2009). */
function fusedRank(
  { lexicalRank, vectorRank }: Pick<Candidate, 'lexicalRank' | 'vectorRank'>,
  { rrfK, vectorWeight }: RankingParameters,
): number {
  const share = (rank: number | null): number => (rank === null ? 0 : 1 / (rrfK + rank))
  return (1 - vectorWeight) * share(lexicalRank) + vectorWeight * share(vectorRank)
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
