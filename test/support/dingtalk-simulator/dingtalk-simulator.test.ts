import { afterEach, describe, expect, it } from 'vitest'
import { receiveDingtalkCallback } from '../../../src/features/gateway/dingtalk/callback.ts'
import { createDingtalkClient } from '../../../src/features/gateway/dingtalk/client.ts'
import { createReplayCache } from '../../../src/features/gateway/dingtalk/replay-cache.ts'
import { textReply } from '../../../src/features/gateway/dingtalk/reply.ts'
import { createSendQueue } from '../../../src/features/gateway/dingtalk/send-queue.ts'
import { AppError } from '../../../src/kernel/errors.ts'
import { createBreaker } from '../../../src/platform/breaker.ts'
import { type StubRequest, startStubServer } from '../stub-server.ts'
import { createDingtalkSimulator } from './platform.ts'
import { startDingtalkWebhook } from './webhook-server.ts'

const appSecret = 'simulated-secret'
const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** The smallest robot that the protocol files make possible, on a clock that moves only when the queue waits. */
async function startRobot() {
  let timeMs = 1_700_000_000_000
  const clock = { now: () => timeMs }
  const sleep = async (ms: number) => {
    timeMs += ms
  }
  const webhook = await startDingtalkWebhook({ now: clock.now })
  const breaker = createBreaker({ name: 'dingtalk', failureThreshold: 5, recoveryTimeoutMs: 1000, clock })
  const queue = createSendQueue({ clock, sleep })
  const client = createDingtalkClient({ fetch, breaker, queue, clock, extraOrigins: [webhook.origin] })
  const options = { appSecret, clock, replays: createReplayCache({ clock }) }
  const faults: Error[] = []

  async function handle({ headers, body }: StubRequest) {
    const { message, replayed } = receiveDingtalkCallback(options, headers, body)
    const fault = faults.shift()
    if (fault) {
      options.replays.release(message.messageId)
      throw fault
    }
    const answer = textReply(`你说：${message.content.text}`, message.senderStaffId ? [message.senderStaffId] : [])
    if (!replayed && message.webhook) await client.reply(message.robotCode, message.webhook, answer)
    return { body: '{}' }
  }
  const server = await startStubServer((request) => handle(request).catch(refusal))
  closers.push(server.close, webhook.close)
  const robot = { callbackUrl: server.origin, appSecret, sessionWebhook: webhook.webhookFor(), now: clock.now }
  return { webhook, client, clock, faults, dingtalk: createDingtalkSimulator(robot) }
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
  it('is kept by the queue, and the platform would have noticed otherwise', async () => {
    const { webhook, client, clock } = await startRobot()
    const target = { url: webhook.webhookFor(), expiresAtMs: clock.now() + 3_600_000 }
    for (let index = 0; index < 50; index++) await client.reply('robot', target, textReply(`${index}`))
    expect(webhook.replies.all.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, index) => `${index}`))

    const unspaced = await startDingtalkWebhook()
    closers.push(unspaced.close)
    const post = async () => {
      const body = JSON.stringify(textReply('x'))
      return (await fetch(unspaced.webhookFor(), { method: 'POST', body })).json()
    }
    for (let index = 0; index < 20; index++) expect(await post()).toMatchObject({ errcode: 0 })
    expect(await post()).toMatchObject({ errcode: 410_100 })
  })
})
