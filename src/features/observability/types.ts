export const LEVELS = ['info', 'warn', 'error', 'critical'] as const
export type Level = (typeof LEVELS)[number]

/** Something that is wrong. The same fingerprint is the same trouble for as long as it lasts. */
export interface Finding {
  fingerprint: string
  level: Level
  /**
   * What it is about: `circuit_breaker`, `requests`, `turns`, `knowledge`, `handoff`, `disk`, `tokens`,
   * `delivery`.
   */
  source: string
  /** Fit for anyone's eyes: the alerts are readable without a key. */
  message: string
  details: Record<string, string | number | boolean | null>
}

export interface Alert extends Finding {
  alertId: string
  /** How often it was found. */
  count: number
  createdAt: Date
  lastSeenAt: Date
  resolvedAt: Date | null
}

export interface AlertFilter {
  level: Level | null
  source: string | null
  /** Only those seen at or after it. */
  since: Date | null
  limit: number
}

/** What the models did for one agent and model in a window. */
export interface UsageRow {
  model: string
  agent: string
  calls: number
  inputTokens: number
  outputTokens: number
  estimated: boolean
}

/** One call on its way into the database. */
export interface ModelCallRow {
  callId: string
  endedAt: string
  agent: string
  tier: string
  model: string
  inputTokens: number
  outputTokens: number
  estimated: boolean
  attempts: number
  firstTokenMs: number | null
  durationMs: number
  outcome: string
}
