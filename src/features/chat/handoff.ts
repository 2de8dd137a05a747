import { maskRecord, maskText } from '../../business/masking/index.ts'
import {
  buildCard,
  type CardMessage,
  decideEscalation,
  type EscalationCard,
  type EscalationDecision,
  type EscalationThresholds,
} from '../escalation/index.ts'
import type { TaskResult } from './agents/task.ts'
import type { SessionRow, StoredMessage } from './types.ts'
import type { Understanding } from './understanding/types.ts'

export interface HandoffInput {
  session: SessionRow
  understanding: Understanding
  results: readonly TaskResult[]
  failedAttempts: number
  thresholds: EscalationThresholds
}

/** Whether this turn calls a person, and why. */
export function decideHandoff({
  understanding,
  results,
  failedAttempts,
  thresholds,
}: HandoffInput): EscalationDecision | null {
  const { replyLanguage, wantsHuman, emotionScore, sensitiveTopic } = understanding
  const failed = results.find(({ business }) => business?.outcome === 'failed')
  return decideEscalation({
    language: replyLanguage,
    wantsHuman,
    emotionScore,
    sensitiveTopic,
    failedAttempts,
    knowledgeFound: results.some(({ sources }) => sources.length > 0),
    restriction: results.find(({ business }) => business?.restriction)?.business?.restriction ?? null,
    toolFailure: failed ? { system: failed.business?.scene ?? 'business' } : null,
    thresholds,
  })
}

/** The card for the person who takes over, from everything said since the last resolution. */
export function makeCard(
  decision: EscalationDecision,
  { session, understanding, results, failedAttempts }: HandoffInput,
  history: readonly StoredMessage[],
  helpers: { asksForPerson: (sentence: string) => boolean; nowMs: number },
): EscalationCard {
  const passage = results.flatMap(({ hits }) => hits).toSorted((a, b) => b.score - a.score)[0]
  return buildCard(
    {
      sessionId: session.sessionId,
      userId: session.userId,
      channel: session.channel,
      intent: understanding.intent,
      language: understanding.replyLanguage,
      decision,
      messages: sinceResolution(history).map(toCardMessage),
      entities: { ...understanding.entities },
      emotionScore: understanding.emotionScore,
      failedAttempts,
      turnCount: session.turnCount + 1,
      passage: passage ? { content: passage.content, source: passage.source } : null,
      nowMs: helpers.nowMs,
    },
    {
      maskText: (text) => maskText(text),
      maskRecord: (record) => maskRecord(record).data,
      asksForPerson: helpers.asksForPerson,
    },
  )
}

function sinceResolution(history: readonly StoredMessage[]): readonly StoredMessage[] {
  const last = history.findLastIndex(({ role, details }) => role === 'system' && details.event === 'resolved')
  return history.slice(last + 1)
}

function toCardMessage({ role, content, intent, sources, details }: StoredMessage): CardMessage {
  return {
    role,
    content,
    intent: intent ?? undefined,
    confident: details.confident,
    sources: sources ?? undefined,
    subTasks: details.subTasks,
  }
}
