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
const CLOSE_SCORES = 0.05

/** So much better must a follow-up be answered as it was said than as it was rewritten to count as a new subject. */
const NEW_SUBJECT = 0.25

/** Answers from the knowledge base alone, or says that it holds no answer. */
export async function answerFromKnowledge(deps: KnowledgeAgent, task: Task, language: string): Promise<TaskResult> {
  const { directAnswer, clarify } = deps.thresholds()
  const { ordered, isGuess } = await findReadings(deps, task)
  const best = ordered[0] as Reading
  const score = topScore(best.hits)
  const found = { hits: best.hits, query: best.query }
  const rivals = rivalsOf(ordered, directAnswer)
  if (rivals.length > 1) {
    const readings = rivals.map(({ query }) => query)
    return emptyResult(task, phrasesFor(language).clarify(readings), {
      ...found,
      confidence: 'asks',
      clarify: readings,
    })
  }
  const sure = score >= directAnswer && !isGuess
  const hits = sure ? best.hits : closestFirst(best, deps.terms)
  if (score < clarify) return emptyResult(task, phrasesFor(language).notFound, found)
  const { text, used } = composeExtractive(best.query, hits, language, deps.terms)
  return emptyResult(task, sure ? text : `${phrasesFor(language).closest}\n${text}`, {
    ...found,
    confidence: sure ? 'sure' : 'close',
    sources: toSources(
      best.hits.filter((hit) => hit.score >= clarify),
      used,
    ),
  })
}

/**
 * What each reading finds, the best first. A follow-up is answered as it was rewritten: what it says alone fits passages
 * about anything ("what is their warranty?"). As it was said it is taken for a new subject where it is answered so much
 * better, or, as a mere guess, where the rewritten form finds nothing; but not where it speaks of "it" or "them".
 */
async function findReadings(
  { knowledge, thresholds }: KnowledgeAgent,
  { readings, asSaid, fallback }: Task,
): Promise<{ ordered: Reading[]; isGuess: boolean }> {
  const find = async (query: string): Promise<Reading> => ({ query, hits: await knowledge.search({ query }) })
  const finding = readings.map(find)
  const said = asSaid && (await find(asSaid.question))
  const ordered = (await Promise.all(finding)).toSorted((a, b) => topScore(b.hits) - topScore(a.hits))
  const { directAnswer, clarify } = thresholds()
  if (fallback !== null && topScore(ordered[0]?.hits ?? []) < directAnswer) {
    const other = await find(fallback)
    if (topScore(other.hits) > topScore(ordered[0]?.hits ?? [])) return { ordered: [other], isGuess: false }
  }
  if (!asSaid || !said) return { ordered, isGuess: false }
  const [best, alone] = [topScore(ordered[0]?.hits ?? []), topScore(said.hits)]
  const isNewSubject = !asSaid.refersBack && alone >= directAnswer && alone - best >= NEW_SUBJECT
  if (isNewSubject) return { ordered: [said], isGuess: false }
  const isGuess = !asSaid.refersBack && best < clarify && alone >= clarify
  return { ordered: isGuess ? [said] : ordered, isGuess }
}

/**
 * Where no passage is sure, scores this close say little: the passage is offered that holds most of the question's words,
 * those counting most that the others lack.
 */
function closestFirst({ query, hits }: Reading, terms: TermSplitter): readonly SearchHit[] {
  const rivals = hits
    .filter(({ score }) => topScore(hits) - score <= CLOSE_SCORES)
    .map((hit) => {
      const { title, headingPath, question, content } = hit
      return { hit, said: new Set(terms.documentTerms([title, ...headingPath, question ?? '', content].join('\n'))) }
    })
  const holders = (term: string): number => rivals.filter(({ said }) => said.has(term)).length
  const weights = new Map(terms.queryTerms(query).map((term) => [term, Math.log(1 + rivals.length / holders(term))]))
  const weight = ({ said }: { said: ReadonlySet<string> }): number =>
    [...weights].reduce((sum, [term, each]) => sum + (said.has(term) ? each : 0), 0)
  const [closest] = rivals.toSorted((a, b) => weight(b) - weight(a))
  return closest ? [closest.hit, ...hits.filter((hit) => hit !== closest.hit)] : hits
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
