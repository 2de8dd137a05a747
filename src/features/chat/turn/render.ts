import type { TierCounter } from '../../../ai/model/tiers.ts'
import type { Spans } from '../../../kernel/tracing.ts'
import type { Clock } from '../../../platform/clock.ts'
import { KEPT_QUESTIONS, type SessionContext, type Suggestion } from '../../sessions/index.ts'
import { type TaskResult, toSubTask } from '../agents/task.ts'
import { type ComposeDependencies, compose } from '../reply/compose.ts'
import { type Phrases, phrasesFor } from '../reply/phrases.ts'
import type { Confidence } from '../types.ts'
import type { Understand } from '../understanding/understanding.ts'
import { fromCache } from './cache.ts'
import { callText } from './call-text.ts'
import { decide, isUpset, putsOff } from './decide.ts'
import type { TurnState } from './state.ts'

export interface RenderDependencies extends ComposeDependencies {
  tiers: Pick<TierCounter, 'count'>
  clock: Clock
  understand: Understand
}

const PIECE = /\s*[^\s\p{Script=Han}]+|\s*\p{Script=Han}{1,4}|\s+/gu

/** Writes the reply, piece by piece where somebody follows. */
export async function render(deps: RenderDependencies, state: TurnState, spans: Spans): Promise<void> {
  const { session, understanding, claim, trace } = state
  const phrases = phrasesFor(understanding.replyLanguage)
  if (claim.kind === 'hit') state.sources = claim.reply.sources
  const isCalled = state.isAssigned || state.card !== null || session.agentStatus === 'pending'
  await state.emit?.({
    type: 'meta',
    traceId: trace.traceId,
    sessionId: session.sessionId,
    intent: understanding.intent,
    sources: state.sources,
    escalate: isCalled,
  })
  if (state.isAssigned) return write(state, phrases.assigned)
  if (claim.kind === 'hit') {
    await write(state, claim.reply.reply)
    Object.assign(state, fromCache(state, claim.reply))
    return
  }
  await renderAnswers(deps, state, spans, phrases)
}

async function renderAnswers(
  deps: RenderDependencies,
  state: TurnState,
  spans: Spans,
  phrases: Phrases,
): Promise<void> {
  const { session, signal } = state
  const calling = (): string => {
    const isWaiting = session.agentStatus === 'pending'
    if (!isWaiting && !state.card) return ''
    return callText(state) ?? (isWaiting ? phrases.waiting : phrases.handoff)
  }
  const results = state.results.map((result) =>
    result.agent === 'escalation' ? { ...result, answer: calling() } : result,
  )
  const asksForPerson = results.some(({ agent }) => agent === 'escalation')
  // A call counts once it is stored, and no earlier is it told.
  const put = (text: string): Promise<void> => write(state, text, state.card !== null && asksForPerson)
  const { understanding, settings, history, claim } = state
  const upset = isUpset(state)
  if (upset && !asksForPerson) await put(`${phrases.sorry}\n\n`)
  const composed = await compose(
    deps,
    {
      results,
      understanding,
      settings,
      // A reply that may be given to others must not lean on this conversation.
      history: claim.kind === 'compute' ? [] : history.slice(0, -1),
      failedAttempts: session.failedAttempts,
    },
    { write: put, withdraw: (text) => withdraw(state, text), spans, signal },
  )
  // A model may have made of the passages what the search did not think of them.
  if (composed.mode === 'model' || composed.mode === 'fallback') {
    state.results = composed.results
    const { card } = state
    decide(deps, state, { isOpen: false })
    state.card = card ?? state.card
  }
  const called = calling()
  if (upset && called === '') await put(`\n\n${phrases.offerPerson}`)
  // A reply that is nothing else needs no more.
  if (called !== '' && !asksForPerson) await write(state, `\n\n${called}`, state.card !== null)
  if (composed.mode === 'extractive' || composed.mode === 'fallback') deps.tiers.count('extractive')
  state.mode = composed.mode
  state.sources = composed.sources
  state.subTasks = composed.results.map(toSubTask)
  state.confident = composed.results.some(({ confidence }) => confidence === 'sure')
  state.confidence = confidenceOf(composed.results)
  state.suggestions = composed.suggestions
  state.context = nextContext(session.context, composed.results, state)
}

