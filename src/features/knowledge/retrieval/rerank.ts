import type { Reranker } from '../../../ai/reranker/port.ts'
import type { SearchHit } from '../types.ts'

/** Passages that are sent to the reranker: its time grows with each, and own ranking seldom has the answer below. */
export const RERANKED_PASSAGES = 20

/**
 * How much the reranker's judgement counts beside our own, on the scale of log odds. It reads both texts and knows what
 * words mean, so it decides; our own keeps the scores where the thresholds of answering expect them.
 */
const RERANKER_SHARE = 0.7
/** Log odds of 1 in 150: beyond it models only differ in how loudly they are sure. */
const MAX_LOG_ODDS = 5

/** Hits in the order of both judgements; as they came when there are no scores to be had. */
export async function rerankHits(
  reranker: Reranker,
  query: string,
  hits: readonly SearchHit[],
): Promise<readonly SearchHit[]> {
  const scores = await reranker.rerank(query, hits.map(textOf))
  if (!scores) return hits
  return hits.map((hit, i) => ({ ...hit, score: blend(hit.score, scores[i]!) })).sort((a, b) => b.score - a.score)
}

function textOf({ title, headingPath, question, content }: SearchHit): string {
  const headings = [...new Set([title, ...headingPath])].filter((heading) => heading !== question)
  return [headings.join(' > '), question, content].filter(Boolean).join('\n')
}

function blend(own: number, judged: number): number {
  const sum = RERANKER_SHARE * logOdds(judged) + (1 - RERANKER_SHARE) * logOdds(own)
  return 1 / (1 + Math.exp(-sum))
}

function logOdds(probability: number): number {
  const odds = Math.log(probability / (1 - probability))
  return Math.min(MAX_LOG_ODDS, Math.max(-MAX_LOG_ODDS, odds))
}
