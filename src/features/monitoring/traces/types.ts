import type { Static } from 'typebox'
import type { Trace } from '../../../kernel/tracing.ts'
import type { AgentStatus } from '../../sessions/index.ts'
import type { StepBody } from './schemas.ts'

export type Step = Static<typeof StepBody>

export interface TraceSummary {
  traceId: string
  sessionId: string
  /** The stored reply; null: nothing was stored, or the turn is of an earlier release. */
  messageId: string | null
  /** The beginning of what the customer wrote, masked. */
  question: string
  channel: string
  status: Trace['status']
  intent: string
  startedAt: Date
  durationMs: number
  inputTokens: number
  outputTokens: number
  tokensEstimated: boolean
  error: string | null
  escalated: boolean
  confidence: NonNullable<Trace['confidence']> | null
  cached: boolean
}

/** Null: all. */
export interface TraceFilter {
  limit: number
  status: string | null
  sessionId: string | null
  /** The reply of the turn, or the question to which it was given. */
  messageId: string | null
  /** Who took part in the turn. */
  agent: string | null
  intent: string | null
  confidence: 'sure' | 'close' | 'none' | 'unsure' | null
  cached: boolean | null
  escalated: boolean | null
  from: Date | null
  /** The first moment that is left out. */
  to: Date | null
  minDurationMs: number | null
  /** Part of the question. */
  text: string | null
  /** The trace that the page before ended with. */
  before: string | null
}

export interface StoredTrace extends TraceSummary {
  steps: Step[]
  subTasks: object[]
}

/** A trace on its way into the database. */
export interface TraceRow extends Omit<StoredTrace, 'startedAt'> {
  /** Milliseconds since 1970. */
  startedAt: number
  agents: string[]
}

export interface AgentRow {
  agent: string
  callCount: number
  errorCount: number
  durationMs: number
  lastCalledAt: Date
  lastFailed: boolean
}

export interface ActiveSession {
  sessionId: string
  userId: string
  channel: string
  turnCount: number
  /** `none`: it was never handed over. */
  agentStatus: AgentStatus | 'none'
  lastActiveAt: Date
}

export interface Overview {
  turns: number
  failed: number
  avgDurationMs: number
  p95DurationMs: number
}

/** Sums over the turns of a time. */
export interface TurnStats extends Overview {
  sessions: number
  escalatedSessions: number
  /** Turns in which the knowledge base was asked, and those of them without a sure answer. */
  searched: number
  unsure: number
}
