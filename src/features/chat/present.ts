import { nameOf, solutionIdOf } from './source-names.ts'
import type { ChatEvent, Source, StoredMessage, SubTaskResult, TurnOutcome } from './types.ts'

/** From a turn's records to the bodies of the contract. */

export function presentOutcome(outcome: TurnOutcome) {
  return {
    session_id: outcome.sessionId,
    reply: outcome.reply,
    status: 'ok',
    data: {
      intent: outcome.intent,
      sources: outcome.sources.map(presentSource),
      escalate_to_human: outcome.escalate,
      escalation_card: outcome.escalationCard,
      turn_count: outcome.turnCount,
      failed_attempts: outcome.failedAttempts,
      emotion_score: outcome.emotionScore,
      sub_tasks: outcome.subTasks.map(presentSubTask),
      message_id: outcome.messageId,
      mode: outcome.mode,
    },
  }
}

function presentSource(source: Source) {
  const { score, docId, version, title } = source
  const solutionId = solutionIdOf(source.source)
  const named = { source: nameOf(source), score, doc_id: docId, version, title }
  return solutionId === undefined ? named : { ...named, solution_id: solutionId }
}

function presentSubTask(task: SubTaskResult) {
  return {
    task_id: task.taskId,
    question: task.question,
    agent: task.agent,
    intent: task.intent,
    status: task.status,
    answer: task.answer,
    sources: task.sources.map(presentSource),
  }
}

/** @param explain the public text of a failure */
export function presentEvent(event: ChatEvent, explain: (error: unknown) => string): { event: string; data: unknown } {
  switch (event.type) {
    case 'meta': {
      const { sessionId, intent, sources, escalate } = event
      return { event: 'meta', data: { intent, sources: sources.map(presentSource), escalate, session_id: sessionId } }
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
          data: rest.data,
        },
      }
    }
    case 'error':
      return { event: 'error', data: { message: explain(event.error) } }
  }
}

export function presentMessage(message: StoredMessage) {
  const { messageId, role, content, createdAt, intent, sources, details } = message
  return {
    message_id: messageId,
    role,
    content,
    timestamp: createdAt.toISOString(),
    ...(intent === null ? {} : { intent }),
    ...(sources === null ? {} : { sources: sources.map(presentSource) }),
    ...(details.interrupted ? { interrupted: true } : {}),
  }
}

/** What happened, as the customer's event stream tells it; the id resumes the stream. */
export function presentLive(message: StoredMessage): { event: string; data: unknown; id: string } {
  const event = message.role === 'system' ? (message.details.event ?? 'notice') : 'message'
  return { event, data: presentMessage(message), id: String(message.seq) }
}
