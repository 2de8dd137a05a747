import type { Knowledge, SearchHit } from '../../knowledge/index.ts'
import { composeExtractive, type TermSplitter } from '../compose/extractive.ts'
import { phrasesFor } from '../phrases.ts'
import type { Source } from '../types.ts'
import { emptyResult, type Task, type TaskResult } from './task.ts'

export interface KnowledgeAgent {
  knowledge: Pick<Knowledge, 'search'>
  terms: TermSplitter
  thresholds: () => AnswerThresholds
}

export interface AnswerThresholds {
  /** 0..1: from this score on a passage is given as the answer. */
  directAnswer: number
  /** 0..1: from this score on the closest passage is offered; below, nothing was found. */
  clarify: number
}

/** Two readings of a follow-up whose best passages score this alike are equally likely. */
const EQUAL_SCORES = 0.03

/** Answers from the knowledge base alone, or says that it holds no answer. */
export async function answerFromKnowledge(deps: KnowledgeAgent, task: Task, language: string): Promise<TaskResult> {
  const { directAnswer, clarify } = deps.thresholds()
  const found = await Promise.all(
    task.readings.map(async (query) => ({ query, hits: await deps.knowledge.search({ query }) })),
  )
  const ordered = found.toSorted((a, b) => topScore(b.hits) - topScore(a.hits))
  const best = ordered[0] as Reading
  const score = topScore(best.hits)
  const rivals = rivalsOf(ordered, directAnswer)
  if (rivals.length > 1) {
    const readings = rivals.map(({ query }) => query)
    const answer = phrasesFor(language).clarify(readings)
    return emptyResult(task, answer, { confidence: 'asks', clarify: readings, hits: best.hits })
  }
  if (score < clarify) return emptyResult(task, phrasesFor(language).notFound, { hits: best.hits })
  const { text, used } = composeExtractive(best.query, best.hits, language, deps.terms)
  const sure = score >= directAnswer
  return emptyResult(task, sure ? text : `${phrasesFor(language).closest}\n${text}`, {
    confidence: sure ? 'sure' : 'close',
    sources: toSources(
      best.hits.filter((hit) => hit.score >= clarify),
      used,
    ),
    hits: best.hits,
  })
}

interface Reading {
  query: string
  hits: readonly SearchHit[]
}

/** Readings that are answered equally well by different passages. */
function rivalsOf(ordered: readonly Reading[], directAnswer: number): Reading[] {
  const [best, ...others] = ordered
  if (!best || topScore(best.hits) < directAnswer) return []
  const rivals = others.filter(
    ({ hits }) => topScore(best.hits) - topScore(hits) <= EQUAL_SCORES && hits[0]?.chunkId !== best.hits[0]?.chunkId,
  )
  return [best, ...rivals].slice(0, 3)
}

function topScore(hits: readonly SearchHit[]): number {
  return hits[0]?.score ?? 0
}

/** Each document once, the best passage of it counting; what is cited is always among them. */
export function toSources(hits: readonly SearchHit[], used: readonly SearchHit[]): Source[] {
  const sources = new Map<string, Source>()
  for (const hit of [...used, ...hits]) {
    if (sources.has(hit.docId)) continue
    const { source, score, docId, title } = hit
    sources.set(docId, { source, score, docId, version: `v${hit.version}`, title })
  }
  return [...sources.values()].sort((a, b) => b.score - a.score)
}
