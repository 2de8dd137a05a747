export const LEVELS = ['info', 'warn', 'error', 'critical'] as const
export type Level = (typeof LEVELS)[number]

/** Something that is wrong. The same fingerprint is the same trouble for as long as it lasts. */
export interface Finding {
  fingerprint: string
  level: Level
  /**
   * Its subject: `circuit_breaker`, `requests`, `turns`, `knowledge`, `handoff`, `disk`, `tokens`,
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
