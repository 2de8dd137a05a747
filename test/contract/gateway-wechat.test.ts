import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEventStream, originOf } from '../support/event-stream.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { startWechatApi, type WechatApi } from '../support/wechat-simulator/api-server.ts'
import { createWechatSimulator, type WechatAccount } from '../support/wechat-simulator/platform.ts'

const ACCOUNT = {
  token: 'a-callback-token',
  appId: 'wxb11529c136998cb6',
  appSecret: 'an app secret',
  encodingAesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
}
const GUIDE = '# 保修\n\n## 保修多久？\n\n所有台灯保修两年。\n'

type Mode = 'plain' | 'encrypted'

const tests = {} as Record<Mode, TestApp>
/** That of the mode that is tested. */
let test: TestApp
let mode: Mode = 'encrypted'
let api: WechatApi
let count = 0
beforeAll(async () => {
  api = await startWechatApi(ACCOUNT)
  const shared = {
    API_KEY: 'the key',
    WECHAT_TOKEN: ACCOUNT.token,
    WECHAT_APP_ID: ACCOUNT.appId,
    WECHAT_APP_SECRET: ACCOUNT.appSecret,
    WECHAT_API_BASE_URL: api.origin,
    CHANNEL_REPLY_BUDGET_MS: '2000',
  }
  tests.plain = await createTestApp(shared)
  tests.encrypted = await createTestApp({ ...shared, WECHAT_ENCODING_AES_KEY: ACCOUNT.encodingAesKey })
  for (const each of Object.values(tests)) await each.upload(GUIDE, 'warranty.md')
})
afterAll(async () => {
  for (const each of Object.values(tests)) await each.close()
  await api.close()
})
function use(chosen: Mode): void {
  mode = chosen
  test = tests[chosen]
}

const newCustomer = (): string => `o-customer-${count++}`
const simulate = async (more: Partial<WechatAccount> = {}) => {
  const callbackUrl = `${await originOf(test.app)}/api/v1/gateway/wechat`
  return createWechatSimulator({ ...ACCOUNT, mode, callbackUrl, ...more })
}
const pushesTo = (openId: string): string[] =>
  api.pushes.all.filter((push) => push.openId === openId).map(({ text }) => text)
