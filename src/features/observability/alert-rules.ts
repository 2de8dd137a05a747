import type { Finding, Level } from './types.ts'

/** What is watched, over the alert window unless said otherwise. */
export interface Readings {
  requests: { done: number; failed: number }
  turns: {
    turns: number
    failed: number
    p95DurationMs: number
    sessions: number
    escalatedSessions: number
    searched: number
    unsure: number
  }
  /** From anywhere. */
  wrongKeys: number
  /** 0..1; null: unknown. */
  freeDiskShare: number | null
  /** How long the customer who waits longest for a person has waited; null: nobody waits. */
  longestWaitSeconds: number | null
  /** In the last 24 hours. */
  tokensPerDay: number
}

/** A rate of 1 and a limit of 0 never fire. */
export interface Thresholds {
  /** Fewer requests, turns or sessions than this in the window say nothing about a rate. */
  minSamples: number
  /** 0..1 */
  errorRate: number
  p95LatencyMs: number
  /** 0..1 of the sessions. */
  escalationRate: number
  /** 0..1 of the turns in which the knowledge base was asked. */
  lowConfidenceRate: number
  /** Above which somebody guesses; 0: off. */
  wrongKeys: number
  /** 0..1 */
  freeDiskShare: number
  queueAgeSeconds: number
  /** Input and output together; 0: no budget. */
  tokensPerDay: number
}

interface Rule {
  fingerprint: string
  source: string
  judge(readings: Readings, thresholds: Thresholds): Verdict | null
}

interface Verdict {
  level: Level
  message: string
  details: Finding['details']
}

/** From this share of the token budget on there is a warning. */
const BUDGET_WARNING = 0.8

const RULES: readonly Rule[] = [
  {
    fingerprint: 'error_rate:requests',
    source: 'requests',
    judge: ({ requests: { done, failed } }, { errorRate, minSamples }) =>
      aboveRate(failed, done + failed, errorRate, minSamples, 'error', 'of the requests failed'),
  },
  {
    fingerprint: 'error_rate:turns',
    source: 'turns',
    judge: ({ turns: { turns, failed } }, { errorRate, minSamples }) =>
      aboveRate(failed, turns, errorRate, minSamples, 'error', 'of the turns failed'),
  },
  {
    fingerprint: 'latency',
    source: 'turns',
    judge: ({ turns: { turns, p95DurationMs } }, { p95LatencyMs, minSamples }) =>
      turns < minSamples || p95LatencyMs === 0 || p95DurationMs <= p95LatencyMs
        ? null
        : {
            level: 'warn',
            message: `One turn in twenty takes longer than ${Math.round(p95DurationMs)} ms`,
            details: { p95_ms: Math.round(p95DurationMs), limit_ms: p95LatencyMs, turns },
          },
  },
  {
    fingerprint: 'escalation_rate',
    source: 'handoff',
    judge: ({ turns: { sessions, escalatedSessions } }, { escalationRate, minSamples }) =>
      aboveRate(escalatedSessions, sessions, escalationRate, minSamples, 'warn', 'of the sessions needed a person'),
  },
  {
    fingerprint: 'low_confidence',
    source: 'knowledge',
    judge: ({ turns: { searched, unsure } }, { lowConfidenceRate, minSamples }) =>
      aboveRate(unsure, searched, lowConfidenceRate, minSamples, 'warn', 'of the questions found no sure answer'),
  },
  {
    fingerprint: 'wrong_keys',
    source: 'keys',
    // Alerts are open to all, so that addresses are in the log alone.
    judge: ({ wrongKeys }, { wrongKeys: limit }) =>
      limit === 0 || wrongKeys <= limit
        ? null
        : {
            level: 'warn',
            message: `Somebody guesses API keys: ${wrongKeys} wrong ones were sent`,
            details: { count: wrongKeys, limit },
          },
  },
  { fingerprint: 'disk_space', source: 'disk', judge: judgeDisk },
  {
    fingerprint: 'queue_age',
    source: 'handoff',
    judge: ({ longestWaitSeconds }, { queueAgeSeconds }) =>
      longestWaitSeconds === null || queueAgeSeconds === 0 || longestWaitSeconds <= queueAgeSeconds
        ? null
        : {
            level: 'warn',
            message: `A customer has waited ${Math.round(longestWaitSeconds / 60)} minutes for a person`,
            details: { waiting_seconds: Math.round(longestWaitSeconds), limit_seconds: queueAgeSeconds },
          },
  },
  { fingerprint: 'token_budget', source: 'tokens', judge: judgeBudget },
]

export const RULE_FINGERPRINTS: readonly string[] = RULES.map(({ fingerprint }) => fingerprint)

/** What is wrong by the rules; a rule whose fingerprint is missing finds nothing wrong. */
export function findBreaches(readings: Readings, thresholds: Thresholds): Finding[] {
  return RULES.flatMap(({ fingerprint, source, judge }) => {
    const verdict = judge(readings, thresholds)
    return verdict ? [{ fingerprint, source, ...verdict }] : []
  })
}

function aboveRate(
  part: number,
  whole: number,
  limit: number,
  minSamples: number,
  level: Level,
  what: string,
): Verdict | null {
  if (whole < Math.max(1, minSamples) || part / whole <= limit) return null
  const share = Math.round((part / whole) * 1_000) / 1_000
  return { level, message: `${percent(share)} ${what}`, details: { rate: share, limit, count: part, of: whole } }
}

function judgeDisk({ freeDiskShare: free }: Readings, { freeDiskShare: limit }: Thresholds): Verdict | null {
  if (free === null || free >= limit) return null
  const share = Math.round(free * 1_000) / 1_000
  return { level: 'critical', message: `${percent(share)} of the disk is free`, details: { free_share: share, limit } }
}

function judgeBudget({ tokensPerDay: used }: Readings, { tokensPerDay: budget }: Thresholds): Verdict | null {
  if (budget === 0 || used < budget * BUDGET_WARNING) return null
  const level = used >= budget ? 'error' : 'warn'
  const message = `${percent(Math.round((used / budget) * 1_000) / 1_000)} of the daily token budget is used`
  return { level, message, details: { tokens: used, budget } }
}

function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`
}
