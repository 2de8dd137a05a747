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
  acknowledged: Handled | null
  /** By what is wrong; null: nobody did, or the time is over. */
  silenced: Silence | null
}

/** Somebody did something about an alert. */
export interface Handled {
  at: Date
  by: string | null
  note: string | null
}

export interface Silence extends Handled {
  until: Date
}

export const ALERT_STATES = ['firing', 'acknowledged', 'silenced', 'resolved'] as const
export type AlertState = (typeof ALERT_STATES)[number]

export function alertState({ resolvedAt, silenced, acknowledged }: Alert): AlertState {
  if (resolvedAt) return 'resolved'
  if (silenced) return 'silenced'
  return acknowledged ? 'acknowledged' : 'firing'
}

export interface AlertFilter {
  level: Level | null
  source: string | null
  /** Null: all but those that are silenced and not over. */
  state: AlertState | null
  /** Only those seen at or after it. */
  since: Date | null
  limit: number
}
