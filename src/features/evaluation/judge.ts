import { memoize } from '../../kernel/memoize.ts'
import type { SearchHit } from '../knowledge/index.ts'
import { isRightAnswer, targetsOf } from './targets.ts'
import { type CaseResult, type Confidence, type EvaluationCase, isAnswerable } from './types.ts'

/** The assistant as it would be under parameters that need not be those in force. `P`: the tuner's parameters. */
export interface Assistant<P> {
  search(query: string, topK: number, params: P): Promise<SearchHit[]>
  /** How many passages an answer is made of. */
  passagesPerAnswer(params: P): number
  /** The reply that there would be, of what `search` finds; nothing is stored. */
  answer(
    question: { message: string; history: EvaluationCase['history'] },
    search: (query: string) => Promise<SearchHit[]>,
    params: P,
  ): Promise<{
    reply: string
    confidence: Confidence
    sources: readonly { docId: string; source: string }[]
    /** The question that each part was taken to ask in its conversation. */
    questions: readonly string[]
  }>
}

export interface Judging<P> {
  params: P
  /** How many passages count for a hit, 1 to 50. */
  topK: number
  signal: AbortSignal
  /** Awaited between two cases. */
  giveWay: () => Promise<void>
  /** Runs after each case. */
  onCase?: (done: number) => void
}

/** recall@10 needs ten, whatever is asked for. */
const MIN_DEPTH = 10
/** Passages that a report keeps of a case: more would make the report of a large set many megabytes. */
const KEPT_PASSAGES = 10
const EXCERPT_CHARACTERS = 160
const ANSWER_CHARACTERS = 500
const ALL = { maxEntries: Number.POSITIVE_INFINITY, maxLength: Number.POSITIVE_INFINITY }

/** Asks every case, one after the other, giving way to customers between two. */
export async function judgeCases<P>(
  assistant: Assistant<P>,
  cases: readonly EvaluationCase[],
  judging: Judging<P>,
): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const expected of cases) {
    judging.signal.throwIfAborted()
    results.push(await judgeCase(assistant, expected, judging))
    judging.onCase?.(results.length)
    await judging.giveWay()
  }
  return results
}

async function judgeCase<P>(
  assistant: Assistant<P>,
  expected: EvaluationCase,
  { params, topK }: Judging<P>,
): Promise<CaseResult> {
  const depth = Math.max(MIN_DEPTH, topK, assistant.passagesPerAnswer(params))
  // The answer and the ranking look at the same searches.
  const search = memoize((query) => assistant.search(query, depth, params), ALL)
  const start = performance.now()
  const answer = await assistant.answer(
    { message: expected.query, history: expected.history },
    async (query) => (await search(query)).slice(0, assistant.passagesPerAnswer(params)),
    params,
  )
  const latencyMs = performance.now() - start
  const found = await Promise.all(answer.questions.map(async (query) => ({ query, hits: await search(query) })))
  const abstained = answer.confidence === 'none'
  const ranking = rank(expected, bestFirst(found.flatMap(({ hits }) => hits)), topK)
  const isRight = isAnswerable(expected)
    ? !abstained && isRightAnswer(expected, answer.reply, answer.sources)
    : abstained
  return {
    ...expected,
    ...ranking,
    queries: found.map(({ query }) => query),
    hit: isAnswerable(expected) ? ranking.rank !== null && ranking.rank <= topK : abstained,
    answer: clip(answer.reply, ANSWER_CHARACTERS),
    confidence: answer.confidence,
    answerRight: isRight,
    latencyMs,
  }
}

function bestFirst(hits: readonly SearchHit[]): SearchHit[] {
  const byChunk = new Map(hits.map((hit) => [hit.chunkId, hit]))
  return [...byChunk.values()].sort((a, b) => b.score - a.score)
}

function rank(
  expected: EvaluationCase,
  hits: readonly SearchHit[],
  topK: number,
): Pick<CaseResult, 'retrieved' | 'targetRanks' | 'rank'> {
  const targets = targetsOf(expected)
  const targetRanks = targets.map((isMet) => hits.findIndex((hit) => isMet(hit)) + 1 || null)
  const first = Math.min(...targetRanks.map((found) => found ?? Number.POSITIVE_INFINITY))
  return {
    retrieved: hits.slice(0, Math.min(topK, KEPT_PASSAGES)).map((hit) => {
      const { chunkId, docId, source, score, content } = hit
      const relevant = targets.some((isMet) => isMet(hit))
      return { chunkId, docId, source, score, excerpt: clip(content, EXCERPT_CHARACTERS), relevant }
    }),
    targetRanks,
    rank: Number.isFinite(first) ? first : null,
  }
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed().trimEnd()} …`
}
