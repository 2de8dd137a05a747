import type { SearchHit } from '../../knowledge/index.ts'
import type { AnswerThresholds } from '../turn/settings.ts'
import { LOOKED_AT, type Search } from './search.ts'
import type { Task } from './task.ts'

/** Passages for a query, the best first. */
export interface Found {
  query: string
  hits: readonly SearchHit[]
  /** The words that choose the part of a document that answers; default: the query. */
  asked?: string
  /** The conversation tells which document is meant, whatever the scores are. */
  isMeant?: boolean
}

/** How much counts beside what a question finds alone, each as a share of the best score of its search. */
interface Weights {
  /** Of what it finds together with the question before. */
  together: number
  /** Of the document that answered last. */
  topic: number
}

// By the follow-ups and single questions of two help centres: more drags new subjects back to what was said before.
const LEANING: Weights = { together: 0.6, topic: 0.5 }
const STANDING: Weights = { together: 0.3, topic: 0.4 }
/** Scores this far apart say nothing about which of two documents answers. */
const EQUAL_SCORES = 0.05
/** A score found by a question alone counts in full from here on. */
const FULL_SCORE = 0.2

/**
 * A question in a conversation that is not surely answered by itself is asked once more together with the one before it:
 * "and at least?", «想再大一点要怎么弄». One that cannot be understood alone is, whatever it seems to find: a handful of
 * function words fits anything.
 */
export async function inConversation(
  { search, thresholds }: { search: Search; thresholds: AnswerThresholds },
  { before, topic, original, question }: Pick<Task, 'before' | 'topic' | 'original' | 'question'>,
  found: Found,
): Promise<Found> {
  if (!before) return found
  const isRewritten = original !== null
  if (topScore(found.hits) >= thresholds.directAnswer && (isRewritten || !before.leans))
    return before.leans ? { ...found, hits: preferred(found.hits, topic?.docId) } : found
  const asked = `${before.question} ${question}`
  const together = await search(asked, { topK: LOOKED_AT })
  const weights = before.leans ? LEANING : STANDING
  const hits = fuse(found.hits, together, weights, topic?.docId)
  const best = hits[0]
  if (!best) return found
  const isFirst = together[0]?.docId === best.docId
  const agreed = before.leans
    ? Math.max(scoreOf(together, best.docId), isFirst ? scoreOf(found.hits, best.docId) : 0)
    : 0
  const score = agreed >= thresholds.directAnswer ? agreed : Math.min(best.score, belowSure(thresholds))
  const around = best.around ? null : (await search(asked, { within: best.docId }))[0]?.around
  const first = { ...best, score, ...(around ? { around } : {}) }
  // A question that says too little is about the document that answered last where both together lead to it.
  const isMeant = before.leans && isFirst && best.docId === topic?.docId
  return { query: found.query, asked, hits: [first, ...hits.slice(1)], isMeant }
}

/** Of documents that come equally near the one that answered last is meant. */
function preferred(hits: readonly SearchHit[], topic: string | undefined): readonly SearchHit[] {
  const own = hits.find(({ docId }) => docId === topic)
  if (!own || topScore(hits) - own.score > EQUAL_SCORES) return hits
  return [own, ...hits.filter((hit) => hit !== own)]
}

/** The passages of two searches by their documents' weight, those of one document by their score. */
function fuse(
  alone: readonly SearchHit[],
  together: readonly SearchHit[],
  weights: Weights,
  topic: string | undefined,
): SearchHit[] {
  const most = Math.max(topScore(alone), FULL_SCORE)
  const mostTogether = topScore(together) || 1
  const weightOf = (docId: string): number =>
    scoreOf(alone, docId) / most +
    (weights.together * scoreOf(together, docId)) / mostTogether +
    (docId === topic ? weights.topic : 0)
  const best = [...alone, ...together].toSorted((a, b) => a.score - b.score)
  const hits = new Map(best.map((hit) => [hit.chunkId, hit]))
  const byDocument = Map.groupBy(hits.values(), ({ docId }) => docId)
  return [...byDocument.entries()]
    .map(([docId, own]) => ({ weight: weightOf(docId), own: own.toSorted((a, b) => b.score - a.score) }))
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ own }) => own)
}

/** The best score of a document's passages; 0 where it was not found. */
function scoreOf(hits: readonly SearchHit[], docId: string): number {
  return hits.find((hit) => hit.docId === docId)?.score ?? 0
}

function topScore(hits: readonly SearchHit[]): number {
  return hits[0]?.score ?? 0
}

function belowSure({ directAnswer }: AnswerThresholds): number {
  return directAnswer * 0.99
}
