import { AppError } from '../../../kernel/errors.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Collection, SearchHit, SearchRequest } from '../types.ts'
import { readVersion } from './activate.ts'

type ComparedHit = ReturnType<typeof toCompared>
type ComparedQuery = ReturnType<typeof compareQuery>

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
) {
  const { docId, version } = request
  const { version: found, document } = await readVersion(db.executor, docId, version)
  const { audience } = document
  if (found.status !== 'canary' && found.status !== 'active') {
    throw new AppError('conflict', 'not_in_canary', `${version} of ${docId} is not in the canary collection`)
  }
  const queries: ComparedQuery[] = []
  for (const query of request.queries) {
    const main = (await search({ query, topK: WIDEST, audience })).map((hit) =>
      toCompared(hit, hit.audience === 'staff' ? 'staff' : 'main'),
    )
    // The active version is in canary as a copy: both sides are the same.
    const isTried = found.status === 'canary'
    const canary = isTried ? await search({ query, topK: WIDEST, collection: 'canary' }) : null
    const after = canary ? afterPromotion(main, canary, docId) : main
    queries.push(compareQuery(query, main.slice(0, topK), after.slice(0, topK)))
  }
  const summary = summarise(queries)
  return { docId, version, queries, summary, recommendation: recommend(queries, summary) }
}

function afterPromotion(main: readonly ComparedHit[], canary: readonly SearchHit[], docId: string): ComparedHit[] {
  const tried = canary.filter((hit) => hit.docId === docId).map((hit) => toCompared(hit, 'canary'))
  return [...main.filter((hit) => hit.docId !== docId), ...tried].sort((a, b) => b.score - a.score)
}

/**
 * @param main the passages that customers find now.
 * @param canary those that they would find with the canary version in place of its document's active one.
 */
function compareQuery(query: string, main: ComparedHit[], canary: ComparedHit[]) {
  const topScoreDelta = (canary[0]?.score ?? 0) - (main[0]?.score ?? 0)
  return { query, main, canary, overlapAtK: overlap(main, canary), topScoreDelta, verdict: judge(topScoreDelta) }
}

function judge(topScoreDelta: number) {
  if (topScoreDelta >= NOTICEABLE) return 'improved'
  return topScoreDelta <= -NOTICEABLE ? 'regressed' : 'unchanged'
}

/** Share of passages, by their text, that both sides have among their first k, 0 to 1. */
function overlap(main: readonly ComparedHit[], canary: readonly ComparedHit[]): number {
  const longer = Math.max(main.length, canary.length)
  if (longer === 0) return 1
  const texts = new Set(main.map(({ content }) => content))
  return canary.filter(({ content }) => texts.has(content)).length / longer
}

function toCompared({ content, score, source, docId }: SearchHit, collection: Collection) {
  return { content, score, source, docId, collection }
}

function summarise(queries: readonly ComparedQuery[]) {
  const count = (verdict: ComparedQuery['verdict']): number =>
    queries.filter((query) => query.verdict === verdict).length
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
function recommend(queries: readonly ComparedQuery[], { improved, regressed }: ReturnType<typeof summarise>) {
  if (improved > regressed) return 'promote'
  const seen = queries.some(({ canary }) => canary.some(({ collection }) => collection === 'canary'))
  return regressed === 0 && seen ? 'promote' : 'hold'
}
