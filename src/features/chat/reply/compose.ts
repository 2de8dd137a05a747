import type { Spans } from '../../../kernel/tracing.ts'
import type { Knowledge, SearchHit } from '../../knowledge/index.ts'
import type { ReplyMode, Source, Suggestion } from '../../sessions/index.ts'
import { toSources } from '../agents/knowledge-agent.ts'
import type { TaskResult } from '../agents/task.ts'
import type { TurnState } from '../turn/state.ts'
import { composeWithModel, type ModelComposer } from './model-composer.ts'
import { phrasesFor } from './phrases.ts'
import { listed, mergeSuggestions } from './suggestions.ts'

export interface ComposeInput extends Pick<TurnState, 'results' | 'understanding' | 'settings' | 'history'> {
  /** Of the turns before this one. */
  failedAttempts: number
}

/** Where a reply goes piece by piece, and what is told of how it was made. */
export interface Writing {
  write(text: string): Promise<void>
  spans: Spans
  signal: AbortSignal
}

export interface Composed {
  mode: ReplyMode
  sources: Source[]
  /** Documents to choose from, as they are numbered in the text. */
  suggestions: Suggestion[]
  /** False when the model found no answer in what retrieval had proposed. */
  answered: boolean
}

export interface ComposeDependencies {
  /** Null: replies are extractive. */
  composer: ModelComposer | null
  search: Knowledge['search']
}

/** A matched pair this sure is answered with its own answer: a model could only say the same more slowly. */
const VERBATIM_SCORE = 0.97

/**
 * Writes the reply to all parts. Business answers, small talk and questions back are given as they are; what comes from
 * the knowledge base is written by the model when there is one, and with the passages' own words when there is none or
 * when it fails.
 */
export async function compose(deps: ComposeDependencies, input: ComposeInput, writing: Writing): Promise<Composed> {
  const { results } = input
  const forModel = deps.composer ? results.filter(needsModel) : []
  const plain = results.filter((result) => !forModel.includes(result))
  const plainText = joinPlain(plain, input, forModel.length > 0)
  await writing.write(plainText)
  if (forModel.length === 0)
    return {
      mode: plainMode(results),
      sources: mergeSources(results),
      suggestions: suggestionsOf(results),
      answered: true,
    }
  if (plainText !== '') await writing.write('\n\n')
  return composeModelPart(deps, forModel, plain, input, writing)
}

/** Below an answer that may do, fewer are read. */
const LISTED_BELOW = 2

/** The reply without a model, whole, with the documents to choose from at its end, once for all parts. */
function joinPlain(
  results: readonly TaskResult[],
  input: Pick<ComposeInput, 'understanding' | 'failedAttempts'>,
  partial = false,
): string {
  const text = joinAnswers(results, input, partial)
  const suggestions = suggestionsOf(results)
  if (suggestions.length === 0) return text
  const { choose, alsoNear } = phrasesFor(input.understanding.replyLanguage)
  return text === choose
    ? `${text}\n${listed(suggestions)}`
    : `${text}\n\n${alsoNear}\n${listed(suggestions.slice(0, LISTED_BELOW))}`
}

function joinAnswers(
  results: readonly TaskResult[],
  { understanding, failedAttempts }: Pick<ComposeInput, 'understanding' | 'failedAttempts'>,
  partial: boolean,
): string {
  const phrases = phrasesFor(understanding.replyLanguage)
  const [only] = results
  if (!only) return ''
  if (results.length === 1 && !partial) {
    return isEmpty(only) && failedAttempts > 0 ? phrases.notFoundAgain : only.answer
  }
  if (results.every(isEmpty)) return failedAttempts > 0 ? phrases.notFoundAgain : phrases.notFound
  const answers = results.map((result) => (isEmpty(result) ? phrases.partNotFound : result.answer))
  // One passage may answer all of it, and is then given once.
  if (!partial && answers.every((answer) => answer === answers[0])) return answers[0] as string
  return results
    .map(({ task }, i) => {
      const first = answers.indexOf(answers[i] as string)
      const isRepeated = first < i && answers[i] !== phrases.partNotFound
      return `${i + 1}. ${task.question}\n${isRepeated ? phrases.sameAs(first + 1) : answers[i]}`
    })
    .join('\n\n')
}

