import type { Analyser } from '../../../language/words/analyser.ts'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Passage, SearchHit, SearchJudgement, SearchRequest, SearchStage } from '../types.ts'
import { type Highlight, highlights } from './highlights.ts'
import { withoutNearDuplicates } from './near-duplicates.ts'
import type { RetrievalParameters } from './parameters.ts'
import { readPassages } from './queries.ts'
import type { RankingQuery } from './ranking/query.ts'
import type { ExplainedCandidate } from './ranking/types.ts'

/** Why a candidate is not among the passages that were found. */
export type DropReason = 'not_promising' | 'below_min_score' | 'beyond_top_k' | 'near_duplicate'

export interface ExplainedHit extends SearchHit {
  candidate: ExplainedCandidate | null
  /** After a model judged it once more; null: none did. */
  rerankedScore: number | null
  highlights: { question: Highlight[]; content: Highlight[] }
}

export interface DroppedCandidate {
  candidate: ExplainedCandidate
  passage: Passage
  score: number | null
  reason: DropReason
}

export interface ExplainedSearch {
  hits: ExplainedHit[]
  /** The best of those that were dropped. */
  dropped: DroppedCandidate[]
  /** The words that were asked for and how much each says beside the others, 0 to 1. */
  words: { word: string; weight: number }[]
  candidates: number
  stages: SearchStage[]
}

interface Dependencies {
  executor: Executor
  analyser: Pick<Analyser, 'words'>
  search: (request: SearchRequest) => Promise<SearchHit[]>
}

type Judged = { query: RankingQuery | null; candidates: readonly ExplainedCandidate[]; reranked: Map<number, number> }

/** A page has room for so many. */
const MOST_DROPPED = 30

/** Passages that a search finds as customers get them, with all that its order rests on. */
export async function explainedSearch(
  { executor, analyser, search }: Dependencies,
  request: SearchRequest & { parameters: RetrievalParameters },
): Promise<ExplainedSearch> {
  const stages: SearchStage[] = []
  const judged: Judged = { query: null, candidates: [], reranked: new Map() }
  const found = await search({
    ...request,
    onStage: (stage) => void stages.push(stage),
    onJudged: (judgement) => note(judged, judgement),
  })
  const hits = withoutNearDuplicates(found)
  const ids = new Set(hits.map(({ chunkId }) => chunkId))
  const { query } = judged
  const byId = new Map(judged.candidates.map((candidate) => [candidate.chunkId, candidate]))
  const duplicates = new Set(found.filter(({ chunkId }) => !ids.has(chunkId)).map(({ chunkId }) => chunkId))
  const rest = judged.candidates.filter(({ chunkId }) => !ids.has(chunkId)).toSorted(byPromise(judged.reranked))
  return {
    hits: hits.map((hit) => ({
      ...hit,
      candidate: byId.get(hit.chunkId) ?? null,
      rerankedScore: judged.reranked.get(hit.chunkId) ?? null,
      highlights: {
        question: query ? highlights(query, hit.question ?? '', analyser) : [],
        content: query ? highlights(query, hit.content, analyser) : [],
      },
    })),
    dropped: await droppedOf(executor, request, rest.slice(0, MOST_DROPPED), { duplicates, ...judged }),
    words: query ? query.words.map((word, i) => ({ word, weight: shareOf(query, i) })) : [],
    candidates: judged.candidates.length,
    stages,
  }
}

/** Hits of two collections, as one. */
export function mergeExplained(a: ExplainedSearch, b: ExplainedSearch, count: number): ExplainedSearch {
  const hits = [...a.hits, ...b.hits].sort((one, other) => other.score - one.score)
  const beyond = hits.slice(count).flatMap(({ candidate, rerankedScore: _, highlights: __, score, ...passage }) => {
    return candidate ? [{ candidate, passage, score, reason: 'beyond_top_k' as const }] : []
  })
  const dropped = [...beyond, ...a.dropped, ...b.dropped].sort((one, other) => (other.score ?? -1) - (one.score ?? -1))
  return {
    hits: hits.slice(0, count),
    dropped: dropped.slice(0, MOST_DROPPED),
    words: a.words,
    candidates: a.candidates + b.candidates,
    stages: [...a.stages, ...b.stages],
  }
}

function note(judged: Judged, judgement: SearchJudgement): void {
  if (judgement.by === 'reranking') judged.reranked = new Map(judgement.scores)
  else Object.assign(judged, { query: judgement.query, candidates: judgement.candidates })
}

function shareOf({ weights, totalWeight }: RankingQuery, slot: number): number {
  return totalWeight > 0 ? weights[slot]! / totalWeight : 0
}

/** Those that were looked at closely by their scores, the others by the ranks that kept them from it. */
function byPromise(reranked: ReadonlyMap<number, number>) {
  const score = ({ chunkId, judgement }: ExplainedCandidate): number =>
    reranked.get(chunkId) ?? judgement?.score ?? Number.NEGATIVE_INFINITY
  return (a: ExplainedCandidate, b: ExplainedCandidate): number =>
    score(b) - score(a) || b.fusedRank - a.fusedRank || a.chunkId - b.chunkId
}

async function droppedOf(
  executor: Executor,
  { collection = 'main', parameters }: SearchRequest & { parameters: RetrievalParameters },
  candidates: readonly ExplainedCandidate[],
  { duplicates, reranked }: { duplicates: ReadonlySet<number>; reranked: ReadonlyMap<number, number> },
): Promise<DroppedCandidate[]> {
  const ids = candidates.map(({ chunkId }) => chunkId)
  const passages = await readPassages(executor, collection, ids)
  return candidates.flatMap((candidate) => {
    const passage = passages.get(candidate.chunkId)
    if (!passage) return []
    const score = reranked.get(candidate.chunkId) ?? candidate.judgement?.score ?? null
    return [{ candidate, passage, score, reason: reasonOf(score, duplicates.has(candidate.chunkId), parameters) }]
  })
}

function reasonOf(score: number | null, isDuplicate: boolean, { minScore }: RetrievalParameters): DropReason {
  if (isDuplicate) return 'near_duplicate'
  if (score === null) return 'not_promising'
  return score < minScore ? 'below_min_score' : 'beyond_top_k'
}
