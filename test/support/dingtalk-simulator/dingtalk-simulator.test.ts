import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { createDingtalkChannel } from '../../../src/features/channels/dingtalk/channel.ts'
import { createDingtalkClient, textReply } from '../../../src/features/channels/dingtalk/client.ts'
import { parseDingtalkBody } from '../../../src/features/channels/dingtalk/message.ts'
import { createOutbox } from '../../../src/features/channels/outbox.ts'
import { saveAddress } from '../../../src/features/channels/queries.ts'
import { AppError } from '../../../src/kernel/errors.ts'
import { createBreaker } from '../../../src/platform/breaker.ts'
import { createLiveEvents } from '../../../src/platform/live-events.ts'
import { type StubRequest, startStubServer } from '../stub-server.ts'
import { createTestDatabase, silentLog } from '../test-database.ts'
import { createDingtalkSimulator } from './platform.ts'
import { startDingtalkWebhook } from './webhook-server.ts'

const appSecret = 'simulated-secret'
const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** The smallest robot that the protocol files make possible. */
async function startRobot() {
  let timeMs = 1_700_000_000_000
  const clock = { now: () => timeMs }
  const wait = (ms: number) => (timeMs += ms)
  const webhook = await startDingtalkWebhook({ now: clock.now })
  const breaker = createBreaker({ name: 'dingtalk', failureThreshold: 5, recoveryTimeoutMs: 1000, clock })
  const settings = { appSecret, webhookOrigins: [webhook.origin] }
  const channel = createDingtalkChannel(settings, { fetch, clock, breakers: { get: () => breaker } })
  const client = createDingtalkClient({ fetch, breaker, clock, extraOrigins: [webhook.origin] })
  const seen = new Set<string>()
  const faults: Error[] = []

  async function handle({ headers, body }: StubRequest) {
    const received = channel.webhook?.receive({ query: {}, headers, body: Buffer.from(body) })
    if (!received || seen.has(received.messageId)) return { body: '{}' }
    const fault = faults.shift()
    if (fault) throw fault
    seen.add(received.messageId)
    const message = parseDingtalkBody(String(body))
    const answer = textReply(`你说：${message.content.text}`, message.senderStaffId ? [message.senderStaffId] : [])
    if (message.webhook) await client.reply(message.webhook, answer)
    return { body: '{}' }
  }
  const server = await startStubServer((request) => handle(request).catch(refusal))
  closers.push(server.close, webhook.close)
  const robot = { callbackUrl: server.origin, appSecret, sessionWebhook: webhook.webhookFor(), now: clock.now }
  return { webhook, channel, client, clock, wait, faults, dingtalk: createDingtalkSimulator(robot) }
}

function refusal(error: unknown) {
  if (error instanceof AppError) return { status: error.kind === 'unauthorized' ? 401 : 422, body: error.message }
  return { status: 500, body: String(error) }
}

describe('a robot over HTTP', () => {
  it('answers text and voice at the session webhook', async () => {
    const { dingtalk, webhook } = await startRobot()
    expect(await dingtalk.sendText('怎么退货')).toMatchObject({ accepted: true })
    await dingtalk.sendVoice('查物流', { senderStaffId: 'staff-2' })
    expect(await webhook.replies.waitFor(2)).toMatchObject([
      { msgtype: 'text', text: '你说：怎么退货', atUserIds: ['staff-simulated'] },
      { text: '你说：查物流', atUserIds: ['staff-2'] },
    ])
  })

  it('refuses forged and stale requests', async () => {
    const { dingtalk, webhook } = await startRobot()
    for (const tamper of [{ sign: 'AAAA' }, { clockOffsetMs: -3_600_001 }, { clockOffsetMs: 3_600_001 }]) {
      expect(await dingtalk.sendText('hi', { tamper })).toMatchObject({ accepted: false, attempts: [{ status: 401 }] })
    }
    expect(webhook.replies.all).toEqual([])
  })

  it('answers a message once however often it is sent', async () => {
    const { dingtalk, webhook } = await startRobot()
    for (let sent = 0; sent < 3; sent++) {
      expect(await dingtalk.sendText('hi', { msgId: 'same' })).toMatchObject({ accepted: true })
    }
    expect(webhook.replies.all).toHaveLength(1)
  })

  it('answers the retry of a message whose first try failed', async () => {
    const { dingtalk, webhook, faults } = await startRobot()
    faults.push(new Error('scripted'))
    const exchange = await dingtalk.sendText('hi', { attempts: 3 })
    expect(exchange).toMatchObject({ accepted: true, attempts: [{ status: 500 }, { status: 200 }] })
    expect(webhook.replies.all).toHaveLength(1)
  })

  it('refuses a webhook outside DingTalk', async () => {
    const { dingtalk, webhook } = await startRobot()
    const fields = { sessionWebhook: webhook.webhookFor().replace('127.0.0.1', 'localhost') }
    expect(await dingtalk.sendText('hi', { fields })).toMatchObject({ attempts: [{ status: 422 }] })
    expect(webhook.replies.all).toEqual([])
  })
})

describe('the limit of 20 a minute', () => {
  it('is noticed by the platform where nobody keeps to it', async () => {
    const { webhook, client, clock } = await startRobot()
    const target = { url: webhook.webhookFor(), expiresAtMs: clock.now() + 3_600_000 }
    for (let index = 0; index < 20; index++) await client.reply(target, textReply(`${index}`))
    await expect(client.reply(target, textReply('20'))).rejects.toMatchObject({ code: 'dingtalk_rate_limited' })
    expect(webhook.replies.all.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`))
  })

  it('is kept by the outbox, in order', async () => {
    const { webhook, channel, clock, wait } = await startRobot()
    const { db, close } = await createTestDatabase()
    const live = await createLiveEvents(db)
    const outbox = createOutbox({ db, live, channels: [channel], onLost: () => {}, log: silentLog })
    closers.push(async () => {
      await outbox.close()
      await live.close()
      await close()
    })
    const url = webhook.webhookFor()
    const details = { webhook: { url, expiresAtMs: clock.now() + 3_600_000 }, atUserId: null }
    await saveAddress(db.executor, 's', { channel: 'dingtalk', orderingKey: 'dingtalk:r', details })
    const texts = Array.from({ length: 45 }, (_, index) => `${index}`)
    for (const text of texts)
      await db.transaction((trx) => outbox.enqueue(trx, { messageId: text, sessionId: 's', content: text }))
    for (const arrived of [20, 40, 45]) {
      await webhook.replies.waitFor(arrived)
      await expect.poll(async () => (await outbox.states('s')).get(`${arrived - 1}`)?.state).toBe('sent')
      wait(61_000)
      await sql`update gateway_outbox set finished_at = finished_at - interval '61 seconds'`.execute(db.executor)
    }
    expect(webhook.replies.all.map(({ text }) => text)).toEqual(texts)
    expect([...(await outbox.states('s')).values()].filter(({ error }) => error !== null)).toEqual([])
  })
})
