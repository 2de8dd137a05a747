import { randomUUID } from 'node:crypto'
import { createCoalescer } from '../../kernel/coalescer.ts'
import { AppError } from '../../kernel/errors.ts'
import type { BreakerRegistry, BreakerStats } from '../../platform/breaker.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { findBreaches, type Readings, RULE_FINGERPRINTS, type Thresholds } from './alert-rules.ts'
import { type Alerts, BREAKER_SOURCE, breakerFingerprint, DELIVERY_SOURCE } from './alerts.ts'
import { checkHealth, type HealthCheck, type HealthReport } from './health.ts'
import { announceReset, BREAKER_CHANNEL, boundAlerts, claimTask, oldestPending } from './queries.ts'
import type { Usage } from './usage.ts'

export interface ObservabilityOptions {
  db: Database
  clock: Clock
  breakers: BreakerRegistry
  alerts: Alerts
  usage: Usage
  /** What the rules watch that other features know. */
  readings: (windowMs: number) => Promise<Pick<Readings, 'requests' | 'turns' | 'wrongKeys' | 'freeDiskShare'>>
  thresholds: Thresholds
  /** How far back the rules look, in milliseconds. */
  windowMs: number
  /** Between two evaluations, in milliseconds. */
  intervalMs: number
  checks: readonly HealthCheck[]
  log: { warn(details: object, message: string): void }
}

export type Observability = Awaited<ReturnType<typeof createObservability>>

const CHECK_TIMEOUT_MS = 2_000
/** Resets of breakers are open to everybody, and each may end one alert and have the next one raised. */
const MAX_ALERTS = 10_000

/** Breakers, alerts, health and token usage. */
export async function createObservability(options: ObservabilityOptions) {
  const { db, clock, breakers, alerts, usage, checks } = options
  const replicaId = randomUUID()
  const unfollow = await db.listen(BREAKER_CHANNEL, (payload) => {
    const [sender, ...name] = payload.split(' ')
    if (sender !== replicaId) breakers.reset(name.join(' '))
  })

  const checkNow = createCoalescer<null, HealthReport & { checkedAt: Date }>({
    maxBatch: Number.POSITIVE_INFINITY,
    async run(asked) {
      const report = await checkHealth(checks, { clock, timeoutMs: CHECK_TIMEOUT_MS })
      return asked.map(() => ({ ...report, checkedAt: new Date(clock.now()) }))
    },
  })

  return {
    alerts,
    usage,
    /** Of this replica: each has its own connections to what may fail. */
    breakers: (): Record<string, BreakerStats> => breakers.stats(),

    /** Sets a breaker of every replica to CLOSED. Throws not_found for an unknown name. */
    async resetBreaker(name: string): Promise<BreakerStats> {
      if (!breakers.reset(name)) throw new AppError('not_found', 'breaker', `No circuit breaker has the name ${name}`)
      await announceReset(db, replicaId, name)
      return breakers.stats()[name] as BreakerStats
    },

    /** One report for all who ask at the same time. */
    health: () => checkNow(null),

    /** Judges all rules, on one of the replicas, and keeps the alerts of this one's open breakers alive. */
    async evaluate(): Promise<void> {
      touchOpenBreakers(breakers, alerts)
      const now = new Date(clock.now())
      // A timer is never quite on time: the replica whose turn it was last must not lose it to its own early tick.
      if (!(await claimTask(db.executor, 'alert_rules', now, options.intervalMs * 0.9))) return alerts.flush()
      applyRules(alerts, await readAll(options), options.thresholds)
      await resolveQuiet(options)
      await boundAlerts(db.executor, MAX_ALERTS)
      await alerts.flush()
    },

    close: unfollow,
  }
}

async function readAll({ db, clock, readings, windowMs, usage }: ObservabilityOptions): Promise<Readings> {
  const [others, waitingSince, { total }] = await Promise.all([
    readings(windowMs),
    oldestPending(db.executor),
    usage.report('day'),
  ])
  const longestWaitSeconds = waitingSince === null ? null : (clock.now() - waitingSince.getTime()) / 1_000
  return { ...others, longestWaitSeconds, tokensPerDay: total.totalTokens }
}

function applyRules(alerts: Alerts, readings: Readings, thresholds: Thresholds): void {
  const breaches = findBreaches(readings, thresholds)
  for (const breach of breaches) alerts.raise(breach)
  const wrong = new Set(breaches.map(({ fingerprint }) => fingerprint))
  for (const fingerprint of RULE_FINGERPRINTS) if (!wrong.has(fingerprint)) alerts.resolve(fingerprint)
}

function touchOpenBreakers(breakers: BreakerRegistry, alerts: Alerts): void {
  for (const [name, { state }] of Object.entries(breakers.stats())) {
    if (state !== 'CLOSED') alerts.touch(breakerFingerprint(name))
  }
}

/**
 * Ends alerts that nobody ends otherwise: a replica that dies while its breaker is open cannot say that it closed, and a
 * channel on which nothing is lost any more is well again.
 */
async function resolveQuiet({ alerts, intervalMs, windowMs }: ObservabilityOptions): Promise<void> {
  await alerts.flush()
  const quiet = await Promise.all([
    alerts.unseen(BREAKER_SOURCE, 3 * intervalMs),
    alerts.unseen(DELIVERY_SOURCE, windowMs),
  ])
  for (const fingerprint of quiet.flat()) alerts.resolve(fingerprint)
}
