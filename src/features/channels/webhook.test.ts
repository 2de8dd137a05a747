import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/test-database.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Chat } from '../chat/index.ts'
import { createDeduplicate } from './deduplicate.ts'
import { createDingtalkChannel } from './dingtalk/channel.ts'
import { dingtalkSignature } from './dingtalk/signature.ts'
import { createWebhookHandler } from './webhook.ts'

const appSecret = 'secret'
const ACKNOWLEDGED = '{"msgtype":"empty"}'
const NOBODY_LEAVES = new AbortController().signal

let database: TestDatabase
let count = 0
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
afterEach(() => void vi.useRealTimers())

/** A robot's callback at one process; `answer` makes the reply to each message. */
function process(answer: () => Promise<string> = async () => 'hi', budgetMs = 5_000) {
  const { db } = database
  const ran: string[] = []
  const queued: string[] = []
  const failures: Error[] = []
  const reply = async ({ message, sessionId }: Parameters<Chat['reply']>[0]) => {
    ran.push(message)
    const said = { reply: await answer(), sessionId, sources: [], suggestions: [], subTasks: [] }
    return said as unknown as Awaited<ReturnType<Chat['reply']>>
  }
  const enqueue = async (_: unknown, { content }: { content: string }) => {
    const failure = failures.shift()
    if (failure) throw failure
    queued.push(content)
  }
  const ports = { breakers: { get: () => ({ run: <T>(work: () => Promise<T>) => work() }) }, fetch }
  const channel = createDingtalkChannel({ appSecret, webhookOrigins: [] }, { ...ports, clock: { now: Date.now } })
  const handoff = { find: async () => undefined, latest: async () => undefined }
  const options = { db, channels: [channel], chat: { reply }, handoff, languageOf: () => 'en' as const, log: silentLog }
  const deduplicate = createDeduplicate(options)
  if (!channel.webhook) throw new Error('The robot is off')
  const handler = createWebhookHandler(channel, channel.webhook, {
    ...options,
    ...{ deduplicate, outbox: { enqueue }, budgetMs },
  })
  const receive = (body: string, headers: object = signed()) =>
    handler.receive({ query: {}, headers: { ...headers }, body: Buffer.from(body) }, NOBODY_LEAVES)
  return { receive, ran, queued, failures }
}

// Each signature is of a millisecond of its own.
const signedBeforeMs = Date.now() - 20_000
function signed(stampMs = signedBeforeMs - count++) {
  const timestamp = String(stampMs)
  return { timestamp, sign: dingtalkSignature(timestamp, appSecret) }
}
const message = (text = 'hello', msgId = `m-${count++}`) =>
  JSON.stringify({
    ...{ msgtype: 'text', text: { content: text }, msgId, conversationType: '1' },
    ...{ conversationId: `c-${msgId}`, senderId: 's' },
  })

it('acknowledges a message that comes again while it is answered at once', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { receive, ran, queued } = process(() => promise, 60_000)
  const body = message()
  const first = receive(body)
  await expect.poll(() => ran).toEqual(['hello'])
  expect(await receive(body)).toBe(ACKNOWLEDGED)
  expect(queued).toEqual([])
  resolve('late')
  expect(await first).toBe(ACKNOWLEDGED)
  expect(await receive(body)).toBe(ACKNOWLEDGED)
  expect([ran, queued]).toEqual([['hello'], ['late']])
})

it('acknowledges it at once also when the first try no longer waits', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise, resolve } = Promise.withResolvers<string>()
  const { receive, ran, queued } = process(() => promise, 500)
  const body = message()
  const first = receive(body)
  await expect.poll(() => ran).toEqual(['hello'])
  vi.advanceTimersByTime(500)
  expect(await first).toBe(ACKNOWLEDGED)
  // No time passes meanwhile.
  expect(await receive(body)).toBe(ACKNOWLEDGED)
  vi.useRealTimers()
  resolve('late')
  await expect.poll(() => queued).toEqual(['late'])
  expect(ran).toEqual(['hello'])
})

it('lets the platform try again what could not be taken, and answers it then', async () => {
  const { receive, queued, failures } = process()
  failures.push(new AppError('unavailable', 'database', 'no'))
  const body = message()
  await expect(receive(body)).rejects.toMatchObject({ code: 'database' })
  expect(await receive(body)).toBe(ACKNOWLEDGED)
  expect(queued).toEqual(['hi'])
})

it('answers a message once and lets a signature serve one, whichever process they come to', async () => {
  const [here, there] = [process(), process()]
  const [body, headers] = [message(), signed()]
  expect(await here.receive(body, headers)).toBe(ACKNOWLEDGED)
  for (const { receive } of [here, there]) {
    expect(await receive(body, headers)).toBe(ACKNOWLEDGED)
    await expect(receive(message(), headers)).rejects.toMatchObject({ code: 'replayed_signature' })
  }
  // Signed ahead of our clock, a request can come again for ten minutes.
  await sql`update gateway_messages set created_at = now() - interval '10 minutes'`.execute(database.db.executor)
  expect(await there.receive(body, headers)).toBe(ACKNOWLEDGED)
  expect([here.ran, there.ran]).toEqual([['hello'], []])
})

it('does not take a message that could not be read for one that was', async () => {
  const { receive, ran } = process()
  const [body, headers] = [message(), signed()]
  await expect(
    receive(body.replace('"conversationType":"1"', '"conversationType":"9"'), headers),
  ).rejects.toMatchObject({
    code: 'callback_field',
  })
  expect(await receive(body, headers)).toBe(ACKNOWLEDGED)
  expect(ran).toEqual(['hello'])
})