/** Adds to the reply and gives it to whoever follows; resolves when the next piece is wanted. */
export async function write(state: TurnState, text: string, isHeld = false): Promise<void> {
  for (const piece of state.emit ? (text.match(PIECE) ?? []) : [text]) {
    state.reply += piece
    if (isHeld || state.held.length > 0) state.held.push(piece)
    else await state.emit?.({ type: 'token', content: piece })
  }
}

/** Gives what was held to whoever follows, now that the turn is stored. */
export async function release(state: TurnState): Promise<void> {
  const { held } = state
  state.held = []
  for (const content of held) await state.emit?.({ type: 'token', content })
}

/** Takes the end of the reply back, where nobody follows who has read it. */
function withdraw(state: TurnState, text: string): boolean {
  if (state.emit || !state.reply.endsWith(text)) return false
  state.reply = state.reply.slice(0, state.reply.length - text.length)
  return true
}

/** Of several parts, the surest. */
function confidenceOf(results: readonly TaskResult[]): Confidence | null {
  const asked = results.filter(({ agent, confidence }) => agent === 'knowledge' && confidence !== 'asks')
  if (asked.length === 0) return null
  return (['sure', 'close'] as const).find((level) => asked.some(({ confidence }) => confidence === level)) ?? 'none'
}

function nextContext(
  before: SessionContext,
  results: readonly TaskResult[],
  {
    suggestions,
    card,
    failedAttempts,
    settings,
    understanding,
  }: Pick<TurnState, 'suggestions' | 'card' | 'failedAttempts' | 'settings' | 'understanding'>,
): SessionContext {
  const asked = results.filter(({ agent, task }) => agent === 'knowledge' && !task.goesOn).map(({ query }) => query)
  const business = results.find(({ business: found }) => found !== null)?.business
  return {
    questions: [...(before.questions ?? []), ...asked].slice(-KEPT_QUESTIONS),
    // Whatever is not about it ends an open question.
    pending: business?.pending ?? null,
    topic: [...(business?.topic ?? before.topic ?? [])],
    done: [...(business?.done ?? before.done ?? [])],
    unverified: business?.outcome === 'unverified',
    clarifying: results.flatMap(({ clarify }) => clarify),
    offered: offeredBy(results, suggestions),
    // Once: who takes none of the choices that were given gets a person after all.
    isPutOff:
      !results.some(({ confidence }) => confidence === 'sure') &&
      card === null &&
      (before.isPutOff === true ||
        (putsOff(before, results) &&
          (failedAttempts >= settings.escalation.escalateAfterFailures ||
            isUpset({ understanding, settings }) !== null))),
    rest: restOf(results),
    answered: answeredBy(results) ?? before.answered ?? null,
  }
}

/** The choices as they were numbered, each with the question that it may answer. */
function offeredBy(results: readonly TaskResult[], suggestions: readonly Suggestion[]) {
  return suggestions.map((suggestion) => {
    const asked = results.find((result) => result.suggestions.some(({ docId }) => docId === suggestion.docId))
    return { ...suggestion, question: asked?.query ?? '' }
  })
}

function restOf(results: readonly TaskResult[]) {
  const cut = results.findLast(({ rest }) => rest !== '')
  return cut ? { text: cut.rest, sources: [...cut.sources] } : null
}

/** The subject of follow-ups: the document of the last part that was answered. */
function answeredBy(results: readonly TaskResult[]) {
  const [source] = results.findLast(({ agent, sources }) => agent === 'knowledge' && sources.length > 0)?.sources ?? []
  return source ? { docId: source.docId, title: source.title } : null
}
