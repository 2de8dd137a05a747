import type { BreakerRegistry } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { type Alerts, BREAKER_SOURCE, breakerFingerprint, DELIVERY_SOURCE } from './alerts.ts'
import { boundAlerts, claimTask, oldestPending } from './queries.ts'
import { findBreaches, type Readings, RULE_FINGERPRINTS, type Thresholds } from './rules.ts'

export interface JudgingOptions {
  db: Database
  clock: Clock
  breakers: BreakerRegistry
  alerts: Alerts
  /** Facts that the rules watch and others know. */
  readings: (windowMs: number) => Promise<Omit<Readings, 'longestWaitSeconds'>>
  thresholds: Thresholds
  /** How far back the rules look, in milliseconds. */
  windowMs: number
  /** Between two evaluations, in milliseconds. */
  intervalMs: number
}

/** Resets of breakers are open to everybody, and each may end one alert and have the next one raised. */
const MAX_ALERTS = 10_000

/** Judges all rules, on one of the replicas, and keeps the alerts of this one's open breakers alive. */
export async function evaluateAlerts(options: JudgingOptions): Promise<void> {
  const { db, clock, breakers, alerts, readings, thresholds, windowMs, intervalMs } = options
  for (const [name, { state }] of Object.entries(breakers.stats())) {
    if (state !== 'CLOSED') alerts.touch(breakerFingerprint(name))
  }
  const now = new Date(clock.now())
  // A timer is never quite on time: the replica whose turn it was last must not lose it to its own early tick.
  if (!(await claimTask(db.executor, 'alert_rules', now, intervalMs * 0.9))) return alerts.flush()
  const [others, waitingSince] = await Promise.all([readings(windowMs), oldestPending(db.executor)])
  const longestWaitSeconds = waitingSince === null ? null : (clock.now() - waitingSince.getTime()) / 1_000
  const breaches = findBreaches({ ...others, longestWaitSeconds }, thresholds)
  for (const breach of breaches) alerts.raise(breach)
  const wrong = new Set(breaches.map(({ fingerprint }) => fingerprint))
  for (const fingerprint of RULE_FINGERPRINTS) if (!wrong.has(fingerprint)) alerts.resolve(fingerprint)
  await resolveQuiet(options)
  await alerts.endSilences()
  await boundAlerts(db.executor, MAX_ALERTS)
  await alerts.flush()
}

/**
 * Ends alerts that nobody ends otherwise: a replica that dies while its breaker is open cannot say that it closed, and a
 * channel on which nothing is lost any more is well again.
 */
async function resolveQuiet({ alerts, intervalMs, windowMs }: JudgingOptions): Promise<void> {
  await alerts.flush()
  const quiet = await Promise.all([
    alerts.unseen(BREAKER_SOURCE, 3 * intervalMs),
    alerts.unseen(DELIVERY_SOURCE, windowMs),
  ])
  for (const fingerprint of quiet.flat()) alerts.resolve(fingerprint)
}
