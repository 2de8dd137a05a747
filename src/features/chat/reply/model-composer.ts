import { Type } from 'typebox'
import { runAgent } from '../../../ai/agent-loop/loop.ts'
import { defineTool } from '../../../ai/agent-loop/tools.ts'
import type { AgentTool } from '../../../ai/agent-loop/types.ts'
import type { ChatModel } from '../../../ai/model/port.ts'
import { chooseTier } from '../../../ai/model/tiers.ts'
import { estimateTokens } from '../../../ai/model/tokens.ts'
import type { Knowledge, SearchHit } from '../../knowledge/index.ts'
import type { Source } from '../../sessions/index.ts'
import { toSources } from '../agents/knowledge-agent.ts'
import { passageText, tracedSearch } from '../agents/search.ts'
import type { AnswerThresholds, TurnSettings } from '../turn/settings.ts'
import type { TurnState } from '../turn/state.ts'
import type { ComposeDependencies, Writing } from './compose.ts'
import { collectEvidence } from './evidence.ts'
import { createGuard, type Guard } from './guard.ts'
import { withoutLinks } from './links.ts'
import { rewordQuestion } from './model-rewording.ts'
import { historyMessages, instructions, NOT_FOUND, passageBlock, questionMessage } from './prompt.ts'

export interface ModelComposer {
  model: ChatModel
  mask: (text: string) => string
  /** Tokens that all steps of one reply together may read and write. */
  maxTokensPerReply: number
}

export interface ModelQuestion extends Pick<TurnState, 'history' | 'settings'> {
  questions: readonly string[]
  thresholds: AnswerThresholds
  passages: readonly SearchHit[]
  language: string
  failedAttempts: number
  sensitive: boolean
  /** Further things that may be stated: results of business lookups. */
  facts: readonly string[]
  /** Sources that the reply has already; the first that the model cites is numbered behind them. */
  sources: readonly Source[]
}

export interface ModelAnswer {
  /** `not_found`: the passages hold no answer. `failed`: nothing, or not all, of an answer came. */
  outcome: 'answered' | 'not_found' | 'failed'
  written: string
  /** Documents that it cites, in the order of their numbers, those that the reply had before first. */
  sources: Source[]
  /** Passages that the model was given, its own searches included. */
  passages: SearchHit[]
  removed: boolean
}

const CLAIMED_QUANTITY =
  /[¥$€£]\s*\d[\d.,]*|(?<![\d.,])(?=[.,]*\d)[\d.,]+\s*(?:%|％|years?|days?|hours?|weeks?|months?|minutes?|dollars?|yuan|euros?|pounds?|am\b|pm\b|年|天|日|小时|分钟|个月|月|周|元|块|折|点)|\d{1,2}:\d{2}|(?<!\S)(?=\S*(?:@|:\/\/))\S+/gi
const PASSAGE_SHARE = 0.7
const TOOL_TOP_K = 4
const REWORDED_TOP_K = 6

/** Writes the reply over the retrieved passages as it comes. Throws nothing but what `write` throws. */
export async function composeWithModel(
  deps: ModelComposer & Omit<ComposeDependencies, 'composer'>,
  input: ModelQuestion,
  { write, spans, signal }: Writing,
): Promise<ModelAnswer> {
  const budget = input.settings.maxContextTokens
  const system = instructions(input.language)
  const passages = await findMore(deps, input, { spans, signal })
  const { message, used } = questionMessage(input.questions, passages, budget * PASSAGE_SHARE, deps.mask)
  const history = historyMessages(input.history, budget * (1 - PASSAGE_SHARE), deps.mask)
  const evidence = collectEvidence([...used.map(passageText), ...input.questions.map(withoutClaims), ...input.facts])
  const found = [...used]
  const search = searchTool(deps.search, input.settings, (hits) => {
    for (const hit of hits) evidence.add(passageText(hit))
    const fresh = hits.filter(({ chunkId }) => !found.some((known) => known.chunkId === chunkId))
    found.push(...fresh)
    return hits
      .map((hit) => passageBlock(found.findIndex(({ chunkId }) => chunkId === hit.chunkId) + 1, hit))
      .join('\n')
  })
  const citing = numberSources(input.sources, found)
  const guard = createGuard({ evidence, cite: citing.cite, secret: system })
  const stop = new AbortController()
  const guarded = writeGuarded(guard, write, () => stop.abort())
  const result = await runAgent(
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
        confidence: passages[0]?.score ?? 0,
        failedAttempts: input.failedAttempts,
        sensitive: input.sensitive,
      }),
    },
    {
      stream: deps.model.stream,
      emit: (event) => void (event.type === 'text-delta' && guarded.push(event.text)),
      spans,
      signal: AbortSignal.any([signal, stop.signal]),
    },
  )
  // Checks while the model wrote are part of the model's time; this is the rest, and the verdict.
  const { written, isNotFound } = await spans.span(
    { agent: 'composer', type: 'guard', name: 'guard', input: '' },
    guarded.end,
    () => (guard.leaking ? 'stopped: it recited its instructions' : guard.removed ? 'left something out' : 'passed'),
  )
  const { removed, leaking } = guard
  const whole = result.stopReason === 'answer' && !leaking && written.trim() !== ''
  const outcome = isNotFound ? 'not_found' : whole ? 'answered' : 'failed'
  return { outcome, written, sources: citing.sources(), passages: found, removed }
}

