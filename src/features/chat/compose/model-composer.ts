import { Type } from 'typebox'
import { runAgent } from '../../../ai/agent-loop/loop.ts'
import { defineTool } from '../../../ai/agent-loop/tools.ts'
import type { AgentTool } from '../../../ai/agent-loop/types.ts'
import type { ChatModel } from '../../../ai/model/port.ts'
import { chooseTier } from '../../../ai/model/tiers.ts'
import { estimateTokens } from '../../../ai/model/tokens.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Knowledge, SearchHit } from '../../knowledge/index.ts'
import type { TraceRecorder } from '../trace-recorder.ts'
import type { StoredMessage } from '../types.ts'
import { collectEvidence } from './evidence.ts'
import { createGuard, type Guard } from './guard.ts'
import { withoutLinks } from './links.ts'
import { historyMessages, instructions, NOT_FOUND, passageBlock, questionMessage } from './prompt.ts'
import { createTextQueue } from './text-queue.ts'

export interface ModelComposer {
  model: ChatModel
  knowledge: Pick<Knowledge, 'search'>
  clock: Clock
  mask: (text: string) => string
  /** Tokens of passages and history together. */
  maxContextTokens: () => number
  /** Tokens that all steps of one reply together may read and write. */
  maxTokensPerReply: number
}

export interface ModelQuestion {
  questions: readonly string[]
  passages: readonly SearchHit[]
  history: readonly StoredMessage[]
  language: string
  failedAttempts: number
  sensitive: boolean
  /** What else may be stated: results of business lookups. */
  facts: readonly string[]
}

export interface ModelAnswer {
  /** `not_found`: the passages hold no answer. `failed`: nothing, or not all, of an answer came. */
  outcome: 'answered' | 'not_found' | 'failed'
  /** Passages that the model was given, its own searches included, in the order of their citation numbers. */
  passages: SearchHit[]
  removed: boolean
}

const CLAIMED_QUANTITY =
  /[¥$€£]\s*\d[\d.,]*|(?<![\d.,])(?=[.,]*\d)[\d.,]+\s*(?:%|％|years?|days?|hours?|weeks?|months?|minutes?|dollars?|yuan|euros?|pounds?|am\b|pm\b|年|天|日|小时|分钟|个月|月|周|元|块|折|点)|\d{1,2}:\d{2}|(?<!\S)(?=\S*(?:@|:\/\/))\S+/gi
const PASSAGE_SHARE = 0.7
const TOOL_TOP_K = 4

/** Writes the reply over the retrieved passages; yields it as it comes. Never throws. */
export async function* composeWithModel(
  deps: ModelComposer,
  input: ModelQuestion,
  trace: TraceRecorder,
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer> {
  const budget = deps.maxContextTokens()
  const system = instructions(input.language)
  const { message, used } = questionMessage(input.questions, input.passages, budget * PASSAGE_SHARE, deps.mask)
  const history = historyMessages(input.history, budget * (1 - PASSAGE_SHARE), deps.mask)
  const evidence = collectEvidence([...used.map(textOf), ...input.questions.map(withoutClaims), ...input.facts])
  const found = [...used]
  const stop = new AbortController()
  const search = searchTool(deps, (hits) => {
    for (const hit of hits) evidence.add(textOf(hit))
    const fresh = hits.filter(({ chunkId }) => !found.some((known) => known.chunkId === chunkId))
    found.push(...fresh)
    return hits
      .map((hit) => passageBlock(found.findIndex(({ chunkId }) => chunkId === hit.chunkId) + 1, hit))
      .join('\n')
  })
  const queue = createTextQueue()
  const run = runAgent(
    {
      agent: 'composer',
      messages: [{ role: 'system', content: system }, ...history, message],
      tools: [search],
      allowedTools: [search.name],
      limits: { maxTokens: deps.maxTokensPerReply },
      tier: chooseTier({
        kind: 'answer',
        inputTokens: estimateTokens(message.content),
        subTasks: input.questions.length,
        confidence: input.passages[0]?.score ?? 0,
        failedAttempts: input.failedAttempts,
        sensitive: input.sensitive,
      }),
    },
    {
      stream: deps.model.stream,
      mask: deps.mask,
      emit: (event) => void (event.type === 'text-delta' && queue.push(event.text)),
      recordSpan: (span) => trace.add(span),
      signal: AbortSignal.any([signal, stop.signal]),
      clock: deps.clock,
    },
  ).finally(() => queue.end())
  const guard = createGuard({ evidence, citations: input.passages.length + TOOL_TOP_K * 4, secret: system })
  const spoken = yield* guarded(queue, guard, () => stop.abort())
  const result = await run
  if (spoken === NOT_FOUND) return { outcome: 'not_found', passages: found, removed: false }
  const whole = result.stopReason === 'answer' && !guard.leaking && spoken.trim() !== ''
  return { outcome: whole ? 'answered' : 'failed', passages: found, removed: guard.removed }
}

async function* guarded(deltas: AsyncIterable<string>, guard: Guard, stop: () => void): AsyncGenerator<string, string> {
  const opening = holdOpening()
  let spoken = ''
  for await (const delta of deltas) {
    const ready = guard.push(opening.feed(delta))
    if (guard.leaking) stop()
    spoken += ready
    if (ready !== '') yield ready
  }
  if (opening.isNotFound()) return NOT_FOUND
  const rest = guard.push(opening.rest()) + guard.end()
  if (rest !== '') yield rest
  return spoken + rest
}

/** Holds the first letters, but only while they may still become NOT_FOUND. */
function holdOpening() {
  let held: string | null = ''
  return {
    feed(delta: string): string {
      if (held === null) return delta
      held += delta
      const start = held.trimStart()
      if (NOT_FOUND.startsWith(start) || start.startsWith(NOT_FOUND)) return ''
      const whole = held
      held = null
      return whole
    },
    isNotFound: (): boolean => held?.trimStart().startsWith(NOT_FOUND) ?? false,
    rest: (): string => held ?? '',
  }
}

function searchTool({ knowledge }: ModelComposer, remember: (hits: readonly SearchHit[]) => string): AgentTool {
  return defineTool({
    name: 'search_knowledge',
    description: 'Find more passages of the knowledge base. Ask one short, self-contained question.',
    parameters: Type.Object({ query: Type.String({ minLength: 1, maxLength: 300 }) }),
    async execute({ query }) {
      const hits = await knowledge.search({ query, topK: TOOL_TOP_K })
      return hits.length === 0 ? 'Nothing was found.' : remember(hits)
    },
  }) as AgentTool
}

/** Customers may name an order, but what they say of prices and terms is no evidence: "say that it lasts 99 years". */
function withoutClaims(question: string): string {
  return withoutLinks(question.replace(CLAIMED_QUANTITY, ' '))
}

function textOf({ question, content, headingPath, title }: SearchHit): string {
  return [title, ...headingPath, question ?? '', content].join('\n')
}
