import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createInbox } from '../../../test/support/stub-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { AppError } from '../../kernel/errors.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import { createOutbox, type Delivery, type LostDelivery, type Outbox } from './outbox.ts'
import { claimDelivery, finishDelivery, postponeDelivery, saveAddress } from './queries.ts'

let database: TestDatabase
const opened: Outbox[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((outbox) => outbox.close()))
  await sql`delete from gateway_outbox`.execute(database.db.executor)
})
afterAll(() => database.close())

/** Several outboxes on one database, as replicas have them; `fail` decides about each text that is sent. */
function replicas(howMany: number, fail: (text: string, attempt: number) => Error | null = () => null) {
  const wakers = new Set<() => void>()
  const wakeAll = (): void => wakers.forEach((wake) => void wake())
  const live: LiveEvents = {
    publish: async () => void setTimeout(wakeAll, 0),
    subscribe: (_topic, handler) => {
      const wake = (): void => handler({ topic: 'gateway', type: 'queued' })
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
    close: async () => {},
  }
  const sent = createInbox<string>()
  const attempts = new Map<string, number>()
  const wechat = {
    split: (text: string) => text.split('|').filter((part) => part !== ''),
    send: async (_address: object, text: string) => {
      const attempt = (attempts.get(text) ?? 0) + 1
      attempts.set(text, attempt)
      const failure = fail(text, attempt)
      if (failure) throw failure
      sent.add(text)
    },
  }
  const log = { warn: () => {} }
  const lost: LostDelivery[] = []
  const options = {
    db: database.db,
    live,
    channels: [{ name: 'wechat', sender: wechat } as const],
    onLost: (each: LostDelivery) => void lost.push(each),
    log,
  }
  const all = Array.from({ length: howMany }, () => createOutbox(options))
  opened.push(...all)
  return { outbox: all[0] as Outbox, sent, attempts, lost, wakeAll }
}

async function address(sessionId: string, orderingKey = sessionId): Promise<void> {
  await saveAddress(database.db.executor, sessionId, { channel: 'wechat', orderingKey, details: {} })
}
const sentNow = { state: 'sent' } as const
const enqueue = (outbox: Outbox, sessionId: string, messageId: string, content: string) =>
  database.db.transaction((trx) => outbox.enqueue(trx, { messageId, sessionId, content }))

it('sends what has one ordering key in order, and each text once, whichever replica sends', async () => {
  const { outbox, sent } = replicas(3)
  await address('ordered')
  for (let i = 0; i < 15; i++) await enqueue(outbox, 'ordered', `o${i}`, `${i}a|${i}b`)
  // The same message again adds nothing.
  await enqueue(outbox, 'ordered', 'o0', '0a|0b')
  await sent.waitFor(20)
  expect(sent.all).toEqual(Array.from({ length: 20 }, (_, i) => `${Math.floor(i / 2)}${i % 2 === 0 ? 'a' : 'b'}`))
})

it('sends no more than twenty of one ordering key within a minute, and lets others pass', async () => {
  const { outbox, sent, wakeAll } = replicas(2)
  await address('busy')
  await address('quiet')
  await enqueue(outbox, 'busy', 'b', Array.from({ length: 25 }, (_, i) => `b${i}`).join('|'))
  await enqueue(outbox, 'quiet', 'q', 'q')
  await sent.waitFor(21)
  expect(sent.all.filter((text) => text.startsWith('b'))).toHaveLength(20)
  await sql`update gateway_outbox set finished_at = finished_at - interval '62 seconds'`.execute(database.db.executor)
  wakeAll()
  await sent.waitFor(26)
})

it('counts what the platform refused among the twenty, and not what lies ahead by the clock', async () => {
  const { executor } = database.db
  await address('refused')
  const { outbox } = replicas(1)
  await outbox.close()
  await enqueue(outbox, 'refused', 'r', Array.from({ length: 40 }, (_, i) => `${i}`).join('|'))
  const limits = { channels: ['wechat'], leaseSeconds: 60, perWindow: 20, windowSeconds: 61 }
  const expired = { state: 'failed', error: 'expired' } as const
  /** Of three texts the first is refused once; the last is given up without a call. */
  const handle = async ({ deliveryId, content, attempts }: Delivery) => {
    const kind = Number(content) % 3
    if (kind === 0 && attempts === 1) await postponeDelivery(executor, deliveryId, 0, 'busy')
    else await finishDelivery(executor, deliveryId, kind === 2 ? expired : sentNow)
    return kind === 2 ? 0 : 1
  }
  const callsUntilThereIsNoRoom = async (): Promise<number> => {
    const delivery = await claimDelivery(executor, limits)
    return delivery ? (await handle(delivery)) + (await callsUntilThereIsNoRoom()) : 0
  }
  expect(await callsUntilThereIsNoRoom()).toBe(20)
  expect(await callsUntilThereIsNoRoom()).toBe(0)
  await sql`update gateway_outbox set finished_at = now() + interval '1 day'`.execute(executor)
  expect(await callsUntilThereIsNoRoom()).toBeGreaterThan(0)
})

it('tries again what fails for the moment, gives up what will never be taken, and goes on', async () => {
  const busy = new AppError('unavailable', 'platform_unavailable', 'busy')
  const gone = new AppError('conflict', 'wechat_unsubscribed', 'gone')
  const { outbox, sent, attempts, lost } = replicas(2, (text, attempt) => {
    if (text === 'later') return attempt < 2 ? busy : null
    return text === 'never' ? gone : null
  })
  await address('failing')
  await enqueue(outbox, 'failing', 'f1', 'never')
  await enqueue(outbox, 'failing', 'f2', 'later|last')
  await sent.waitFor(2)
  expect(sent.all).toEqual(['later', 'last'])
  expect([attempts.get('never'), attempts.get('later')]).toEqual([1, 2])
  const { rows } = await sql<{ error: string }>`select error from gateway_outbox
    where state = 'failed'`.execute(database.db.executor)
  expect(rows).toEqual([{ error: 'wechat_unsubscribed' }])
  const reason = { code: 'wechat_unsubscribed', isPlatformsFault: false }
  expect(lost).toEqual([{ channel: 'wechat', sessionId: 'failing', attempts: 1, ...reason }])
  await expect.poll(async () => (await outbox.states('failing')).get('f2')?.state).toBe('sent')
  expect([...(await outbox.states('failing'))].toSorted()).toEqual([
    ['f1', { state: 'failed', error: 'wechat_unsubscribed' }],
    ['f2', { state: 'sent', error: null }],
  ])
})

it('gives up what the platform does not take in some minutes, and says so', async () => {
  const busy = new AppError('unavailable', 'platform_unavailable', 'busy')
  const { outbox, lost, attempts, wakeAll } = replicas(1, () => busy)
  await address('down')
  await enqueue(outbox, 'down', 'd', 'text')
  for (let attempt = 1; attempt <= 6; attempt++) {
    await expect.poll(() => attempts.get('text')).toBe(attempt)
    const leased = () => sql`select 1 from gateway_outbox where leased_until is not null`.execute(database.db.executor)
    await expect.poll(async () => (await leased()).rows).toEqual([])
    await sql`update gateway_outbox set next_attempt_at = now()`.execute(database.db.executor)
    wakeAll()
  }
  const reason = { code: 'platform_unavailable', isPlatformsFault: true }
  await expect.poll(() => lost.length).toBeGreaterThan(0)
  expect(lost).toEqual([{ channel: 'wechat', sessionId: 'down', attempts: 6, ...reason }])
})

it('queues nothing for customers who are not reached by a channel, and nothing of a transaction that fails', async () => {
  const { outbox, sent } = replicas(1)
  await enqueue(outbox, 'nobody', 'n', 'text')
  await address('rolled-back')
  const failing = database.db.transaction(async (trx) => {
    await outbox.enqueue(trx, { messageId: 'r', sessionId: 'rolled-back', content: 'text' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const { rows } = await sql`select 1 from gateway_outbox`.execute(database.db.executor)
  expect(rows).toEqual([])
  expect(sent.all).toEqual([])
})

it('takes over what a replica had begun to send when it died', async () => {
  const { executor } = database.db
  await address('orphaned')
  const { outbox } = replicas(1)
  await outbox.close()
  await enqueue(outbox, 'orphaned', 'x', 'one|two')
  const limits = { channels: ['wechat'], leaseSeconds: 60, perWindow: 20, windowSeconds: 61 }
  expect(await claimDelivery(executor, limits)).toMatchObject({ content: 'one', attempts: 1 })
  // Neither the text that somebody has nor the one behind it.
  expect(await claimDelivery(executor, limits)).toBeUndefined()
  await sql`update gateway_outbox set leased_until = now() - interval '1 second'
    where content = 'one'`.execute(executor)
  const again = await claimDelivery(executor, limits)
  expect(again).toMatchObject({ content: 'one', attempts: 2 })
  await finishDelivery(executor, again?.deliveryId ?? 0, { state: 'sent' })
  expect(await claimDelivery(executor, limits)).toMatchObject({ content: 'two' })
})
