import type { Priority } from '../handoff/index.ts'
import type { AgentStatus, ChannelName, StoredMessage } from '../sessions/index.ts'
import type { Label } from './labels/types.ts'

/** Conditions that narrow a list of conversations. */
export interface DeskFilter {
  /** `none`: with the assistant. */
  status?: AgentStatus | 'none'
  agentId?: string
  channel?: ChannelName
  /** The customer, on any of these channels. */
  user?: { id: string; channels: readonly ChannelName[] }
  /** By the last activity, `from` included and `to` not. */
  from?: Date
  to?: Date
  labelId?: string
  /** Those alone in which the reader has not read something that the customer wrote. */
  isUnread?: boolean
}

/** A place in a list: the last activity of the conversation above it, and its id. */
export interface DeskCursor {
  /** As the database writes it, to the microsecond. */
  updatedAt: string
  sessionId: string
}

export interface DeskRow {
  sessionId: string
  userId: string
  channel: ChannelName
  agentStatus: AgentStatus | null
  agentId: string | null
  priority: Priority | null
  turnCount: number
  intent: string
  createdAt: Date
  updatedAt: Date
  /** The same to the microsecond, for cursors. */
  updatedKey: string
  escalatedAt: Date | null
  resolvedAt: Date | null
  /** Since when the customer waits for somebody's answer; null: nobody is waited for. */
  waitingSince: Date | null
  /** Messages of the customer that the reader has not read, 100 at most. */
  unread: number
  labels: Label[]
  /** Of the customer, 1 to 5, the last one; null: there is none. */
  rating: number | null
  last: Pick<StoredMessage, 'messageId' | 'role' | 'content' | 'createdAt' | 'details'> | null
}

/** Numbers for the tabs of an inbox. */
export interface DeskCounts {
  /** Assigned to the reader. */
  mine: number
  waiting: number
  assigned: number
  /** At most `MAX_COUNTED`. */
  all: number
}

/** A message that holds what was searched for. */
export interface FoundMessage {
  seq: number
  sessionId: string
}