async function pushesOf(openId: string, howMany: number): Promise<string[]> {
  while (pushesTo(openId).length < howMany) await api.pushes.waitFor(api.pushes.all.length + 1)
  return pushesTo(openId)
}
async function sessionOf(openId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where user_id = ${`wechat:${openId}`}`.execute(test.db.executor)
  expect(rows).toHaveLength(1)
  return rows[0]?.id ?? ''
}
const saidIn = async (sessionId: string): Promise<string[]> =>
  (await test.call('GET', `/api/v1/agent/sessions/${sessionId}`)).body.history.map(({ role }: { role: string }) => role)

/** Keeps the session's turn, so that an answer takes until it is given back. */
async function holdTurn(sessionId: string): Promise<() => Promise<void>> {
  await sql`update chat_sessions set turn_owner = 'a test', turn_expires_at = now() + interval '1 hour'
    where session_id = ${sessionId}`.execute(test.db.executor)
  return async () => {
    await sql`update chat_sessions set turn_owner = null where session_id = ${sessionId}`.execute(test.db.executor)
  }
}

describe.each(['plain', 'encrypted'] as const)('WeChat, %s', (chosen) => {
  beforeAll(() => use(chosen))

  it('passes the check of the address, without the API key', async () => {
    expect(await (await simulate()).checkUrl()).toEqual({ accepted: true, status: 200 })
  })

  it('answers in place', async () => {
    const openId = newCustomer()
    const exchange = await (await simulate()).sendText('保修多久？', { openId })
    expect(exchange).toMatchObject({ outcome: 'replied', text: expect.stringContaining('保修两年') })
    expect(exchange.attempts).toHaveLength(1)
    expect(pushesTo(openId)).toEqual([])
    expect(await saidIn(await sessionOf(openId))).toEqual(['user', 'assistant'])
  })

  it('refuses what is forged or stale, and stores nothing of it', async () => {
    const openId = newCustomer()
    const wechat = await simulate()
    for (const tamper of [
      { signature: '0'.repeat(40) },
      { clockOffsetSeconds: -310 },
      { clockOffsetSeconds: 310 },
      { query: { nonce: 'another' } },
    ]) {
      expect((await wechat.checkUrl({ tamper })).accepted).toBe(false)
      const exchange = await wechat.sendText('保修多久？', { openId, tamper })
      expect(exchange).toMatchObject({ outcome: 'refused', attempts: [{ status: 401 }] })
    }
    const { rows } = await sql`select 1 from chat_sessions
      where user_id like ${`%${openId}`}`.execute(test.db.executor)
    expect(rows).toEqual([])
  })

  it('pushes a slow answer, once', async () => {
    const openId = newCustomer()
    const wechat = await simulate()
    await wechat.sendText('你好', { openId })
    const release = await holdTurn(await sessionOf(openId))
    const exchange = await wechat.sendText('保修多久？', { openId })
    expect(exchange).toMatchObject({ outcome: 'acknowledged', attempts: [{ status: 200, body: 'success' }] })
    expect(pushesTo(openId)).toEqual([])
    await release()
    expect(await pushesOf(openId, 1)).toEqual([expect.stringContaining('保修两年')])
  })

  it('answers three tries once: nobody waits any more, so it is pushed', async () => {
    const openId = newCustomer()
    const wechat = await simulate({ timeScale: 0.06 })
    await wechat.sendText('你好', { openId })
    const sessionId = await sessionOf(openId)
    const release = await holdTurn(sessionId)
    const exchange = await wechat.sendText('保修多久？', { openId })
    expect(exchange.outcome).toBe('gave_up')
    expect(exchange.attempts).toEqual([{ timedOut: true }, { timedOut: true }, { timedOut: true }])
    await release()
    expect(await pushesOf(openId, 1)).toEqual([expect.stringContaining('保修两年')])
    expect((await saidIn(sessionId)).filter((role) => role === 'user')).toHaveLength(2)
  })

  it('answers a retry in place when the answer is there by then, and pushes nothing', async () => {
    const openId = newCustomer()
    const wechat = await simulate()
    await wechat.sendText('你好', { openId })
    const sessionId = await sessionOf(openId)
    const release = await holdTurn(sessionId)
    const fields = { MsgType: 'text', Content: '保修多久？', MsgId: '77', CreateTime: '1714037059' }
    const impatient = await simulate({ timeScale: 0.04 })
    expect((await impatient.send(fields, { openId, attempts: 1 })).outcome).toBe('gave_up')
    const second = wechat.send(fields, { openId, attempts: 1 })
    await release()
    expect(await second).toMatchObject({ outcome: 'replied', text: expect.stringContaining('保修两年') })
    // The response may have been lost: a third try gets it again.
    expect(await wechat.send(fields, { openId })).toMatchObject({ outcome: 'replied', text: (await second).text })
    expect(pushesTo(openId)).toEqual([])
    expect((await saidIn(sessionId)).filter((role) => role === 'user')).toHaveLength(2)
  })

  it('brings what people write, in order, however long', async () => {
    const openId = newCustomer()
    const wechat = await simulate()
    await wechat.sendText('请转人工客服', { openId })
    const sessionId = await sessionOf(openId)
    const act = (action: string, body = {}) => test.call('POST', `/api/v1/agent/sessions/${sessionId}/${action}`, body)
    await act('accept')
    const long = '很长的说明。'.repeat(200)
    for (const content of ['您好，我是小王', long, '还有问题吗？']) await act('messages', { content })
    const texts = await pushesOf(openId, 4)
    expect(texts[0]).toBe('您好，我是小王')
    expect(texts.slice(1, -1).join('')).toBe(long)
    expect(texts.at(-1)).toBe('还有问题吗？')
    expect(await wechat.sendText('没有了', { openId })).toMatchObject({ outcome: 'replied' })
    await act('resolve')
    expect((await wechat.sendText('保修多久？', { openId })).text).toContain('保修两年')
  })
})

describe('WeChat', () => {
  beforeAll(() => use('encrypted'))

  it('acknowledges events, welcomes who subscribes, asks for words instead of pictures', async () => {
    const wechat = await simulate()
    const send = (fields: { MsgType: string } & Record<string, string>) =>
      wechat.send(fields, { openId: newCustomer() })
    expect((await send({ MsgType: 'event', Event: 'unsubscribe' })).outcome).toBe('acknowledged')
    expect((await send({ MsgType: 'event', Event: 'subscribe' })).text).toContain('欢迎')
    expect((await send({ MsgType: 'image', PicUrl: 'http://x/y.png', MediaId: '1' })).text).toContain('请用文字')
    const voice = { MsgType: 'voice', MediaId: '1', Format: 'amr', Recognition: '保修多久？' }
    expect((await send(voice)).text).toContain('保修两年')
  })

  it('tries again when a push fails for the moment', async () => {
    const openId = newCustomer()
    await (await simulate()).sendText('请转人工客服', { openId })
    const sessionId = await sessionOf(openId)
    await test.call('POST', `/api/v1/agent/sessions/${sessionId}/accept`)
    api.failNext(-1)
    await test.call('POST', `/api/v1/agent/sessions/${sessionId}/messages`, { content: '第一条' })
    await test.call('POST', `/api/v1/agent/sessions/${sessionId}/messages`, { content: '第二条' })
    expect(await pushesOf(openId, 2)).toEqual(['第一条', '第二条'])
  })

  it('tells people and whoever runs it of a message that the customer will not get', async () => {
    const openId = newCustomer()
    await (await simulate()).sendText('请转人工客服', { openId })
    const sessionId = await sessionOf(openId)
    const act = (action: string, body = {}) => test.call('POST', `/api/v1/agent/sessions/${sessionId}/${action}`, body)
    await act('accept', { agent_id: 'ann' })
    const workspace = await openEventStream(test.app, '/api/v1/agent/events', { 'x-api-key': 'the key' })
    const unsubscribed = 43004
    api.failNext(unsubscribed)
    const { body: sent } = await act('messages', { content: '您还在吗？' })
    const event = await workspace.waitFor(({ event: name }) => name === 'delivery_failed')
    await workspace.close()
    expect(event.data).toMatchObject({ session_id: sessionId, message: { message_id: sent.message_id } })
    await act('messages', { content: '再试一次' })
    expect(await pushesOf(openId, 1)).toEqual(['再试一次'])
    const { body: detail } = await test.call('GET', `/api/v1/agent/sessions/${sessionId}`)
    const written = detail.history.filter(({ role }: { role: string }) => role === 'agent')
    expect(written[0]).toMatchObject({ delivery: { state: 'failed', error: 'wechat_unsubscribed' } })
    const { body: alerts } = await test.call('GET', '/api/v1/observability/alerts?source=delivery')
    expect(alerts).toMatchObject([
      {
        level: 'warn',
        fingerprint: 'delivery:wechat',
        count: 1,
        details: { channel: 'wechat', session_id: sessionId, error: 'wechat_unsubscribed' },
        resolved_at: null,
      },
    ])
  })

  it('refuses a DOCTYPE, an exchanged body and more than 64 KiB', async () => {
    const wechat = await simulate()
    const attempt = async (body: (xml: string) => string) =>
      (await wechat.sendText('x', { openId: newCustomer(), attempts: 1, tamper: { body } })).attempts
    expect(await attempt((xml) => `<!DOCTYPE xml>${xml}`)).toMatchObject([{ status: 422 }])
    const exchanged = await attempt((xml) => xml.replace(/Encrypt><!\[CDATA\[..../, 'Encrypt><![CDATA[AAAA'))
    expect(exchanged).toMatchObject([{ status: 401 }])
    expect(await attempt((xml) => xml + ' '.repeat(70_000))).toMatchObject([{ status: 413 }])
    expect(await attempt(() => '')).toMatchObject([{ status: 422 }])
  })
})

describe('without an app secret', () => {
  it('WeChat is answered by whichever try waits when the answer is there', async () => {
    const alone = await createTestApp({ WECHAT_TOKEN: ACCOUNT.token, CHANNEL_REPLY_BUDGET_MS: '50' })
    try {
      const callbackUrl = `${await originOf(alone.app)}/api/v1/gateway/wechat`
      const wechat = createWechatSimulator({ token: ACCOUNT.token, callbackUrl })
      expect(await wechat.sendText('你好')).toMatchObject({ outcome: 'replied' })
    } finally {
      await alone.close()
    }
  })
})
