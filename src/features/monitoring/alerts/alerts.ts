import { newId } from '../../../kernel/ids.ts'
import type { BatchWriter } from '../../../platform/batch-writer.ts'
import type { BreakerChange } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { countOpenAlerts, listAlerts, listUnseenAlerts, raiseAlert, resolveAlert, touchAlert } from './queries.ts'
import type { Alert, AlertFilter, Finding } from './types.ts'

export interface LostDelivery {
  channel: string
  sessionId: string
  attempts: number
  /** Why, as a machine-readable name. */
  code: string
  isPlatformsFault: boolean
}

export interface AlertMessage {
  event: 'raised' | 'resolved'
  alert: Alert
}

export interface AlertsOptions {
  db: Database
  clock: Clock
  /** Makes the buffer in front of the database, which writes one step at a time and in order. */
  openWriter: (write: (steps: readonly AlertStep[]) => Promise<void>) => BatchWriter<AlertStep>
  /** Told of new and of resolved alerts, not of repeated ones. */
  send: (message: AlertMessage) => void
}

export type AlertStep = { at: Date } & (
  | { do: 'raise'; finding: Finding; alertId: string; isSent: boolean }
  | { do: 'resolve' | 'touch'; fingerprint: string }
)

export type Alerts = ReturnType<typeof createAlerts>

/** Kept in the database, each trouble once: what is found again is counted, what is over is marked as such. */
export function createAlerts({ db, clock, openWriter, send }: AlertsOptions) {
  const { push, flush, close } = openWriter(async (steps) => {
    for (const step of steps) await take(step)
  })

  async function take(step: AlertStep): Promise<void> {
    if (step.do === 'touch') return touchAlert(db.executor, step.fingerprint, step.at)
    if (step.do === 'raise') return store(step)
    const resolved = await resolveAlert(db.executor, step.fingerprint, step.at)
    if (resolved) send({ event: 'resolved', alert: resolved })
  }

  async function store(step: Extract<AlertStep, { do: 'raise' }>): Promise<void> {
    const { finding, alertId, at } = step
    try {
      const alert = await raiseAlert(db.executor, { ...finding, alertId, at })
      if (alert.count === 1 && !step.isSent) send({ event: 'raised', alert })
    } catch (error) {
      // The alert may well be about the database: whoever is on call hears of it before it can be stored.
      if (!step.isSent) send({ event: 'raised', alert: unstored(step) })
      step.isSent = true
      throw error
    }
  }

  function add(step: AlertStep): void {
    push(step)
    void flush()
  }

  const now = (): Date => new Date(clock.now())
  const raise = (finding: Finding): void =>
    add({ do: 'raise', finding, alertId: newId('alert'), isSent: false, at: now() })
  const resolve = (fingerprint: string): void => add({ do: 'resolve', fingerprint, at: now() })
  return {
    /** Like the steps that follow it: takes effect in the order of the calls, never rejects, and waits for a database that is away. */
    raise,
    resolve,
    /** Says that the trouble goes on, without counting it. */
    touch: (fingerprint: string): void => add({ do: 'touch', fingerprint, at: now() }),
    /** For the registry of breakers: one that opens raises an alert, one that closes resolves it. */
    breakerChanged(change: BreakerChange): void {
      if (change.to === 'OPEN') raise(breakerFinding(change))
      if (change.to === 'CLOSED') resolve(breakerFingerprint(change.name))
    },
    /** A message that a channel will not bring to its customer any more. */
    deliveryLost: (lost: LostDelivery): void => raise(deliveryFinding(lost)),
    async list(filter: AlertFilter): Promise<Alert[]> {
      await flush()
      return listAlerts(db.executor, filter)
    },
    async countOpen(level: Finding['level']): Promise<number> {
      await flush()
      return countOpenAlerts(db.executor, level)
    },
    /** Fingerprints of the source's open alerts that nobody has seen for `ageMs`. */
    unseen: (source: string, ageMs: number): Promise<string[]> =>
      listUnseenAlerts(db.executor, source, new Date(clock.now() - ageMs)),
    flush,
    close,
  }
}

export const BREAKER_SOURCE = 'circuit_breaker'

export function breakerFingerprint(name: string): string {
  return `breaker:${name}`
}

function breakerFinding({ name, lastError }: BreakerChange): Finding {
  return {
    fingerprint: breakerFingerprint(name),
    // Without any other dependency the service still answers.
    level: name === 'database' ? 'critical' : 'error',
    source: BREAKER_SOURCE,
    message: `${name} fails and is left alone for a while`,
    details: { breaker: name, last_error: lastError },
  }
}

export const DELIVERY_SOURCE = 'delivery'

/** One alert for each channel, which counts what was lost and names the latest. */
function deliveryFinding({ channel, sessionId, attempts, code, isPlatformsFault }: LostDelivery): Finding {
  return {
    fingerprint: `delivery:${channel}`,
    // A customer who left concerns the person who wrote; a platform that takes nothing concerns everybody.
    level: isPlatformsFault ? 'error' : 'warn',
    source: DELIVERY_SOURCE,
    message: `A message to a customer could not be delivered by ${channel}`,
    details: { channel, session_id: sessionId, attempts, error: code },
  }
}

function unstored({ finding, alertId, at }: Extract<AlertStep, { do: 'raise' }>): Alert {
  return { ...finding, alertId, count: 1, createdAt: at, lastSeenAt: at, resolvedAt: null }
}