/** Neither an answer nor anything to choose from. */
function isEmpty({ status, confidence, business, suggestions }: TaskResult): boolean {
  return status === 'done' && confidence === 'none' && business === null && suggestions.length === 0
}

function suggestionsOf(results: readonly TaskResult[]): Suggestion[] {
  return mergeSuggestions(
    results.map(({ suggestions }) => suggestions),
    mergeSources(results),
  )
}

function needsModel(result: TaskResult): boolean {
  if (result.agent !== 'knowledge' || result.status !== 'done' || result.clarify.length > 0) return false
  const best = result.hits[0]
  if (!best || result.confidence === 'none') return false
  return best.question === null || best.score < VERBATIM_SCORE || result.task.original !== null
}

async function composeModelPart(
  { composer, ...deps }: ComposeDependencies,
  results: readonly TaskResult[],
  others: readonly TaskResult[],
  input: ComposeInput,
  writing: Writing,
): Promise<Composed> {
  const { understanding, failedAttempts, settings, history } = input
  const phrases = phrasesFor(understanding.replyLanguage)
  const sources = mergeSources(input.results)
  const question = {
    questions: results.map(({ task, query }) => (query === task.fallback ? (task.rewrites[0] as string) : query)),
    passages: bestFirst(
      results.flatMap(({ hits }) => hits),
      ({ chunkId }) => chunkId,
    ),
    history,
    settings,
    language: understanding.replyLanguage,
    failedAttempts,
    sensitive: understanding.sensitiveTopic !== null,
    facts: others.map(({ answer }) => answer),
  }
  const answer = await composeWithModel({ ...deps, ...(composer as ModelComposer) }, question, writing)
  writing.signal.throwIfAborted()
  if (answer.outcome === 'answered') {
    if (answer.removed) await writing.write(`\n\n${phrases.unverified}`)
    return {
      mode: 'model',
      sources: citedSources(answer.written, answer.passages, sources),
      suggestions: [],
      answered: true,
    }
  }
  if (answer.outcome === 'not_found') {
    await writing.write(failedAttempts > 0 ? phrases.notFoundAgain : phrases.notFound)
    return { mode: 'model', sources: [], suggestions: [], answered: false }
  }
  if (answer.written !== '') await writing.write('\n\n')
  await writing.write(joinPlain(results, input))
  return { mode: 'fallback', sources, suggestions: suggestionsOf(results), answered: true }
}

/** Of those with the same key the one that scores best; the best first. */
function bestFirst<Found extends { score: number }>(found: readonly Found[], keyOf: (one: Found) => unknown): Found[] {
  const best = new Map<unknown, Found>()
  for (const one of found) if ((best.get(keyOf(one))?.score ?? -1) < one.score) best.set(keyOf(one), one)
  return [...best.values()].sort((a, b) => b.score - a.score)
}

/** Passages that the reply cites; all it was given when it cites none. */
function citedSources(text: string, passages: readonly SearchHit[], all: readonly Source[]): Source[] {
  const cited = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, index]) => Number(index) - 1))
  const hits = passages.filter((_, i) => cited.has(i))
  return hits.length > 0 ? toSources(hits, []) : [...all]
}

function mergeSources(results: readonly TaskResult[]): Source[] {
  const sources = results.flatMap((result) => result.sources)
  return bestFirst(sources, ({ docId }) => docId)
}

function plainMode(results: readonly TaskResult[]): ReplyMode {
  return results.some(({ agent, sources }) => agent === 'knowledge' && sources.length > 0) ? 'extractive' : 'notice'
}
