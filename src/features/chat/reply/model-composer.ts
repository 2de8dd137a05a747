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
import type { TurnSettings } from '../turn/settings.ts'
import type { TurnState } from '../turn/state.ts'
import type { ComposeDependencies, Writing } from './compose.ts'
import { collectEvidence } from './evidence.ts'
import { createGuard } from './guard.ts'
import { withoutLinks } from './links.ts'
import { inTurns, type ModelPart, withinBudget } from './model-passages.ts'
import { rewordQuestion } from './model-rewording.ts'
import { createModelWriting } from './model-writing.ts'
import { phrasesFor } from './phrases.ts'
import { historyMessages, instructions, passageBlock, questionMessage } from './prompt.ts'

export interface ModelComposer {
  model: ChatModel
  mask: (text: string) => string
  /** Tokens that all steps of one reply together may read and write. */
  maxTokensPerReply: number
}

export interface ModelQuestion extends Pick<TurnState, 'history' | 'settings'> {
  parts: readonly ModelPart[]
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
  const { assistant } = input.settings
  const system = instructions(input.language, assistant)
  const questions = input.parts.map(({ question }) => question)
  const found = withinBudget(await findMore(deps, input, { spans, signal }), budget * PASSAGE_SHARE)
  const bestScore = found[0]?.score ?? 0
  const message = questionMessage(questions, found, deps.mask)
  const history = historyMessages(input.history, budget * (1 - PASSAGE_SHARE), deps.mask)
  const evidence = collectEvidence([...found.map(passageText), ...questions.map(withoutClaims), ...input.facts])
  const search = searchTool(deps.search, input.settings, (hits) => {
    for (const hit of hits) evidence.add(passageText(hit))
    const fresh = hits.filter(({ chunkId }) => !found.some((known) => known.chunkId === chunkId))
    found.push(...fresh)
    return hits
      .map((hit) => passageBlock(found.findIndex(({ chunkId }) => chunkId === hit.chunkId) + 1, hit))
      .join('\n')
  })
  const citing = numberSources(input.sources, found)
  const guard = createGuard({ evidence, citing, secret: instructions(input.language) })
  const stop = new AbortController()
  const partNotFound = questions.length > 1 ? phrasesFor(input.language).partNotFound : ''
  const writing = createModelWriting({ guard, write, stop: () => stop.abort(), partNotFound })
  const result = await runAgent(
    {
      agent: 'composer',
      messages: [{ role: 'system', content: system }, ...history, message],
      tools: [search],
      allowedTools: [search.name],
      limits: { maxTokens: deps.maxTokensPerReply },
      ...voiceOf(assistant),
      tier: chooseTier({
        kind: 'answer',
        inputTokens: estimateTokens(message.content),
        subTasks: questions.length,
        confidence: bestScore,
        failedAttempts: input.failedAttempts,
        sensitive: input.sensitive,
      }),
    },
    {
      stream: deps.model.stream,
      emit: (event) => {
        if (event.type === 'step-start' && event.step > 1) writing.nextStep()
        if (event.type === 'text-delta') writing.push(event.text)
      },
      spans,
      signal: AbortSignal.any([signal, stop.signal]),
    },
  )
  // Checks while the model wrote are part of the model's time; this is the rest, and the verdict.
  const { written, isNotFound } = await spans.span(
    { agent: 'composer', type: 'guard', name: 'guard', input: '' },
    writing.end,
    () => (guard.leaking ? 'stopped: it recited its instructions' : guard.removed ? 'left something out' : 'passed'),
  )
  const { removed, leaking } = guard
  const cited = citing.sources()
  const outcome = outcomeOf(result.stopReason === 'answer' && !leaking, {
    isNotFound: isNotFound && cited.length === input.sources.length,
    hasWords: written.trim() !== '',
  })
  return { outcome, written, sources: cited, passages: found, removed }
}

/** The model that speaks, and how freely, where somebody set that. */
function voiceOf({ model, temperature }: TurnSettings['assistant']) {
  return { ...(model === '' ? {} : { model }), ...(temperature === null ? {} : { temperature }) }
}

function outcomeOf(isWhole: boolean, { isNotFound, hasWords }: { isNotFound: boolean; hasWords: boolean }) {
  if (isNotFound) return 'not_found'
  return isWhole && hasWords ? 'answered' : 'failed'
}

/** Numbers of documents as customers see them: in the order of `sources`, each new one when it is first cited. */
function numberSources(before: readonly Source[], passages: readonly SearchHit[]) {
  const sources = [...before]
  return {
    exists: (passage: number): boolean => passages[passage - 1] !== undefined,
    numberOf(passage: number): number {
      const hit = passages[passage - 1] as SearchHit
      const known = sources.findIndex(({ docId }) => docId === hit.docId)
      return known >= 0 ? known + 1 : sources.push(...toSources([hit], [hit]))
    },
    sources: (): Source[] => sources,
  }
}

/** Passages found for each part, and those that another wording finds for parts without a sure one. */
async function findMore(
  deps: ModelComposer & Omit<ComposeDependencies, 'composer'>,
  { parts, history, settings }: ModelQuestion,
  { spans, signal }: Pick<Writing, 'spans' | 'signal'>,
): Promise<SearchHit[]> {
  const isWeak = ({ hits }: ModelPart): boolean => (hits[0]?.score ?? 0) < settings.thresholds.directAnswer
  const weak = parts.filter(isWeak)
  const lists = parts.map(({ hits }) => hits)
  const asked = weak.map(({ question }) => question).join(' ')
  const query = weak.length === 0 ? null : await rewordQuestion(deps, asked, history, { spans, signal })
  if (query === null) return inTurns(lists)
  const search = tracedSearch(deps.search, settings, { agent: 'composer', spans })
  const more = await search(query, { topK: REWORDED_TOP_K })
  if (weak.length > 1) return inTurns([...lists, more])
  // Scores of one question and of its other wording say the same.
  const both = [...(weak[0] as ModelPart).hits, ...more].sort((a, b) => b.score - a.score)
  return inTurns(parts.map((part) => (part === weak[0] ? both : part.hits)))
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
