import type { Static } from 'typebox'
import type { StepBody } from './schemas.ts'

export type Step = Static<typeof StepBody>

export interface TraceSummary {
  traceId: string
  sessionId: string
  channel: string
  status: string
  intent: string
  startedAt: Date
  durationMs: number
  inputTokens: number
  outputTokens: number
  tokensEstimated: boolean
  error: string | null
  escalated: boolean
  confidence: string | null
  cached: boolean
}

/** Null: all. */
export interface TraceFilter {
  limit: number
  status: string | null
  sessionId: string | null
}

export interface StoredTrace extends TraceSummary {
  steps: Step[]
  subTasks: object[]
}

/** A trace on its way into the database. */
export interface TraceRow extends Omit<StoredTrace, 'startedAt'> {
  /** Milliseconds since 1970. */
  startedAt: number
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
  agentStatus: string
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
