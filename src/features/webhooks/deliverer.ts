import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../platform/postgres/index.ts'
import {
  claimDelivery,
  type End,
  endAttempt,
  expireDeliveries,
  noteFailure,
  noteSuccess,
  switchOff,
} from './queries.ts'
import { type SendOptions, sendEvent } from './send.ts'
import type { Attempt, Claimed, StoredWebhook } from './types.ts'

export interface DelivererOptions extends SendOptions {
  db: Database
  log: Log
  /** Undefined: it is gone. */
  find(webhookId: string): Promise<StoredWebhook | undefined>
  secretsOf(webhook: StoredWebhook): string[]
  /** Told of a receiver that failed for so long that it was switched off. */
  onSwitchedOff(webhook: StoredWebhook): void
  /** An event that no attempt brought within this is given up, and a receiver that took none is switched off. */
  giveUpHours: number
  /** Before the second attempt, in seconds; doubles with each. */
  firstPauseSeconds: number
}

const WORKERS = 8
const PER_WEBHOOK = 4
const POLL_MS = 1_000
const SWEEP_MS = 60_000
const LONGEST_PAUSE_SECONDS = 4 * 3_600
/** A receiver that is back is found within this. */
const LONGEST_REST_SECONDS = 300

/**
 * Sends what waits, in order within a lane: at least once, as an answer may be lost after the receiver took the event. Replicas share
 * the work; a lease that a dead process held runs out.
 */
export function createDeliverer(options: DelivererOptions) {
  const { db, log, timeoutMs } = options
  const leaseSeconds = Math.ceil(timeoutMs / 1000) + 20
  const running = new Set<Promise<void>>()
  let closed = false
  let sweptAt = 0

  async function work(): Promise<void> {
    for (;;) {
      const claimed = closed ? undefined : await claimDelivery(db.executor, { leaseSeconds, perWebhook: PER_WEBHOOK })
      if (!claimed) return
      await deliver(options, claimed)
      // Others of the lane, or of a receiver that takes events again, may be due now.
      wake()
    }
  }
  function wake(): void {
    if (closed || running.size >= WORKERS) return
    const run = work()
      .catch((error: unknown) => log.warn({ err: error }, 'Sending to webhooks stopped; it goes on in a moment'))
      .finally(() => running.delete(run))
    running.add(run)
  }
  async function sweep(): Promise<void> {
    if (Date.now() - sweptAt < SWEEP_MS) return
    sweptAt = Date.now()
    const expired = await expireDeliveries(db.executor, options.giveUpHours)
    if (expired > 0) log.warn({ expired }, 'Events for webhooks were given up: nobody took them in time')
  }
  const timer = setInterval(() => {
    wake()
    sweep().catch((error: unknown) => log.warn({ err: error }, 'Looking for old events of webhooks failed'))
  }, POLL_MS).unref()

  return {
    wake,
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}

async function deliver(options: DelivererOptions, claimed: Claimed): Promise<void> {
  const { db, find, secretsOf } = options
  const webhook = await find(claimed.webhookId)
  if (!webhook) return
  const sent = await sendEvent(options, { url: webhook.url, secrets: secretsOf(webhook) }, claimed)
  const { isTaken, retryAfter, ...attempt } = sent
  await endAttempt(
    db.executor,
    claimed.deliveryId,
    attempt,
    isTaken ? { state: 'sent' } : laterOr(options, claimed, sent),
  )
  if (isTaken) return noteSuccess(db.executor, webhook.webhookId)
  await blame(options, webhook, attempt)
}

/** Refused for good: the receiver says that the event, and not the moment, is wrong. 410 is "do not send again". */
function laterOr(
  { giveUpHours, firstPauseSeconds, now }: DelivererOptions,
  { attempts, queuedAt }: Claimed,
  { retryAfter }: { retryAfter: string | null },
): End {
  const age = now() - queuedAt.getTime()
  if (age > giveUpHours * 3_600_000) return { state: 'failed' }
  const pause = Math.min(LONGEST_PAUSE_SECONDS, firstPauseSeconds * 2 ** Math.min(attempts - 1, 30))
  const asked = Math.min(Number(retryAfter ?? 0) || 0, LONGEST_PAUSE_SECONDS)
  // Jitter keeps what failed together from coming back together.
  return { state: 'waiting', delaySeconds: Math.max(asked, pause * (0.75 + Math.random() / 2)) }
}

async function blame(
  { db, giveUpHours, firstPauseSeconds, log, onSwitchedOff }: DelivererOptions,
  { webhookId, url }: StoredWebhook,
  { error }: Attempt,
): Promise<void> {
  const pause = { first: firstPauseSeconds, most: Math.max(firstPauseSeconds, LONGEST_REST_SECONDS) }
  await noteFailure(db.executor, webhookId, pause)
  const reason = `took nothing for ${giveUpHours} hours, last: ${error}`
  const off = await switchOff(db.executor, webhookId, { hours: giveUpHours, reason })
  if (!off) return
  log.warn({ webhookId, host: new URL(url).host, error }, 'A webhook was switched off: it took nothing for days')
  onSwitchedOff(off)
}