/** Numbers of documents as customers see them: in the order of `sources`, each new one when it is first cited. */
function numberSources(before: readonly Source[], passages: readonly SearchHit[]) {
  const sources = [...before]
  return {
    cite(passage: number): number | null {
      const hit = passages[passage - 1]
      if (!hit) return null
      const known = sources.findIndex(({ docId }) => docId === hit.docId)
      return known >= 0 ? known + 1 : sources.push(...toSources([hit], [hit]))
    },
    sources: (): Source[] => sources,
  }
}

/** What another wording finds as well, where the question alone found nothing sure. */
async function findMore(
  deps: ModelComposer & Omit<ComposeDependencies, 'composer'>,
  { passages, questions, history, settings, thresholds }: ModelQuestion,
  { spans, signal }: Pick<Writing, 'spans' | 'signal'>,
): Promise<readonly SearchHit[]> {
  if ((passages[0]?.score ?? 0) >= thresholds.directAnswer) return passages
  const query = await rewordQuestion(deps, questions.join(' '), history, { spans, signal })
  if (query === null) return passages
  const search = tracedSearch(deps.search, settings, { agent: 'composer', spans })
  const known = new Set(passages.map(({ chunkId }) => chunkId))
  const more = (await search(query, { topK: REWORDED_TOP_K })).filter(({ chunkId }) => !known.has(chunkId))
  return [...passages, ...more].sort((a, b) => b.score - a.score)
}

/** Writes what the guard lets through, in order, at the pace of whoever reads. @param stop ends the model's work */
function writeGuarded(guard: Guard, write: (text: string) => Promise<void>, stop: () => void) {
  const opening = holdOpening()
  let written = ''
  let writes = Promise.resolve()
  const pass = (ready: string): void => {
    if (ready === '') return
    written += ready
    writes = writes.then(() => write(ready))
    // Whether it failed is told at the end.
    writes.catch(stop)
  }
  return {
    push(delta: string): void {
      pass(guard.push(opening.feed(delta)))
      if (guard.leaking) stop()
    },
    async end() {
      const isNotFound = opening.isNotFound()
      if (!isNotFound) pass(guard.push(opening.rest()) + guard.end())
      await writes
      return { written, isNotFound }
    },
  }
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

function searchTool(
  search: Knowledge['search'],
  settings: TurnSettings,
  remember: (hits: readonly SearchHit[]) => string,
): AgentTool {
  return defineTool({
    name: 'search_knowledge',
    description: 'Find more passages of the knowledge base. Ask one short, self-contained question.',
    parameters: Type.Object({ query: Type.String({ minLength: 1, maxLength: 300 }) }),
    async execute({ query }, { spans }) {
      const hits = await tracedSearch(search, settings, { agent: 'composer', spans })(query, { topK: TOOL_TOP_K })
      return hits.length === 0 ? 'Nothing was found.' : remember(hits)
    },
  }) as AgentTool
}

/** Customers may name an order, but what they say of prices and terms is no evidence: "say that it lasts 99 years". */
function withoutClaims(question: string): string {
  return withoutLinks(question.replace(CLAIMED_QUANTITY, ' '))
}
