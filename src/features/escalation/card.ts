import {
  type AttemptedAnswer,
  type CardMessage,
  type CardSource,
  type DigestHelpers,
  digestConversation,
} from './conversation.ts'
import type { Priority } from './priority.ts'
import type { EscalationReason } from './reasons.ts'
import { type CardPassage, suggestReply } from './suggested-reply.ts'
import type { EscalationDecision } from './triggers.ts'

/** The card as the API shows it to agents. Personal data in it is masked. */
export type EscalationCard = {
  session_id: string
  user_id: string
  channel: string
  reason: EscalationReason
  reason_detail: string
  priority: Priority
  intent: string
  /** What the customer wants, in their words; the last message where it says nothing but "a person, please". */
  customer_request: string
  summary: string[]
  open_questions: string[]
  attempted_answers: AttemptedAnswer[]
  sources: CardSource[]
  entities: Record<string, unknown>
  emotion_score: number
  failed_attempts: number
  turn_count: number
  suggested_reply: string
  /** ISO 8601 in UTC. */
  created_at: string
}

export type CardInput = {
  sessionId: string
  userId: string
  channel: string
  intent: string
  language: 'zh' | 'en' | 'other'
  decision: Pick<EscalationDecision, 'reason' | 'reasonDetail' | 'priority'>
  /** Oldest first, the one that escalated included, and nothing from before the last resolution. */
  messages: readonly CardMessage[]
  entities: Record<string, unknown>
  emotionScore: number
  failedAttempts: number
  turnCount: number
  /** The best passage for the open question, where the knowledge base has one. */
  passage?: CardPassage | null
  nowMs: number
}

/**
 * What the card cannot decide itself; `maskRecord` masks named values, where the name tells what a value is.
 */
export type CardHelpers = DigestHelpers & { maskRecord: (record: Record<string, unknown>) => Record<string, unknown> }

/** Builds the handoff card from what was said. */
export function buildCard(input: CardInput, helpers: CardHelpers): EscalationCard {
  const { maskText, maskRecord } = helpers
  const digest = digestConversation(input.messages, helpers)
  const passage = input.passage ? { ...input.passage, content: maskText(input.passage.content) } : null
  const { reason, reasonDetail, priority } = input.decision
  return {
    session_id: input.sessionId,
    user_id: maskText(input.userId),
    channel: input.channel,
    reason,
    reason_detail: maskText(reasonDetail),
    priority,
    intent: input.intent,
    customer_request: digest.customerRequest,
    summary: digest.summary,
    open_questions: digest.openQuestions,
    attempted_answers: digest.attemptedAnswers,
    sources: digest.sources,
    entities: maskRecord(input.entities),
    emotion_score: input.emotionScore,
    failed_attempts: input.failedAttempts,
    turn_count: input.turnCount,
    suggested_reply: suggestReply(
      { language: input.language, reason, customerRequest: digest.customerRequest },
      passage,
    ),
    created_at: new Date(input.nowMs).toISOString(),
  }
}
