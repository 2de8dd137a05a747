import type { Spans } from '../../../kernel/tracing.ts'
import type { Knowledge } from '../../knowledge/index.ts'
import type { ReplyMode, Source, Suggestion } from '../../sessions/index.ts'
import { toSources } from '../agents/knowledge-agent.ts'
import type { TaskResult } from '../agents/task.ts'
import type { TurnState } from '../turn/state.ts'
import { composeWithModel, type ModelComposer } from './model-composer.ts'
import { restsOn } from './model-passages.ts'
import { phrasesFor } from './phrases.ts'
import type { TermSplitter } from './piece.ts'
import { circled, listed, mergeSuggestions, suggestionsFrom } from './suggestions.ts'

export interface ComposeInput extends Pick<TurnState, 'results' | 'understanding' | 'settings' | 'history'> {
  /** Of the turns before this one. */
  failedAttempts: number
}

/** Where a reply goes piece by piece, and what is told of how it was made. */
export interface Writing {
  write(text: string): Promise<void>
  /** Takes back the end of what was written; false where somebody has read it. */
  withdraw(text: string): boolean
  spans: Spans
  signal: AbortSignal
}

export interface Composed {
  mode: ReplyMode
  sources: Source[]
  /** Documents to choose from, as they are numbered in the text. */
  suggestions: Suggestion[]
  /** The parts as they were answered in the end. */
  results: readonly TaskResult[]
}

export interface ComposeDependencies {
  /** Null: replies are extractive. */
  composer: ModelComposer | null
  search: Knowledge['search']
  terms: TermSplitter
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
  const forModel = deps.composer ? results.filter(awaitsModel) : []
  const plain = results.filter((result) => !forModel.includes(result))
  const plainText = joinPlain(plain, input, forModel.length > 0)
  await writing.write(plainText)
  if (forModel.length === 0)
    return {
      mode: plainMode(results),
      sources: mergeSources(results),
      suggestions: suggestionsOf(results),
      results,
    }
  if (plainText !== '') await writing.write('\n\n')
  return composeModelPart(deps, forModel, plain, input, writing)
}

/** Below an excerpt that may do, fewer are read; excerpts that are numbered themselves count. */
const LISTED_BELOW = 2
const SHOWN = 3

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
  if (text === choose) return `${text}\n${listed(suggestions)}`
  const numbered = numberedIn(results)
  if (numbered === 0) return `${text}\n\n${alsoNear}\n${listed(suggestions.slice(0, LISTED_BELOW))}`
  const others = suggestions.slice(numbered, SHOWN).map(({ title }, i) => `${circled(numbered + i)} ${title}`)
  return [text, ...others].join('\n\n')
}

/** How many of the choices are numbered in the answer, each with an excerpt. */
function numberedIn([only, ...others]: readonly TaskResult[]): number {
  if (!only || others.length > 0) return 0
  return only.suggestions.filter(({ docId }) => only.sources.some((source) => source.docId === docId)).length
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
    numberedIn(results) > 0 ? [] : mergeSources(results),
  )
}

/** Whether a model, where there is one, judges if the passages answer, whatever the search thinks of them. */
export function awaitsModel({ agent, status, clarify, hits, task }: TaskResult): boolean {
  const [best] = hits
  if (agent !== 'knowledge' || status !== 'done' || clarify.length > 0 || !best) return false
  return best.question === null || best.score < VERBATIM_SCORE || task.original !== null
}

