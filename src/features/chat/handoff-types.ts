import type { EscalationCard, Priority } from '../escalation/index.ts'
import type { AgentStatus, Channel, StoredMessage } from './types.ts'

/** A session as the people who help see it. */
export interface HandoffSession {
  sessionId: string
  userId: string
  channel: Channel
  /** Null: it was never handed over, or came back to the assistant. */
  agentStatus: AgentStatus | null
  agentId: string | null
  priority: Priority | null
  turnCount: number
  failedAttempts: number
  emotionScore: number
  intent: string
  card: EscalationCard | null
  /** Whoever called the person was not known to be the session's customer. */
  isGuestCall: boolean
  note: string | null
  createdAt: Date
  updatedAt: Date
  escalatedAt: Date | null
  acceptedAt: Date | null
  resolvedAt: Date | null
}

/** What a message of the system says happened; `returned`: nobody came in time. */
export const HANDOFF_EVENTS = ['handoff', 'accepted', 'resolved', 'returned', 'cancelled'] as const
export type HandoffEvent = (typeof HANDOFF_EVENTS)[number]

/** A message with the session that it belongs to. */
export type SessionMessage = StoredMessage & { sessionId: string }
