import { AppError } from '../../kernel/errors.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Collection, SearchHit, SearchRequest } from './types.ts'
import { readVersion } from './versions.ts'

export interface ComparedHit {
  content: string
  /** 0 to 1. */
  score: number
  source: string
  docId: string
  collection: Collection
}

export type Verdict = 'improved' | 'regressed' | 'unchanged'

export interface ComparedQuery {
  query: string
  /** What customers find now. */
  main: ComparedHit[]
  /** What they would find with the canary version in place of its document's active one. */
  canary: ComparedHit[]
  /** Share of passages, by their text, that both sides have among their first k, 0 to 1. */
  overlapAtK: number
  topScoreDelta: number
  verdict: Verdict
}

export interface CanaryComparison {
  docId: string
  version: string
  queries: ComparedQuery[]
  summary: Record<Verdict, number> & { mainAvgScore: number; canaryAvgScore: number }
  recommendation: 'promote' | 'hold'
}

/** A top score has to move by this much; less is the noise of ranks within a small collection. */
const NOTICEABLE = 0.05
/** The most that a search returns: enough to fill a page after one document's passages are left out. */
const WIDEST = 50

/**
 * Compares, query by query, what customers find now with what they would find after the promotion of a canary version.
 * Both sides come from `search`; the second one is the main collection without the document, and the canary's passages,
 * by score. Throws not_found, and conflict for a version that is in neither collection.
 */
export async function compareCanary(
  { db, search, topK }: { db: Database; search: (request: SearchRequest) => Promise<SearchHit[]>; topK: number },
  request: { docId: string; version: string; queries: readonly string[] },
): Promise<CanaryComparison> {
  const { docId, version } = request
  const { version: found } = await readVersion(db.executor, docId, version)
  if (found.status !== 'canary' && found.status !== 'active') {
    throw new AppError('conflict', 'not_in_canary', `${version} of ${docId} is not in the canary collection`)
  }
  const queries: ComparedQuery[] = []
  for (const query of request.queries) {
    const main = await search({ query, topK: WIDEST })
    const canary = found.status === 'canary' ? await search({ query, topK: WIDEST, collection: 'canary' }) : null
    queries.push(compareQuery(query, main, canary && afterPromotion(main, canary, docId), topK))
  }
  const summary = summarise(queries)
  return { docId, version, queries, summary, recommendation: recommend(queries, summary) }
}

interface Found extends SearchHit {
  collection: Collection
}

function afterPromotion(main: readonly SearchHit[], canary: readonly SearchHit[], docId: string): Found[] {
  const others = main.filter((hit) => hit.docId !== docId).map((hit) => inCollection(hit, 'main'))
  const tried = canary.filter((hit) => hit.docId === docId).map((hit) => inCollection(hit, 'canary'))
  return [...others, ...tried].sort((a, b) => b.score - a.score)
}

function inCollection(hit: SearchHit, collection: Collection): Found {
  return { ...hit, collection }
}

/** @param canary null: the version is active, so both sides are the same. */
function compareQuery(
  query: string,
  mainHits: readonly SearchHit[],
  canary: readonly Found[] | null,
  topK: number,
): ComparedQuery {
  const main = mainHits.slice(0, topK).map((hit) => toCompared(inCollection(hit, 'main')))
  const other = canary ? canary.slice(0, topK).map(toCompared) : main
  const topScoreDelta = (other[0]?.score ?? 0) - (main[0]?.score ?? 0)
  return { query, main, canary: other, overlapAtK: overlap(main, other), topScoreDelta, verdict: judge(topScoreDelta) }
}

function judge(topScoreDelta: number): Verdict {
  if (topScoreDelta >= NOTICEABLE) return 'improved'
  return topScoreDelta <= -NOTICEABLE ? 'regressed' : 'unchanged'
}

function overlap(main: readonly ComparedHit[], canary: readonly ComparedHit[]): number {
  const longer = Math.max(main.length, canary.length)
  if (longer === 0) return 1
  const texts = new Set(main.map(({ content }) => content))
  return canary.filter(({ content }) => texts.has(content)).length / longer
}

function toCompared({ content, score, source, docId, collection }: Found): ComparedHit {
  return { content, score, source, docId, collection }
}

function summarise(queries: readonly ComparedQuery[]): CanaryComparison['summary'] {
  const count = (verdict: Verdict): number => queries.filter((query) => query.verdict === verdict).length
  return {
    improved: count('improved'),
    regressed: count('regressed'),
    unchanged: count('unchanged'),
    mainAvgScore: averageTop(queries.map(({ main }) => main)),
    canaryAvgScore: averageTop(queries.map(({ canary }) => canary)),
  }
}

function averageTop(sides: readonly (readonly ComparedHit[])[]): number {
  const sum = sides.reduce((total, hits) => total + (hits[0]?.score ?? 0), 0)
  return sides.length === 0 ? 0 : sum / sides.length
}

/** Promote when more queries gain than lose; or when none loses and the new passages were found at all. */
function recommend(
  queries: readonly ComparedQuery[],
  { improved, regressed }: CanaryComparison['summary'],
): CanaryComparison['recommendation'] {
  if (improved > regressed) return 'promote'
  const seen = queries.some(({ canary }) => canary.some(({ collection }) => collection === 'canary'))
  return regressed === 0 && seen ? 'promote' : 'hold'
}
