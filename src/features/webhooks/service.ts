import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { createDeliverer, type DelivererOptions } from './deliverer.ts'
import {
  countDeliveries,
  type DeliveryFilter,
  deleteWebhook,
  findDelivery,
  findWebhook,
  insertTestDelivery,
  insertWebhook,
  listAttempts,
  listDeliveries,
  listWebhooks,
  replayDeliveries,
  saveWebhook,
} from './queries.ts'
import { newSecret } from './signature.ts'
import { type Delivery, type StoredWebhook, TEST_EVENT, type Webhook } from './types.ts'

export interface WebhooksOptions
  extends Pick<
    DelivererOptions,
    'fetch' | 'timeoutMs' | 'now' | 'onSwitchedOff' | 'giveUpHours' | 'firstPauseSeconds'
  > {
  db: Database
  live: LiveEvents
  log: Log
  /** Looks for gaps, of which nobody would be told before somebody asks for their list. */
  findGaps(): Promise<unknown>
}

export type Webhooks = Awaited<ReturnType<typeof createWebhooks>>

export interface NewWebhook {
  url: string
  description: string
  events: string[]
  isActive: boolean
  /** Undefined: one is made. */
  secret: string | undefined
}

const TOPIC = 'webhooks'
const GAPS_MS = 60_000
const HOUR_MS = 3_600_000
const TEST_DATA = { message: 'A test: nothing happened' }

/** Programs elsewhere that are told what happens here. Events are written by the database, in the transaction of what they tell. */
export async function createWebhooks(options: WebhooksOptions) {
  const { db, live, log, now, findGaps } = options
  const { executor } = db
  let stored = await listWebhooks(executor)
  const deliverer = createDeliverer({
    ...options,
    find: (webhookId) => findWebhook(executor, webhookId),
    secretsOf: ({ secret, previousSecret, previousSecretUntil: until }) =>
      previousSecret !== null && until !== null && until.getTime() > now() ? [secret, previousSecret] : [secret],
    onSwitchedOff(webhook) {
      options.onSwitchedOff(webhook)
      reload()
    },
  })
  const isWanted = (type: string): boolean =>
    stored.some(({ isActive, events }) => isActive && (events.includes(type) || events.includes('*')))
  function reload(): void {
    listWebhooks(executor)
      .then((found) => {
        stored = found
      })
      .catch((error: unknown) => log.warn({ err: error }, 'The webhooks could not be read anew'))
  }
  const wake = (): void => {
    if (stored.some(({ isActive }) => isActive)) deliverer.wake()
  }
  const unsubscribe = [live.subscribe(TOPIC, reload, reload), live.subscribe('workspace', wake)]
  const looking = setInterval(() => {
    if (isWanted('gap.found')) {
      findGaps().catch((error: unknown) => log.warn({ err: error }, 'Looking for gaps failed'))
    }
  }, GAPS_MS).unref()

  async function changed<T>(result: T): Promise<T> {
    await live.publish(executor, { topic: TOPIC, type: 'changed' })
    stored = await listWebhooks(executor)
    return result
  }
  const existing = async (webhookId: string): Promise<StoredWebhook> => {
    const found = await findWebhook(executor, webhookId)
    if (!found) throw unknown(webhookId)
    return found
  }
  const changeOne = async (webhookId: string, next: (webhook: StoredWebhook) => StoredWebhook) =>
    changed(
      await db.transaction(async (trx) => {
        const before = await findWebhook(trx, webhookId, { lock: true })
        if (!before) throw unknown(webhookId)
        return { before, after: await saveWebhook(trx, next(before)) }
      }),
    )
  const deliveryOr404 = async (webhookId: string, deliveryId: number) => {
    const found = await findDelivery(executor, webhookId, deliveryId)
    if (!found) throw new AppError('not_found', 'delivery', `The webhook has no delivery ${deliveryId}`)
    return found
  }

  return {
    list: (): Promise<Webhook[]> => listWebhooks(executor),
    find: existing,

    /** With the secret, which is shown this once. */
    add: async ({ secret, ...webhook }: NewWebhook): Promise<StoredWebhook> =>
      changed(
        await insertWebhook(executor, { webhookId: newId('webhook'), ...webhook, secret: secret ?? newSecret() }),
      ),

    change: (webhookId: string, change: Partial<Omit<NewWebhook, 'secret'>>) =>
      changeOne(webhookId, (webhook) => ({ ...webhook, ...change })),

    /** A new secret, beside which the one before signs for some hours more. */
    rotate: (webhookId: string, { graceHours, secret }: { graceHours: number; secret: string | undefined }) =>
      changeOne(webhookId, (webhook) => ({
        ...webhook,
        secret: secret ?? newSecret(),
        previousSecret: graceHours === 0 ? null : webhook.secret,
        previousSecretUntil: graceHours === 0 ? null : new Date(now() + graceHours * HOUR_MS),
      })),

    /** With what still waits for it. */
    async remove(webhookId: string): Promise<StoredWebhook> {
      const removed = await deleteWebhook(executor, webhookId)
      if (!removed) throw unknown(webhookId)
      return changed(removed)
    },

    /** Sends an event that tells of nothing. */
    async test(webhookId: string): Promise<Delivery> {
      const { isActive } = await existing(webhookId)
      if (!isActive) throw new AppError('conflict', 'webhook', 'The webhook is switched off')
      const event = { webhookId, eventId: newId('evt'), type: TEST_EVENT, data: TEST_DATA }
      const deliveryId = await insertTestDelivery(executor, event)
      deliverer.wake()
      return deliveryOr404(webhookId, deliveryId)
    },

    async deliveries(webhookId: string, filter: DeliveryFilter): Promise<Delivery[]> {
      await existing(webhookId)
      return listDeliveries(executor, webhookId, filter)
    },

    async delivery(webhookId: string, deliveryId: number) {
      const delivery = await deliveryOr404(webhookId, deliveryId)
      return { delivery, attempts: await listAttempts(executor, deliveryId) }
    },

    /** Throws not_found, and conflict for one that is still on its way. */
    async replay(webhookId: string, deliveryId: number): Promise<Delivery> {
      const { state } = await deliveryOr404(webhookId, deliveryId)
      const count = state === 'waiting' ? 0 : await replayDeliveries(executor, webhookId, { deliveryId })
      if (count === 0) throw new AppError('conflict', 'delivery', 'The delivery is still on its way')
      deliverer.wake()
      return deliveryOr404(webhookId, deliveryId)
    },

    /** Everything that failed since a time; how much it was. */
    async replayFailed(webhookId: string, since: Date): Promise<number> {
      await existing(webhookId)
      const count = await replayDeliveries(executor, webhookId, { since })
      deliverer.wake()
      return count
    },

    counts: () => countDeliveries(executor),

    async close(): Promise<void> {
      clearInterval(looking)
      for (const end of unsubscribe) end()
      await deliverer.close()
    },
  }
}

function unknown(webhookId: string): AppError {
  return new AppError('not_found', 'webhook', `No webhook has the id ${webhookId}`)
}
