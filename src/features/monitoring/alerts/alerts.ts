import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { BatchWriter } from '../../../platform/batch-writer.ts'
import type { BreakerChange } from '../../../platform/breaker.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import {
  acknowledgeAlert,
  countOpenAlerts,
  endSilences,
  findAlert,
  listAlerts,
  listUnseenAlerts,
  raiseAlert,
  resolveAlert,
  saveSilence,
  touchAlert,
} from './queries.ts'
import type { Alert, AlertFilter, Finding, Handled, Silence } from './types.ts'

export interface LostDelivery {
  channel: string
  sessionId: string
  attempts: number
  /** Why, as a machine-readable name. */
  code: string
  isPlatformsFault: boolean
}

/** A receiver of events that is told nothing any more. */
export interface LostWebhook {
  webhookId: string
  url: string
  disabledReason: string | null
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
    if (resolved && !resolved.silenced) send({ event: 'resolved', alert: resolved })
  }

  async function store(step: Extract<AlertStep, { do: 'raise' }>): Promise<void> {
    const { finding, alertId, at } = step
    try {
      const alert = await raiseAlert(db.executor, { ...finding, alertId, at })
      if (alert.count === 1 && !step.isSent && !alert.silenced) send({ event: 'raised', alert })
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
    /** A webhook that took nothing for so long that it was switched off. */
    webhookLost: (lost: LostWebhook): void => raise(webhookFinding(lost)),
    async list(filter: AlertFilter): Promise<Alert[]> {
      await flush()
      return listAlerts(db.executor, filter, now())
    },
    ...handling({ db, now, send }),
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

interface Change {
  before: Alert
  after: Alert
}

/** Acts of people on alerts. The database says it to all replicas: each asks it before it tells anybody. */
function handling({ db, now, send }: Pick<AlertsOptions, 'db' | 'send'> & { now: () => Date }) {
  async function find(alertId: string): Promise<Alert> {
    const alert = await findAlert(db.executor, alertId, now())
    if (!alert) throw new AppError('not_found', 'alert', `No alert has the alert_id ${alertId}`)
    return alert
  }
  /** Throws conflict where the alert is over. */
  async function change(alertId: string, how: (alert: Alert) => Promise<boolean>): Promise<Change> {
    const before = await find(alertId)
    if (before.resolvedAt || !(await how(before))) throw new AppError('conflict', 'alert_over', 'The alert is over')
    return { before, after: await find(alertId) }
  }
  const tellAgain = (alerts: readonly Alert[]): void => {
    for (const alert of alerts) send({ event: 'raised', alert })
  }
  return {
    acknowledge: (alertId: string, by: Omit<Handled, 'at'>): Promise<Change> =>
      change(alertId, () => acknowledgeAlert(db.executor, alertId, { ...by, at: now() })),
    silence: (alertId: string, by: Omit<Silence, 'at'>): Promise<Change> =>
      change(alertId, async ({ fingerprint }) => {
        await saveSilence(db.executor, fingerprint, { ...by, at: now() })
        return true
      }),
    /** Throws not_found where it is not silenced. */
    async unsilence(alertId: string): Promise<Change> {
      const before = await find(alertId)
      if (!before.silenced) throw new AppError('not_found', 'silence', 'The alert is not silenced')
      tellAgain(await endSilences(db.executor, before.fingerprint, now()))
      return { before, after: await find(alertId) }
    },
    /** Tells anew of what still fires when the time of its silence is over. */
    endSilences: async (): Promise<void> => tellAgain(await endSilences(db.executor, null, now())),
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

function webhookFinding({ webhookId, url, disabledReason }: LostWebhook): Finding {
  return {
    fingerprint: `webhook:${webhookId}`,
    level: 'error',
    source: DELIVERY_SOURCE,
    message: 'A webhook was switched off: it took nothing for days',
    details: { webhook_id: webhookId, host: new URL(url).host, reason: disabledReason },
  }
}

const UNTOUCHED = { resolvedAt: null, acknowledged: null, silenced: null }

function unstored({ finding, alertId, at }: Extract<AlertStep, { do: 'raise' }>): Alert {
  return { ...finding, alertId, count: 1, createdAt: at, lastSeenAt: at, ...UNTOUCHED }
}
