import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import type { DeliveryState } from '../handoff/index.ts'
import type { ChannelName } from '../sessions/index.ts'
import type { Channel, Sender } from './channel.ts'
import {
  claimDelivery,
  deliveryStates,
  failSent,
  findAddress,
  finishDelivery,
  insertDeliveries,
  postponeDelivery,
} from './queries.ts'

/** A text on its way to a customer. */
export interface Delivery {
  deliveryId: number
  messageId: string
  sessionId: string
  channel: ChannelName
  content: string
  /** Counts from 1. */
  attempts: number
}

/** A message that will not reach its customer. */
export interface LostDelivery extends Pick<Delivery, 'channel' | 'sessionId' | 'attempts'> {
  code: string
  /** The platform did not take it in time; otherwise the platform said why this message cannot be taken. */
  isPlatformsFault: boolean
}

export interface OutboxOptions {
  db: Database
  live: LiveEvents
  /** Texts for a channel without a sender are not queued. */
  channels: readonly Pick<Channel, 'name' | 'sender'>[]
  onLost: (lost: LostDelivery) => void
  log: Log
}

export type Outbox = ReturnType<typeof createOutbox>

const TOPIC = 'gateway'
const WORKERS = 4
const POLL_MS = 2_000
const LEASE_SECONDS = 60
/** DingTalk takes 20 messages a minute of one robot; WeChat's limits are far above what one customer is sent. */
const LIMITS = { leaseSeconds: LEASE_SECONDS, perWindow: 20, windowSeconds: 61 }
const RETRY_DELAYS_SECONDS = [2, 5, 15, 60, 300]
/** Failures that time may heal; all others are the message's own. */
const TRANSIENT: readonly AppError['kind'][] = ['unavailable', 'too_many']
const HOPELESS = new Set(['dingtalk_webhook_expired'])

/**
 * Texts that are sent to customers by themselves: queued in the transaction that stores it, sent in order by whichever replica has
 * time, tried again for a while when the platform fails. Sent at least once; twice only if a process dies in between.
 */
export function createOutbox(options: OutboxOptions) {
  const { db, live, log } = options
  const senders = new Map(options.channels.flatMap(({ name, sender }) => (sender ? [[name, sender] as const] : [])))
  const channels = [...senders.keys()]
  let closed = false

  async function work(): Promise<void> {
    for (;;) {
      const delivery = closed ? undefined : await claimDelivery(db.executor, { ...LIMITS, channels })
      if (!delivery) return
      await deliver(options, senders, delivery)
    }
  }
  const running = new Set<Promise<void>>()
  const wake = (): void => {
    if (closed || channels.length === 0 || running.size >= WORKERS) return
    const run = work()
      .catch((error: unknown) => log.warn({ err: error }, 'Sending to channels stopped; it goes on in a moment'))
      .finally(() => running.delete(run))
    running.add(run)
  }
  const unsubscribe = live.subscribe(TOPIC, wake, wake)
  const polling = setInterval(wake, POLL_MS).unref()

  return {
    /** Queues a text for the customer of a session, if that customer is reached through a channel that sends. */
    async enqueue(trx: Executor, message: { messageId: string; sessionId: string; content: string }): Promise<void> {
      const address = await findAddress(trx, message.sessionId)
      const parts = address ? (senders.get(address.channel)?.split(message.content) ?? []) : []
      if (!address || parts.length === 0) return
      await insertDeliveries(trx, message.sessionId, address, { messageId: message.messageId, parts })
      await live.publish(trx, { topic: TOPIC, type: 'queued' })
    },

    /** A message that was sent came back: people see that it did not arrive. */
    async undeliverable({ messageId, sessionId }: { messageId: string; sessionId: string }): Promise<void> {
      const deliveries = await failSent(db.executor, messageId, 'returned')
      for (const { deliveryId, channel } of deliveries) {
        log.warn({ channel, sessionId, deliveryId }, 'A message came back')
        options.onLost({ channel, sessionId, attempts: 1, code: 'returned', isPlatformsFault: false })
      }
      if (deliveries.length > 0)
        await live.publish(db.executor, { topic: 'workspace', type: 'delivery_failed', ref: messageId })
    },

    /** By message; of what was sent in place, or days ago, nothing is known. */
    states: (sessionId: string): Promise<Map<string, DeliveryState>> => deliveryStates(db.executor, sessionId),

    async close(): Promise<void> {
      closed = true
      unsubscribe()
      clearInterval(polling)
      await Promise.all(running)
    },
  }
}

async function deliver(
  options: OutboxOptions,
  senders: ReadonlyMap<ChannelName, Sender>,
  delivery: Delivery,
): Promise<void> {
  const { db } = options
  const { deliveryId, sessionId, content, attempts } = delivery
  try {
    // The newest address: a session webhook expires, and every message of the customer brings a new one.
    const address = await findAddress(db.executor, sessionId)
    const sender = address && senders.get(address.channel)
    if (!sender) throw new AppError('not_found', 'channel_address', 'The customer is no longer reached by this channel')
    await sender.send(address.details, content, { messageId: delivery.messageId, sessionId })
  } catch (error) {
    const delaySeconds = retryDelaySeconds(error, attempts)
    const code = error instanceof AppError ? error.code : 'unknown'
    if (delaySeconds !== null) return postponeDelivery(db.executor, deliveryId, delaySeconds, code)
    return giveUp(options, delivery, error, code)
  }
  await finishDelivery(db.executor, deliveryId, { state: 'sent' })
}

async function giveUp(
  { db, live, log, onLost }: OutboxOptions,
  { deliveryId, messageId, sessionId, channel, attempts }: Delivery,
  error: unknown,
  code: string,
): Promise<void> {
  log.warn({ err: error, channel, sessionId, attempts }, 'A message could not be delivered')
  await db.transaction(async (trx) => {
    await finishDelivery(trx, deliveryId, { state: 'failed', error: code })
    await live.publish(trx, { topic: 'workspace', type: 'delivery_failed', ref: messageId })
  })
  onLost({ channel, sessionId, attempts, code, isPlatformsFault: isTransient(error) })
}

/** Null: trying again makes no sense. */
function retryDelaySeconds(error: unknown, attempts: number): number | null {
  const delay = RETRY_DELAYS_SECONDS[attempts - 1]
  if (!isTransient(error) || delay === undefined) return null
  return Math.max(delay, error.retryAfterSeconds ?? 0)
}

function isTransient(error: unknown): error is AppError {
  return error instanceof AppError && TRANSIENT.includes(error.kind) && !HOPELESS.has(error.code)
}
