import type { TierCounter } from '../../ai/model/tiers.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EscalationCard, EscalationThresholds } from '../escalation/index.ts'
import { planTasks } from './agents/router.ts'
import { type AgentDependencies, runTasks } from './agents/run-tasks.ts'
import { type Task, type TaskResult, toSubTask } from './agents/task.ts'
import { type Composed, compose } from './compose/compose.ts'
import type { ModelComposer } from './compose/model-composer.ts'
import { decideHandoff, type HandoffInput, makeCard } from './handoff.ts'
import { phrasesFor } from './phrases.ts'
import type { TraceRecorder } from './trace-recorder.ts'
import {
  type Confidence,
  KEPT_QUESTIONS,
  type ReplyMode,
  type SessionContext,
  type SessionRow,
  type Source,
  type StoredMessage,
  type SubTaskResult,
} from './types.ts'
import type { Understanding } from './understanding/types.ts'

export interface TurnDependencies extends AgentDependencies {
  rewriteFollowUp(message: string, previousQuestions: readonly string[]): string[]
  asksForPerson(sentence: string): boolean
  escalation: () => EscalationThresholds
  /** Null: replies are extractive. */
  composer: ModelComposer | null
  tiers: Pick<TierCounter, 'count'>
  clock: Clock
}

export interface TurnInput {
  message: string
  session: SessionRow
  understanding: Understanding
  /** Questions that stand alone, as a model read them; null: the rules rewrite follow-ups. */
  standalone: readonly string[] | null
  /** Oldest first, the message itself last. */
  history: readonly StoredMessage[]
  trace: TraceRecorder
  signal: AbortSignal
  /** The reply is sent piece by piece. */
  isStreamed: boolean
}

/** What there is to say, before it is put into words. */
export interface TurnPlan {
  results: readonly TaskResult[]
  sources: Source[]
  /** Consecutive turns without a confident answer, this one included. */
  failedAttempts: number
  card: EscalationCard | null
  /** The session waits for a person, by this turn or an earlier one. */
  escalate: boolean
}

export interface TurnReply {
  reply: string
  mode: ReplyMode
  sources: Source[]
  subTasks: SubTaskResult[]
  failedAttempts: number
  confident: boolean
  confidence: Confidence | null
  context: SessionContext
  card: EscalationCard | null
}

/** Names the agent of every part of the message. */
export function route(deps: TurnDependencies, input: TurnInput): Promise<Task[]> {
  const { session, understanding, message, trace, standalone } = input
  const rewriteFollowUp = standalone ? () => [...standalone] : deps.rewriteFollowUp
  return trace.span(
    { agent: 'router', type: 'agent', name: 'router', input: message },
    async () => planTasks({ message, understanding, context: session.context, rewriteFollowUp }),
    (planned) => planned.map(({ agent, question }) => `${agent}: ${question}`).join('\n'),
  )
}

/** Finds out what can be answered and whether a person is needed. */
export async function planTurn(deps: TurnDependencies, input: TurnInput, tasks: readonly Task[]): Promise<TurnPlan> {
  const { session, understanding, trace, signal } = input
  const { sessionId, userId, context } = session
  const asker = { sessionId, userId, pending: context.pending ?? null, language: understanding.replyLanguage }
  const results = await runTasks(deps, tasks, { asker, chitchatKind: understanding.chitchatKind, trace, signal })
  const failedAttempts = countFailures(results, session.failedAttempts)
  const handoff: HandoffInput = { session, understanding, results, failedAttempts, thresholds: deps.escalation() }
  const decision = decideHandoff(handoff)
  const helpers = { asksForPerson: deps.asksForPerson, nowMs: deps.clock.now() }
  const card = decision ? makeCard(decision, handoff, input.history, helpers) : null
  return {
    results,
    sources: results.flatMap(({ sources }) => sources),
    failedAttempts,
    card,
    escalate: card !== null || session.agentStatus === 'pending',
  }
}

/** Says the next piece of a reply; resolves when the one after it is wanted. */
export type Say = (piece: string) => Promise<void>

/** Puts the plan into words, piece by piece. */
export async function speak(deps: TurnDependencies, input: TurnInput, plan: TurnPlan, say: Say): Promise<TurnReply> {
  const { understanding, session, history, trace, signal, isStreamed } = input
  const words = {
    results: plan.results,
    understanding,
    history: history.slice(0, -1),
    failedAttempts: session.failedAttempts,
    closing: closingOf(plan, input),
    isStreamed,
  }
  let reply = ''
  const pieces = compose(deps.composer, words, trace, signal)
  let step = await pieces.next()
  while (!step.done) {
    reply += step.value
    await say(step.value)
    step = await pieces.next()
  }
  const composed = step.value
  if (composed.mode === 'extractive' || composed.mode === 'fallback') deps.tiers.count('extractive')
  return finished(input, plan, composed, reply)
}

function finished({ session }: TurnInput, plan: TurnPlan, composed: Composed, reply: string): TurnReply {
  const confident = composed.answered && plan.results.some(({ confidence }) => confidence === 'sure')
  return {
    reply,
    mode: composed.mode,
    sources: composed.sources,
    subTasks: plan.results.map(toSubTask),
    failedAttempts: composed.answered ? plan.failedAttempts : session.failedAttempts + 1,
    confident,
    confidence: composed.answered ? confidenceOf(plan.results) : 'none',
    context: nextContext(session.context, plan.results),
    card: plan.card,
  }
}

/** Of several parts, the surest. */
function confidenceOf(results: readonly TaskResult[]): Confidence | null {
  const asked = results.filter(({ agent, confidence }) => agent === 'knowledge' && confidence !== 'asks')
  if (asked.length === 0) return null
  return (['sure', 'close'] as const).find((level) => asked.some(({ confidence }) => confidence === level)) ?? 'none'
}

/** What is said of the hand-over after the reply; a reply that is nothing else needs no more. */
function closingOf({ card, results }: TurnPlan, { understanding, session }: TurnInput): string {
  const phrases = phrasesFor(understanding.replyLanguage)
  if (results.some(({ agent }) => agent === 'escalation')) return ''
  if (session.agentStatus === 'pending') return phrases.waiting
  return card ? phrases.handoff : ''
}

/**
 * A settled question ends the run of failures; small talk, questions back and a closest passage leave it as it is. A
 * part that failed for technical reasons is no failure to answer.
 */
function countFailures(results: readonly TaskResult[], before: number): number {
  if (results.some(({ confidence }) => confidence === 'sure')) return 0
  const nothing = results.some(({ status, confidence }) => status === 'done' && confidence === 'none')
  return nothing && results.every(({ confidence }) => confidence === 'none') ? before + 1 : before
}

function nextContext(before: SessionContext, results: readonly TaskResult[]): SessionContext {
  const asked = results.filter(({ agent }) => agent === 'knowledge').map(({ query }) => query)
  const business = results.find(({ business: found }) => found !== null)?.business
  return {
    questions: [...(before.questions ?? []), ...asked].slice(-KEPT_QUESTIONS),
    pending: business ? business.pending : (before.pending ?? null),
    clarifying: results.flatMap(({ clarify }) => clarify),
  }
}
