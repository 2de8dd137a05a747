export interface TokenCount {
  input_tokens: number
  output_tokens: number
  total_tokens: number
  estimated: boolean
}

/** A step as it is stored and shown. */
export interface Step {
  step_id: string
  parent_id: string | null
  agent: string
  type: string
  name: string
  status: string
  started_at: string
  duration_ms: number
  input: string
  output: string
  tokens: TokenCount | null
  error: string | null
}

/** What one trace adds to an agent's counts. */
export interface AgentCalls {
  agent: string
  calls: number
  errors: number
  durationMs: number
  lastCalledAt: string
  lastFailed: boolean
}

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
  agentStatus: string | null
  lastActiveAt: Date
}

export interface Overview {
  turns: number
  failed: number
  avgDurationMs: number
  p95DurationMs: number
}

/** What the turns of a time came to. */
export interface TurnStats extends Overview {
  sessions: number
  escalatedSessions: number
  /** Turns in which the knowledge base was asked, and those of them without a sure answer. */
  searched: number
  unsure: number
}
