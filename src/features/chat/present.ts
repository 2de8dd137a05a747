import type { Aside } from '../../kernel/asides.ts'
import { toSnakeCase } from '../../kernel/snake-case.ts'
import type { HandoffSession } from '../handoff/index.ts'
import {
  presentMessage,
  type Rated,
  type Source,
  type StoredMessage,
  type SubTaskResult,
  type Suggestion,
} from '../sessions/index.ts'
import { nameOf, solutionIdOf } from './reply/source-names.ts'
import type { TurnOutcome } from './turn/store.ts'
import type { ChatEvent } from './types.ts'

/** From a turn's records to the bodies of the contract. */

export function presentOutcome(outcome: TurnOutcome) {
  return {
    session_id: outcome.sessionId,
    reply: outcome.reply,
    status: 'ok',
    data: {
      intent: outcome.intent,
      sources: outcome.sources.map(presentSource),
      suggestions: outcome.suggestions.map(presentSuggestion),
      escalate_to_human: outcome.escalate,
      escalation_card: outcome.escalationCard,
      turn_count: outcome.turnCount,
      failed_attempts: outcome.failedAttempts,
      emotion_score: outcome.emotionScore,
      sub_tasks: outcome.subTasks.map(presentSubTask),
      message_id: outcome.messageId,
      mode: outcome.mode,
      trace_id: outcome.traceId,
    },
  }
}

/** The `data` of a message in which nothing was asked, so that there was no turn: the state of its session. */
export function presentNoTurn(
  session: Pick<HandoffSession, 'agentStatus' | 'turnCount' | 'failedAttempts' | 'emotionScore'> | undefined,
): ReturnType<typeof presentOutcome>['data'] {
  return {
    intent: 'unknown',
    sources: [],
    suggestions: [],
    escalate_to_human: session?.agentStatus === 'pending' || session?.agentStatus === 'assigned',
    escalation_card: null,
    turn_count: session?.turnCount ?? 0,
    failed_attempts: session?.failedAttempts ?? 0,
    emotion_score: session?.emotionScore ?? 0,
    sub_tasks: [],
    message_id: '',
    mode: 'notice',
    trace_id: '',
  }
}

function presentSuggestion({ title, source, docId, url }: Suggestion) {
  return { title, source: nameOf({ source, title }), doc_id: docId, ...(url ? { url } : {}) }
}

function presentSource(source: Source) {
  const { score, docId, version, title, url } = source
  const solutionId = solutionIdOf(source.source)
  const named = { source: nameOf(source), score, doc_id: docId, version, title, ...(url ? { url } : {}) }
  return solutionId === undefined ? named : { ...named, solution_id: solutionId }
}

function presentSubTask(task: SubTaskResult) {
  return { ...toSnakeCase(task), sources: task.sources.map(presentSource) }
}

/** @param explain the public text of a failure */
export function presentEvent(event: ChatEvent, explain: (error: unknown) => string): { event: string; data: unknown } {
  switch (event.type) {
    case 'meta': {
      const { traceId, sessionId, intent, sources, escalate } = event
      const ids = { session_id: sessionId, trace_id: traceId }
      return { event: 'meta', data: { intent, sources: sources.map(presentSource), escalate, ...ids } }
    }
    case 'token':
      return { event: 'token', data: { content: event.content } }
    case 'done': {
      const { reply, ...rest } = presentOutcome(event.outcome)
      return {
        event: 'done',
        data: {
          turn_count: event.outcome.turnCount,
          escalate: event.outcome.escalate,
          answer: reply,
          session_id: rest.session_id,
          trace_id: rest.data.trace_id,
          data: rest.data,
        },
      }
    }
    case 'error':
      return { event: 'error', data: { message: explain(event.error) } }
  }
}

export function presentRated({ sources, ...rated }: Rated) {
  const { messageId, sessionId, rating, comment, ratedAt, question, reply, role, intent, traceId, agentId } = rated
  const shown = { messageId, sessionId, rating, comment, ratedAt, question, reply, role, intent, traceId, agentId }
  return { ...toSnakeCase(shown), sources: (sources ?? []).map(presentSource) }
}

export function presentSaid(message: StoredMessage) {
  return presentMessage(message, presentSource)
}

/** An event, as the customer's event stream tells it; the id resumes the stream. */
export function presentLive(message: StoredMessage | Aside): { event: string; data: unknown; id?: string } {
  if ('aside' in message) return { event: message.aside, data: message.data }
  const event = message.role === 'system' ? (message.details.event ?? 'notice') : 'message'
  return { event, data: presentSaid(message), id: String(message.seq) }
}
