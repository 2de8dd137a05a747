import { excerpt } from '../../../language/key-sentences.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import type { Source, Suggestion } from '../../sessions/index.ts'
import { composeClosest, composeExtractive, type ExtractiveAnswer, ROOM } from '../reply/extractive.ts'
import { phrasesFor } from '../reply/phrases.ts'
import { namesSubject, type TermSplitter } from '../reply/piece.ts'
import { suggestionsFrom } from '../reply/suggestions.ts'
import type { AnswerThresholds } from '../turn/settings.ts'
import { type Found, inConversation } from './conversation.ts'
import { LOOKED_AT, passageText, type Search } from './search.ts'
import { speaksOf } from './subject.ts'
import { emptyResult, type Task, type TaskResult } from './task.ts'

export interface KnowledgeAgent {
  search: Search
  terms: TermSplitter
  thresholds: AnswerThresholds
}

/** Two rewrites of a follow-up whose best passages score this alike are equally likely. */
const EQUAL_SCORES = 0.03
const CLOSE_SCORES = 0.05

/** So much better must a follow-up be answered as it was said than as it was rewritten to count as a new subject. */
const NEW_SUBJECT = 0.25
/** A score so much above what is sure needs no second look. */
const CERTAIN = 0.3
/** A word alone ("at least?") names no subject, whatever passages it fits. */
const SUBJECT_TERMS = 2
/** Of a word alone («运费怎么算») another document that comes this near, as a share of the first's score, tells as much. */
const AS_NEAR = 0.8

/**
 * Answers from the knowledge base alone: surely, with the closest passage and other documents to choose from, with these
 * alone, or by saying that it holds no answer.
 */
export async function answerFromKnowledge(deps: KnowledgeAgent, task: Task, language: string): Promise<TaskResult> {
  const { directAnswer, clarify } = deps.thresholds
  if (task.within !== undefined) return answerChosen(deps, task, language)
  // Signs alone ("?") would be near to anything.
  if (!/[\p{L}\p{N}]/u.test(task.question)) return emptyResult(task, phrasesFor(language).notFound)
  const { ordered, isGuess } = await searchRewrites(deps, task)
  const best = await inConversation(deps, task, ordered[0] as Found)
  const score = topScore(best.hits)
  const found = { hits: best.hits, query: best.query }
  const rivals = rivalsOf(ordered, directAnswer)
  if (rivals.length > 1) {
    const clarifying = rivals.map(({ query }) => query)
    return emptyResult(task, phrasesFor(language).clarify(clarifying), {
      ...found,
      confidence: 'asks',
      clarify: clarifying,
    })
  }
  const answer = isGuess && best.isMeant !== true ? null : sureAnswer(deps, best, task, language)
  if (answer) return emptyResult(task, answer.text, { ...found, ...answered(answer), confidence: 'sure' })
  if (score < clarify) return offerChoices(task, found, language)
  const hits = best.asked ? best.hits : closestFirst(best, deps.terms)
  const closest = composeClosest(best.asked ?? best.query, hits, language, deps.terms, roomOf(task))
  return emptyResult(task, closest.text, {
    ...found,
    ...answered(closest),
    suggestions: choicesBeside(closest, hits, language),
    confidence: 'close',
  })
}

/** The answer of what was found, null where it may not be one. */
function sureAnswer(deps: KnowledgeAgent, best: Found, task: Task, language: string): ExtractiveAnswer | null {
  const score = topScore(best.hits)
  const { directAnswer } = deps.thresholds
  const [passage] = best.hits
  if (!passage || !(best.isMeant === true || score >= directAnswer)) return null
  if (best.isMeant !== true && isOpen(best, deps.terms)) return null
  const answer = composeExtractive(best.asked ?? best.query, best.hits, language, deps.terms, roomOf(task))
  const isSure =
    best.isMeant === true ||
    score >= directAnswer + CERTAIN ||
    speaksOf(`${passageText(passage)}\n${answer.text}`, best.query, deps.terms)
  return isSure ? answer : null
}

/** Whether a question says so little that several documents answer it, each in its own case. */
function isOpen({ asked, query, hits }: Found, terms: TermSplitter): boolean {
  if (asked !== undefined || namesSubject(query, terms)) return false
  const rival = hits.find(({ docId }) => docId !== hits[0]?.docId)
  return rival !== undefined && rival.score >= AS_NEAR * topScore(hits)
}

function answered({ used, rest }: ExtractiveAnswer): Pick<TaskResult, 'sources' | 'used' | 'rest'> {
  return { sources: toSources([], used), used, rest }
}

/** Documents to choose from: where several are given, these by their numbers, and others. */
function choicesBeside({ used }: ExtractiveAnswer, hits: readonly SearchHit[], language: string): Suggestion[] {
  const isOne = used.every(({ docId }) => docId === used[0]?.docId)
  return isOne ? suggestionsFrom(hits, used, language) : suggestionsFrom([...used, ...hits], [], language)
}

