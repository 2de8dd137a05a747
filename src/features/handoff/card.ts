import { type SnakeCase, toSnakeCase } from '../../kernel/snake-case.ts'
import type { Understanding } from '../../language/understanding.ts'
import type { SessionRow } from '../sessions/index.ts'
import { type CardMessage, type ConversationDigest, type DigestHelpers, digestConversation } from './conversation.ts'
import type { EscalationReason, Priority } from './reasons.ts'
import { type CardPassage, suggestReply } from './suggested-reply.ts'
import type { EscalationDecision } from './triggers.ts'

/** The card as the API shows it to agents. Personal data in it is masked. */
export type EscalationCard = SnakeCase<ConversationDigest> & {
  session_id: string
  user_id: string
  channel: string
  reason: EscalationReason
  reason_detail: string
  priority: Priority
  intent: string
  entities: Record<string, unknown>
  emotion_score: number
  failed_attempts: number
  turn_count: number
  suggested_reply: string
  /** ISO 8601 in UTC. */
  created_at: string
}

export type CardInput = {
  session: Pick<SessionRow, 'sessionId' | 'userId' | 'channel' | 'turnCount'>
  /** Of the message that escalated. */
  understanding: Pick<Understanding, 'intent' | 'replyLanguage' | 'emotionScore' | 'entities'>
  decision: Pick<EscalationDecision, 'reason' | 'reasonDetail' | 'priority'>
  /** Oldest first, the message that escalated included. */
  history: readonly CardMessage[]
  failedAttempts: number
  /** The best passage for the open question, where the knowledge base has one. */
  passage: CardPassage | null
  nowMs: number
}

/**
 * Judgements that are not the card's own; `maskRecord` masks named values, where the name tells what a value is.
 */
export type CardHelpers = DigestHelpers & { maskRecord: (record: Record<string, unknown>) => Record<string, unknown> }

/** Builds the handoff card from what was said since the last resolution. */
export function buildCard(input: CardInput, helpers: CardHelpers): EscalationCard {
  const { session, understanding, passage, failedAttempts } = input
  const { maskText, maskRecord } = helpers
  const digest = digestConversation(sinceResolution(input.history), helpers)
  const { reason, reasonDetail, priority } = input.decision
  return {
    session_id: session.sessionId,
    user_id: maskText(session.userId),
    channel: session.channel,
    reason,
    reason_detail: maskText(reasonDetail),
    priority,
    intent: understanding.intent,
    ...toSnakeCase(digest),
    entities: maskRecord({ ...understanding.entities }),
    emotion_score: understanding.emotionScore,
    failed_attempts: failedAttempts,
    turn_count: session.turnCount + 1,
    suggested_reply: suggestReply(
      { language: understanding.replyLanguage, reason, customerRequest: digest.customerRequest },
      passage && { source: passage.source, content: maskText(passage.content) },
    ),
    created_at: new Date(input.nowMs).toISOString(),
  }
}

function sinceResolution(history: readonly CardMessage[]): readonly CardMessage[] {
  const last = history.findLastIndex(({ role, details }) => role === 'system' && details.event === 'resolved')
  return history.slice(last + 1)
}

/** The card for those who did not call the person themselves: that one was called is all they are told. */
export function withheldCard({ session_id, channel, priority, created_at, entities }: EscalationCard): EscalationCard {
  return {
    session_id,
    channel,
    priority,
    created_at,
    user_id: '',
    reason: 'customer_request',
    intent: 'unknown',
    entities: Object.fromEntries(Object.keys(entities).map((name) => [name, []])),
    ...{ reason_detail: '', customer_request: '', suggested_reply: '' },
    ...{ summary: [], open_questions: [], attempted_answers: [], sources: [] },
    ...{ emotion_score: 0, failed_attempts: 0, turn_count: 0 },
  }
}
