import type { Knowledge, SearchHit } from '../../knowledge/index.ts'
import { composeExtractive, type TermSplitter } from '../extractive.ts'
import { phrasesFor } from '../phrases.ts'
import type { Source } from '../types.ts'

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

export interface KnowledgeAnswer {
  text: string
  sources: Source[]
  hits: SearchHit[]
  /** `close`: the best passage may be about something else, and the answer says so. */
  confidence: 'sure' | 'close' | 'none'
}

/**
 * Answers from the knowledge base alone, or says that it holds no answer.
 * @param readings the question, and what it may stand for in this conversation; the one that finds most is answered.
 */
export async function answerFromKnowledge(
  { knowledge, terms, thresholds }: KnowledgeAgent,
  readings: readonly string[],
  language: string,
): Promise<KnowledgeAnswer> {
  const found = await Promise.all(readings.map(async (query) => ({ query, hits: await knowledge.search({ query }) })))
  const best = found.reduce((a, b) => (topScore(b.hits) > topScore(a.hits) ? b : a))
  const { directAnswer, clarify } = thresholds()
  const score = topScore(best.hits)
  if (score < clarify) return { text: phrasesFor(language).notFound, sources: [], hits: best.hits, confidence: 'none' }
  const { text, used } = composeExtractive(best.query, best.hits, language, terms)
  const sure = score >= directAnswer
  return {
    text: sure ? text : `${phrasesFor(language).closest}\n${text}`,
    sources: toSources(best.hits, used),
    hits: best.hits,
    confidence: sure ? 'sure' : 'close',
  }
}

function topScore(hits: readonly SearchHit[]): number {
  return hits[0]?.score ?? 0
}

/** Cited passages first, each document once. */
function toSources(hits: readonly SearchHit[], used: readonly SearchHit[]): Source[] {
  const sources = new Map<string, Source>()
  for (const hit of [...used, ...hits]) {
    if (sources.has(hit.docId)) continue
    const { source, score, docId, title } = hit
    sources.set(docId, { source, score, docId, version: `v${hit.version}`, title })
  }
  return [...sources.values()].sort((a, b) => b.score - a.score)
}
