import type { SearchHit } from '../../knowledge/index.ts'
import { toSources } from '../agents/knowledge-agent.ts'
import type { TaskResult } from '../agents/task.ts'
import { phrasesFor } from '../phrases.ts'
import { piecesOf } from '../tokens.ts'
import type { TraceRecorder } from '../trace-recorder.ts'
import type { ReplyMode, Source, StoredMessage } from '../types.ts'
import type { Understanding } from '../understanding/types.ts'
import { composeWithModel, type ModelComposer } from './model-composer.ts'

export interface ComposeInput {
  results: readonly TaskResult[]
  understanding: Understanding
  history: readonly StoredMessage[]
  failedAttempts: number
  /** Said after the reply: that a person was called, say. */
  closing: string
  /** The reply is sent piece by piece. */
  isStreamed: boolean
}

export interface Composed {
  mode: ReplyMode
  sources: Source[]
  /** False when the model found no answer in what retrieval had proposed. */
  answered: boolean
}

/** A matched pair this sure is answered with its own answer: a model could only say the same more slowly. */
const VERBATIM_SCORE = 0.97

/**
 * Writes the reply to all parts, yielding it piece by piece. Business answers, small talk and questions back are given
 * as they are; what comes from the knowledge base is written by the model when there is one, and with the passages' own
 * words when there is none or when it fails.
 */
export async function* compose(
  composer: ModelComposer | null,
  input: ComposeInput,
  trace: TraceRecorder,
  signal: AbortSignal,
): AsyncGenerator<string, Composed> {
  const forModel = composer ? input.results.filter(needsModel) : []
  let composed: Composed = { mode: plainMode(input.results), sources: mergeSources(input.results), answered: true }
  const plain = input.results.filter((result) => !forModel.includes(result))
  const plainText = joinPlain(plain, input, forModel.length > 0)
  yield* piecesOf(plainText, input)
  if (composer && forModel.length > 0) {
    if (plainText !== '') yield '\n\n'
    composed = yield* composeModelPart(composer, forModel, plain, input, trace, signal)
  }
  if (input.closing !== '') yield* piecesOf(`\n\n${input.closing}`, input)
  return composed
}

/** The reply without a model, whole. */
export function joinPlain(
  results: readonly TaskResult[],
  { understanding, failedAttempts }: Pick<ComposeInput, 'understanding' | 'failedAttempts'>,
  partial = false,
): string {
  const phrases = phrasesFor(understanding.replyLanguage)
  const [only] = results
  if (!only) return ''
  if (results.length === 1 && !partial) {
    const nothing = only.status === 'done' && only.confidence === 'none' && only.business === null
    return nothing && failedAttempts > 0 ? phrases.notFoundAgain : only.answer
  }
  if (results.every(isNothing)) return failedAttempts > 0 ? phrases.notFoundAgain : phrases.notFound
  const answers = results.map((result) => (isNothing(result) ? phrases.partNotFound : result.answer))
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

function isNothing({ status, confidence, business }: TaskResult): boolean {
  return status === 'done' && confidence === 'none' && business === null
}

function needsModel(result: TaskResult): boolean {
  if (result.agent !== 'knowledge' || result.status !== 'done' || result.clarify.length > 0) return false
  const best = result.hits[0]
  if (!best || result.confidence === 'none') return false
  return best.question === null || best.score < VERBATIM_SCORE || result.task.asSaid !== null
}

async function* composeModelPart(
  composer: ModelComposer,
  results: readonly TaskResult[],
  others: readonly TaskResult[],
  input: ComposeInput,
  trace: TraceRecorder,
  signal: AbortSignal,
): AsyncGenerator<string, Composed> {
  const { replyLanguage, sensitiveTopic } = input.understanding
  const phrases = phrasesFor(replyLanguage)
  const question = {
    questions: results.map(({ task, query }) => (query === task.fallback ? (task.readings[0] as string) : query)),
    passages: bestFirst(results.flatMap(({ hits }) => hits)),
    history: input.history,
    language: replyLanguage,
    failedAttempts: input.failedAttempts,
    sensitive: sensitiveTopic !== null,
    facts: others.map(({ answer }) => answer),
  }
  const stream = composeWithModel(composer, question, trace, signal)
  let spoken = ''
  let step = await stream.next()
  while (!step.done) {
    spoken += step.value
    yield step.value
    step = await stream.next()
  }
  const { outcome, passages, removed } = step.value
  signal.throwIfAborted()
  if (outcome === 'answered') {
    if (removed) yield* piecesOf(`\n\n${phrases.unverified}`, input)
    return { mode: 'model', sources: citedSources(spoken, passages, mergeSources(input.results)), answered: true }
  }
  if (outcome === 'not_found') {
    yield* piecesOf(input.failedAttempts > 0 ? phrases.notFoundAgain : phrases.notFound, input)
    return { mode: 'model', sources: [], answered: false }
  }
  if (spoken !== '') yield '\n\n'
  yield* piecesOf(joinPlain(results, input), input)
  return { mode: 'fallback', sources: mergeSources(input.results), answered: true }
}

function bestFirst(hits: readonly SearchHit[]): SearchHit[] {
  const byChunk = new Map<number, SearchHit>()
  for (const hit of hits) if ((byChunk.get(hit.chunkId)?.score ?? -1) < hit.score) byChunk.set(hit.chunkId, hit)
  return [...byChunk.values()].sort((a, b) => b.score - a.score)
}

/** What the reply cites; all passages it was given when it cites none. */
function citedSources(text: string, passages: readonly SearchHit[], all: readonly Source[]): Source[] {
  const cited = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, index]) => Number(index) - 1))
  const hits = passages.filter((_, i) => cited.has(i))
  return hits.length > 0 ? toSources(hits, []) : [...all]
}

function mergeSources(results: readonly TaskResult[]): Source[] {
  const merged = new Map<string, Source>()
  for (const source of results.flatMap(({ sources }) => sources)) {
    const known = merged.get(source.docId)
    if (!known || known.score < source.score) merged.set(source.docId, source)
  }
  return [...merged.values()].sort((a, b) => b.score - a.score)
}

function plainMode(results: readonly TaskResult[]): ReplyMode {
  return results.some(({ agent, sources }) => agent === 'knowledge' && sources.length > 0) ? 'extractive' : 'notice'
}