/** Nothing comes near enough to be given; what is nearest may be chosen. */
function offerChoices(task: Task, found: Pick<TaskResult, 'hits' | 'query'>, language: string): TaskResult {
  const phrases = phrasesFor(language)
  const suggestions = suggestionsFrom(found.hits, [], language)
  const answer = suggestions.length === 0 ? phrases.notFound : phrases.choose
  return emptyResult(task, answer, { ...found, suggestions })
}

/** The customer said which document: the part of it that comes nearest answers. */
async function answerChosen(deps: KnowledgeAgent, task: Task, language: string): Promise<TaskResult> {
  const query = task.rewrites[0] ?? task.question
  const hits = await deps.search(query, { within: task.within as string })
  if (hits.length === 0) return emptyResult(task, phrasesFor(language).notFound, { hits, query })
  const answer = composeExtractive(query, hits, language, deps.terms, roomOf(task))
  return emptyResult(task, answer.text, { hits, query, ...answered(answer), confidence: 'sure' })
}

/**
 * Passages that each rewrite of a question finds, the best first. A follow-up is answered as it was rewritten: what it
 * says alone fits passages about anything ("what is their warranty?"). As it was said it is taken for a new subject
 * where it is answered so much better, or, as a mere guess, where the rewritten form finds nothing; but not where it
 * speaks of "it" or "them".
 */
export async function searchRewrites(
  { search, terms, thresholds: { directAnswer, clarify } }: Pick<KnowledgeAgent, 'search' | 'terms' | 'thresholds'>,
  { rewrites, original, fallback }: Pick<Task, 'rewrites' | 'original' | 'fallback'>,
): Promise<{ ordered: Found[]; isGuess: boolean }> {
  const find = async (query: string): Promise<Found> => ({ query, hits: await search(query, { topK: LOOKED_AT }) })
  const finding = Promise.all(rewrites.map(find))
  const [found, said] = await Promise.all([finding, original && find(original.question)])
  const ordered = found.toSorted((a, b) => topScore(b.hits) - topScore(a.hits))
  const best = topScore(ordered[0]?.hits ?? [])
  if (fallback !== null && best < directAnswer) {
    const other = await find(fallback)
    if (topScore(other.hits) > best) return { ordered: [other], isGuess: false }
  }
  if (!original || !said) return { ordered, isGuess: false }
  const alone = topScore(said.hits)
  const names = terms.queryTerms(original.question).length >= SUBJECT_TERMS
  const isNewSubject = names && !original.refersBack && alone >= directAnswer && alone - best >= NEW_SUBJECT
  if (isNewSubject) return { ordered: [said], isGuess: false }
  const isGuess = names && !original.refersBack && best < clarify && alone >= clarify
  return { ordered: isGuess ? [said] : ordered, isGuess }
}

/**
 * Where no passage is sure, scores this close say little: the passage is offered that holds most of the question's words,
 * those counting most that the others lack.
 */
function closestFirst({ query, hits }: Found, terms: TermSplitter): readonly SearchHit[] {
  const rivals = hits
    .filter(({ score }) => topScore(hits) - score <= CLOSE_SCORES)
    .map((hit) => ({ hit, said: new Set(terms.documentTerms(passageText(hit))) }))
  const holders = (term: string): number => rivals.filter(({ said }) => said.has(term)).length
  const weights = new Map(terms.queryTerms(query).map((term) => [term, Math.log(1 + rivals.length / holders(term))]))
  const weight = ({ said }: { said: ReadonlySet<string> }): number =>
    [...weights].reduce((sum, [term, each]) => sum + (said.has(term) ? each : 0), 0)
  const [closest] = rivals.toSorted((a, b) => weight(b) - weight(a))
  return closest ? [closest.hit, ...hits.filter((hit) => hit !== closest.hit)] : hits
}

/** Rewrites that are answered equally well by different passages. */
function rivalsOf(ordered: readonly Found[], directAnswer: number): Found[] {
  const [best, ...others] = ordered
  if (!best || topScore(best.hits) < directAnswer) return []
  const rivals = others.filter(
    ({ hits }) => topScore(best.hits) - topScore(hits) <= EQUAL_SCORES && hits[0]?.chunkId !== best.hits[0]?.chunkId,
  )
  return [best, ...rivals].slice(0, 3)
}

/** The characters that an answer has: several share those of a reply. */
function roomOf({ parts = 1 }: Task): number {
  return Math.round(ROOM / parts)
}

function topScore(hits: readonly SearchHit[]): number {
  return hits[0]?.score ?? 0
}

/** Characters of a passage that a customer is shown beside an answer. */
const MAX_EXCERPT = 300

/** Each document once, the best passage of it counting; what is cited is always among them. */
export function toSources(hits: readonly SearchHit[], used: readonly SearchHit[]): Source[] {
  const sources = new Map<string, Source>()
  for (const hit of [...used, ...hits]) {
    if (sources.has(hit.docId)) continue
    const { source, score, docId, title, url, content, question } = hit
    const named = {
      ...{ source, score, docId, version: `v${hit.version}`, title },
      ...(url ? { url } : {}),
      ...(question ? { question } : {}),
    }
    sources.set(docId, { ...named, excerpt: excerpt(content, MAX_EXCERPT) })
  }
  return [...sources.values()].sort((a, b) => b.score - a.score)
}