async function composeModelPart(
  { composer, ...deps }: ComposeDependencies,
  asked: readonly TaskResult[],
  others: readonly TaskResult[],
  input: ComposeInput,
  writing: Writing,
): Promise<Composed> {
  const { understanding, failedAttempts, settings, history, results } = input
  const phrases = phrasesFor(understanding.replyLanguage)
  const before = mergeSources(others)
  const question = {
    parts: asked.map(({ task, query, hits }) => ({
      question: query === task.fallback ? (task.rewrites[0] as string) : query,
      hits,
    })),
    history,
    settings,
    language: understanding.replyLanguage,
    failedAttempts,
    sensitive: understanding.sensitiveTopic !== null,
    facts: others.map(({ answer }) => answer),
    sources: before,
  }
  const answer = await composeWithModel({ ...deps, ...(composer as ModelComposer) }, question, writing)
  writing.signal.throwIfAborted()
  /** Each part that the model was asked has what it came to. */
  const settled = (came: (result: TaskResult) => Partial<TaskResult>): TaskResult[] =>
    results.map((result) => (asked.includes(result) ? { ...result, ...came(result) } : result))
  if (answer.outcome === 'answered') {
    if (answer.removed) await writing.write(`\n\n${phrases.unverified}`)
    const base =
      answer.sources.length > before.length ? undefined : restsOn(answer.written, answer.passages, deps.terms)
    const sources = [...answer.sources, ...(base ? toSources([base], []) : [])]
    const own = sources.slice(before.length)
    const came = { answer: answer.written, sources: own, suggestions: [], rest: '', confidence: 'sure' as const }
    return { mode: 'model', sources, suggestions: suggestionsOf(others), results: settled(() => came) }
  }
  if (answer.outcome === 'not_found') {
    const none = settled(({ hits }) => {
      const suggestions = suggestionsFrom(hits, before, understanding.replyLanguage)
      const said =
        suggestions.length > 0 ? phrases.choose : failedAttempts > 0 ? phrases.notFoundAgain : phrases.notFound
      return { answer: said, confidence: 'none', sources: [], suggestions, rest: '' }
    })
    const own = none.filter((_, i) => asked.includes(results[i] as TaskResult))
    await writing.write(goingOn(answer.written, joinPlain(own, input), writing).text)
    return { mode: 'model', sources: before, suggestions: suggestionsOf(none), results: none }
  }
  const { text, isKept } = goingOn(answer.written, joinPlain(asked, input), writing)
  await writing.write(text)
  // Numbers that somebody has read already stay those of the sources.
  const said = mergeSources(results)
  const cited = isKept ? answer.sources : before
  const sources = [...cited, ...said.filter(({ docId }) => !cited.some((source) => source.docId === docId))]
  return { mode: 'fallback', sources, suggestions: suggestionsOf(results), results }
}

/** Words that follow what a model left unfinished, of which nothing is said twice. `isKept`: what it wrote stays. */
function goingOn(written: string, whole: string, { withdraw }: Writing): { text: string; isKept: boolean } {
  if (written === '' || withdraw(written)) return { text: whole, isKept: false }
  const begun = beginningOf(whole, written)
  if (begun > 0) return { text: whole.slice(begun), isKept: true }
  const isEnded = /[.!?。！？…]["'”’」』)）\]]*$/.test(written.replace(/\[\d+\]/g, '').trimEnd())
  return { text: `${isEnded ? '' : '…'}\n\n${whole}`, isKept: true }
}

/** Characters of `whole` that `written` has said already, citations and blanks apart; 0 where it says something else. */
function beginningOf(whole: string, written: string): number {
  const said = [...written.replace(/\[\d+\]/g, '').replace(/\s/g, '')]
  const behindBlanks = (at: number): number => at + (/^\s*/.exec(whole.slice(at))?.[0].length ?? 0)
  let at = 0
  for (const letter of said) {
    at = behindBlanks(at)
    if (!whole.startsWith(letter, at)) return 0
    at += letter.length
  }
  return /\s$/.test(written) ? behindBlanks(at) : at
}

/** Of those with the same key the one that scores best; the best first. */
function bestFirst<Found extends { score: number }>(found: readonly Found[], keyOf: (one: Found) => unknown): Found[] {
  const best = new Map<unknown, Found>()
  for (const one of found) if ((best.get(keyOf(one))?.score ?? -1) < one.score) best.set(keyOf(one), one)
  return [...best.values()].sort((a, b) => b.score - a.score)
}

function mergeSources(results: readonly TaskResult[]): Source[] {
  const sources = results.flatMap((result) => result.sources)
  return bestFirst(sources, ({ docId }) => docId)
}

function plainMode(results: readonly TaskResult[]): ReplyMode {
  return results.some(({ agent, sources }) => agent === 'knowledge' && sources.length > 0) ? 'extractive' : 'notice'
}
