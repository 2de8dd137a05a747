import { afterEach, describe, expect, it } from 'vitest'
import { createWechatCallback, type ReceivedWechatMessage } from '../../../src/features/channels/wechat/callback.ts'
import { createWechatClient } from '../../../src/features/channels/wechat/client.ts'
import { AppError } from '../../../src/kernel/errors.ts'
import { createBreaker } from '../../../src/platform/breaker.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { type StubRequest, startStubServer } from '../stub-server.ts'
import { startWechatApi } from './api-server.ts'
import { createWechatSimulator, type WechatAccount } from './platform.ts'

const secrets = {
  token: 'simulated-token',
  appId: 'wxb11529c136998cb6',
  encodingAesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
}
const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Talk = (received: ReceivedWechatMessage) => Promise<string>

/** The smallest door that the protocol files make possible: verify, answer once per message, reply in the message's mode. */
async function startDoor(talk: Talk, mode: WechatAccount['mode']) {
  const { encodingAesKey, ...plain } = secrets
  const options = mode === 'encrypted' ? { ...plain, encodingAesKey } : plain
  const callback = createWechatCallback({ ...options, clock: systemClock })
  const underWay = new Map<string, Promise<string>>()
  const handle = async ({ method, url, body }: StubRequest) => {
    const query = Object.fromEntries(url.searchParams)
    if (method === 'GET') return { body: callback.answerUrlCheck(query) }
    const received = callback.receive(query, body)
    const { dedupeKey } = received.message
    const answer = underWay.get(dedupeKey) ?? talk(received)
    underWay.set(dedupeKey, answer)
    return { body: callback.reply(received, await answer) }
  }
  const server = await startStubServer((request) => handle(request).catch(refusal))
  closers.push(server.close)
  return server
}

function refusal(error: unknown) {
  if (error instanceof AppError) return { status: error.kind === 'unauthorized' ? 401 : 422, body: error.message }
  throw error
}

async function simulate(talk: Talk, account: Partial<WechatAccount> = {}) {
  const door = await startDoor(talk, account.mode)
  return createWechatSimulator({ ...secrets, callbackUrl: door.origin, ...account })
}

const echo: Talk = async ({ message }) => (message.content.type === 'text' ? `你说：${message.content.text}` : '')

describe('both modes over HTTP', () => {
  it.each(['plain', 'encrypted'] as const)('%s: URL check, text with anything in it, event', async (mode) => {
    const wechat = await simulate(echo, { mode })
    expect(await wechat.checkUrl()).toEqual({ accepted: true, status: 200 })
    const text = 'a]]>b & <c> 你好 😀'
    expect(await wechat.sendText(text)).toMatchObject({ outcome: 'replied', text: `你说：${text}` })
    const event = await wechat.send({ MsgType: 'event', Event: 'subscribe' })
    expect(event).toMatchObject({ outcome: 'acknowledged', attempts: [{ status: 200 }] })
  })

  it.each(['plain', 'encrypted'] as const)('%s: forged and stale requests are refused', async (mode) => {
    const wechat = await simulate(echo, { mode })
    for (const tamper of [{ signature: '0'.repeat(40) }, { clockOffsetSeconds: -3700 }, { clockOffsetSeconds: 3700 }]) {
      expect(await wechat.checkUrl({ tamper })).toEqual({ accepted: false, status: 401 })
      expect(await wechat.sendText('hi', { tamper })).toMatchObject({ outcome: 'refused', attempts: [{ status: 401 }] })
    }
  })

  it('refuses a body that was exchanged in encrypted mode, and a DOCTYPE in plain mode', async () => {
    const wechat = await simulate(echo, { mode: 'encrypted' })
    const swap = { body: (xml: string) => xml.replace(/Encrypt><!\[CDATA\[..../, 'Encrypt><![CDATA[AAAA') }
    const exchanged = await wechat.sendText('hi', { tamper: swap })
    expect(exchanged).toMatchObject({ outcome: 'refused', attempts: [{ status: 401 }] })
    const doctype = { body: (xml: string) => `<!DOCTYPE xml>${xml}` }
    expect(await (await simulate(echo)).sendText('hi', { tamper: doctype })).toMatchObject({
      outcome: 'refused',
      attempts: [{ status: 422 }],
    })
  })
})

/** WeChat's five seconds in 100 ms; for talks that are meant to run out of them. */
const hurried = { timeScale: 0.02 }

describe('time', () => {
  it('gives up on a try, repeats the message and gets the first answer on the last try', async () => {
    const answer = Promise.withResolvers<string>()
    const seen: string[] = []
    const wechat = await simulate((received) => {
      seen.push(received.message.dedupeKey)
      setTimeout(() => answer.resolve('done'), 150)
      return answer.promise
    }, hurried)
    const exchange = await wechat.sendText('slow', { attempts: 20 })
    expect(exchange).toMatchObject({ outcome: 'replied', text: 'done' })
    expect(exchange.attempts.length).toBeGreaterThan(1)
    expect(seen).toHaveLength(1)
  })

  it('stops after three tries in all', async () => {
    const wechat = await simulate(() => new Promise(() => {}), hurried)
    const exchange = await wechat.sendText('never')
    expect(exchange).toMatchObject({ outcome: 'gave_up', attempts: Array(3).fill({ timedOut: true }) })
  })
})

describe('pushes', () => {
  it('reach the customer through the API, and survive a token revoked meanwhile', async () => {
    const api = await startWechatApi({ appId: secrets.appId, appSecret: 's3cret' })
    closers.push(api.close)
    const breaker = createBreaker({ name: 'wechat', failureThreshold: 5, recoveryTimeoutMs: 1000, clock: systemClock })
    const options = { appId: secrets.appId, appSecret: 's3cret', fetch, breaker, clock: systemClock }
    const client = createWechatClient({ ...options, apiBaseUrl: api.origin })
    await client.pushText('o-1', 'late answer')
    api.revokeTokens()
    await client.pushText('o-1', '还有一句')
    expect(await api.pushes.waitFor(2)).toEqual([
      { openId: 'o-1', text: 'late answer' },
      { openId: 'o-1', text: '还有一句' },
    ])
    expect(api.tokensIssued()).toBe(2)
    api.failNext(45015)
    await expect(client.pushText('o-1', 'too late')).rejects.toMatchObject({ code: 'wechat_window_closed' })
  })

  it('fail with the wrong secret', async () => {
    const api = await startWechatApi({ appId: secrets.appId, appSecret: 's3cret' })
    closers.push(api.close)
    const breaker = createBreaker({ name: 'wechat', failureThreshold: 5, recoveryTimeoutMs: 1000, clock: systemClock })
    const options = { appId: secrets.appId, appSecret: 'wrong', fetch, breaker, clock: systemClock }
    const client = createWechatClient({ ...options, apiBaseUrl: api.origin })
    await expect(client.pushText('o-1', 'x')).rejects.toMatchObject({ code: 'wechat_credentials' })
  })
})
