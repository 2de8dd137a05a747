import type { TurnStats } from '../traces/types.ts'
import type { Finding, Level } from './types.ts'

/** Figures that are watched, over the alert window unless said otherwise. */
export interface Readings {
  requests: { done: number; failed: number }
  turns: Omit<TurnStats, 'avgDurationMs'>
  /** From anywhere. */
  wrongKeys: number
  /** 0..1; null: unknown. */
  freeDiskShare: number | null
  /** How long the customer who waits longest for a person has waited; null: nobody waits. */
  longestWaitSeconds: number | null
  /** In the last 24 hours. */
  tokensPerDay: number
}

/** The settings that alerts are judged by, as `config.ts` describes them. A rate of 100 and a limit of 0 never fire. */
export type Thresholds = Record<
  | 'ALERT_MIN_SAMPLES'
  | 'ALERT_ERROR_RATE_PERCENT'
  | 'ALERT_LATENCY_MS'
  | 'ALERT_ESCALATION_RATE_PERCENT'
  | 'ALERT_LOW_CONFIDENCE_RATE_PERCENT'
  | 'ALERT_WRONG_KEYS'
  | 'ALERT_FREE_DISK_PERCENT'
  | 'ALERT_QUEUE_AGE_SECONDS'
  | 'DAILY_TOKEN_BUDGET',
  number
>

interface Rule {
  fingerprint: string
  source: string
  judge(readings: Readings, thresholds: Thresholds): Pick<Finding, 'level' | 'message' | 'details'> | null
}

/** From this share of the token budget on there is a warning. */
const BUDGET_WARNING = 0.8

const RULES: readonly Rule[] = [
  rate('error_rate:requests', 'requests', ({ requests: { done, failed } }, { ALERT_ERROR_RATE_PERCENT: limit }) => {
    return { level: 'error', part: failed, whole: done + failed, limit, what: 'of the requests failed' }
  }),
  rate('error_rate:turns', 'turns', ({ turns: { turns, failed } }, { ALERT_ERROR_RATE_PERCENT: limit }) => {
    return { level: 'error', part: failed, whole: turns, limit, what: 'of the turns failed' }
  }),
  {
    fingerprint: 'latency',
    source: 'turns',
    judge({ turns: { turns, p95DurationMs } }, { ALERT_LATENCY_MS: limit, ALERT_MIN_SAMPLES: minSamples }) {
      if (turns < minSamples || limit === 0 || p95DurationMs <= limit) return null
      const p95 = Math.round(p95DurationMs)
      const message = `One turn in twenty takes longer than ${p95} ms`
      return { level: 'warn', message, details: { p95_ms: p95, limit_ms: limit, turns } }
    },
  },
  rate(
    'escalation_rate',
    'handoff',
    ({ turns: { sessions, escalatedSessions: part } }, { ALERT_ESCALATION_RATE_PERCENT: limit }) => {
      return { level: 'warn', part, whole: sessions, limit, what: 'of the sessions needed a person' }
    },
  ),
  rate(
    'low_confidence',
    'knowledge',
    ({ turns: { searched, unsure: part } }, { ALERT_LOW_CONFIDENCE_RATE_PERCENT: limit }) => {
      return { level: 'warn', part, whole: searched, limit, what: 'of the questions found no sure answer' }
    },
  ),
  {
    fingerprint: 'wrong_keys',
    source: 'keys',
    // Alerts are open to all, so that addresses are in the log alone.
    judge({ wrongKeys: count }, { ALERT_WRONG_KEYS: limit }) {
      if (limit === 0 || count <= limit) return null
      return {
        level: 'warn',
        message: `Somebody guesses API keys: ${count} wrong ones were sent`,
        details: { count, limit },
      }
    },
  },
  {
    fingerprint: 'disk_space',
    source: 'disk',
    judge({ freeDiskShare: free }, { ALERT_FREE_DISK_PERCENT }) {
      const limit = ALERT_FREE_DISK_PERCENT / 100
      if (free === null || free >= limit) return null
      const message = `${percent(free)} of the disk is free`
      return { level: 'critical', message, details: { free_share: rounded(free), limit } }
    },
  },
  {
    fingerprint: 'queue_age',
    source: 'handoff',
    judge({ longestWaitSeconds: waited }, { ALERT_QUEUE_AGE_SECONDS: limit }) {
      if (waited === null || limit === 0 || waited <= limit) return null
      const message = `A customer has waited ${Math.round(waited / 60)} minutes for a person`
      return { level: 'warn', message, details: { waiting_seconds: Math.round(waited), limit_seconds: limit } }
    },
  },
  {
    fingerprint: 'token_budget',
    source: 'tokens',
    judge({ tokensPerDay: tokens }, { DAILY_TOKEN_BUDGET: budget }) {
      if (budget === 0 || tokens < budget * BUDGET_WARNING) return null
      const message = `${percent(tokens / budget)} of the daily token budget is used`
      return { level: tokens >= budget ? 'error' : 'warn', message, details: { tokens, budget } }
    },
  },
]

export const RULE_FINGERPRINTS: readonly string[] = RULES.map(({ fingerprint }) => fingerprint)

/** Findings by the rules; a rule whose fingerprint is missing finds nothing wrong. */
export function findBreaches(readings: Readings, thresholds: Thresholds): Finding[] {
  return RULES.flatMap(({ fingerprint, source, judge }) => {
    const verdict = judge(readings, thresholds)
    return verdict ? [{ fingerprint, source, ...verdict }] : []
  })
}

interface Share {
  level: Level
  part: number
  whole: number
  /** Percent. */
  limit: number
  what: string
}

/** A share that is too large, where there was enough to tell. */
function rate(fingerprint: string, source: string, shareOf: (readings: Readings, limits: Thresholds) => Share): Rule {
  return {
    fingerprint,
    source,
    judge(readings, thresholds) {
      const { level, part, whole, what, ...percentage } = shareOf(readings, thresholds)
      const limit = percentage.limit / 100
      if (whole < Math.max(1, thresholds.ALERT_MIN_SAMPLES) || part / whole <= limit) return null
      const details = { rate: rounded(part / whole), limit, count: part, of: whole }
      return { level, message: `${percent(part / whole)} ${what}`, details }
    },
  }
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000
}

function percent(share: number): string {
  return `${Math.round(rounded(share) * 1_000) / 10} %`
}
