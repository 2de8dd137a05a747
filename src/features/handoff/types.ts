import type { Pending } from '../orders/index.ts'
import type { AgentStatus, ChannelName, Contact } from '../sessions/index.ts'
import type { EscalationCard } from './card.ts'
import type { Priority } from './reasons.ts'

/** A session as the people who help see it. */
export interface HandoffSession {
  sessionId: string
  userId: string
  channel: ChannelName
  /** Null: it was never handed over, or came back to the assistant. */
  agentStatus: AgentStatus | null
  agentId: string | null
  priority: Priority | null
  turnCount: number
  failedAttempts: number
  emotionScore: number
  intent: string
  card: EscalationCard | null
  /** The caller of the person was not known to be the session's customer. */
  isGuestCall: boolean
  note: string | null
  /** Where the customer can be reached; null: nothing was said of it. */
  contact: Partial<Contact> | null
  /** A change that was proposed to the person and waits for a yes. */
  agentPending: Pending | null
  createdAt: Date
  updatedAt: Date
  escalatedAt: Date | null
  acceptedAt: Date | null
  resolvedAt: Date | null
}

/** A person who acts. Programs that have the key act for whomever they name, and are bound by states alone. */
export interface Actor {
  name: string
  /** May decide over sessions of others, and still not write in them. */
  isAdmin: boolean
}

/** The fate of a message that goes out by itself, all its parts together. */
export interface DeliveryState {
  state: 'waiting' | 'sent' | 'failed'
  /** Code of the latest failure; null: none. */
  error: string | null
}
