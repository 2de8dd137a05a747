import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { dingtalkSignature } from '../../src/features/channels/dingtalk/signature.ts'
import { wechatSignature } from '../../src/features/channels/wechat/signature.ts'
import type { App } from '../../src/http/server.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Orders, openOrders } from '../support/orders.ts'
import { testConfig } from '../support/test-app.ts'

const TOKEN = 'a-callback-token'
const SECRET = 'robot secret'
const SETTINGS = { API_KEY: 'the key of the shop', WECHAT_TOKEN: TOKEN, DINGTALK_APP_SECRET: SECRET }
const ASKS = 'Where is order #W1000001?'

let shop: Orders
let count = 0
beforeAll(async () => {
  shop = await openOrders(SETTINGS)
})
afterAll(() => shop.close())

interface Signed {
  timestamp: string
  nonce: string
  signature: string
}
function signed(): Signed {
  const [timestamp, nonce] = [String(Math.trunc(Date.now() / 1000)), `n-${count++}`]
  return { timestamp, nonce, signature: wechatSignature([TOKEN, timestamp, nonce]) }
}
const xml = (openId: string, text: string, id = count++) =>
  `<xml><ToUserName>us</ToUserName><FromUserName>${openId}</FromUserName><CreateTime>17140370</CreateTime>` +
  `<MsgType>text</MsgType><Content><![CDATA[${text}]]></Content><MsgId>${id}</MsgId></xml>`
const wechat = async (app: App, query: Signed, body: string) => {
  const url = `/api/v1/gateway/wechat?${new URLSearchParams({ ...query })}`
  const { statusCode, body: text } = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'text/xml' },
    payload: body,
  })
  return { status: statusCode, text }
}
const ask = async (openId: string, text = ASKS): Promise<string> =>
  (await wechat(shop.test.app, signed(), xml(openId, text))).text

const robotMessage = (staff: string, text: string, msgId = `m-${count++}`) =>
  JSON.stringify({
    ...{ msgtype: 'text', text: { content: text }, msgId, conversationType: '1', conversationId: 'c' },
    ...{ senderId: staff, senderStaffId: staff },
  })
const robotHeaders = (timestamp = String(Date.now() + count++)) => ({
  'content-type': 'application/json',
  timestamp,
  sign: dingtalkSignature(timestamp, SECRET),
})
const dingtalk = (headers: Record<string, string>, payload: string) =>
  shop.test.app.inject({ method: 'POST', url: '/api/v1/gateway/dingtalk', headers, payload })

const said = async (sessionId: string): Promise<string[]> => {
  const path = `/api/v1/agent/sessions/${encodeURIComponent(sessionId)}`
  const { body } = await shop.test.call('GET', path)
  return (body.history ?? []).map(({ content }: { content: string }) => content)
}

describe('a signature that somebody saw', () => {
  it('serves WeChat’s message again, answered once, and no other, on any replica', async () => {
    const query = signed()
    const message = xml('o-seen', 'hello')
    const first = await wechat(shop.test.app, query, message)
    expect(first.text).toContain('<Content>')
    const replica = await createApp(testConfig(SETTINGS), shop.test.db, createLog('silent'))
    try {
      for (const app of [shop.test.app, replica]) {
        const again = await wechat(app, query, message)
        expect([again.status, again.text.replace(/<CreateTime>\d+/, '')]).toEqual([
          200,
          first.text.replace(/<CreateTime>\d+/, ''),
        ])
        for (const other of [xml('o-seen', 'hello'), xml('anna_1', ASKS), message.replace('hello', 'bye')]) {
          expect(await wechat(app, query, other)).toMatchObject({ status: 401 })
        }
      }
    } finally {
      await replica.close()
    }
  })

  it('of WeChat’s check of the address serves no message', async () => {
    const query = signed()
    const url = `/api/v1/gateway/wechat?${new URLSearchParams({ ...query, echostr: 'echo' })}`
    for (const _ of [1, 2]) expect((await shop.test.app.inject({ url })).body).toBe('echo')
    expect(await wechat(shop.test.app, query, xml('o-seen', 'hello'))).toMatchObject({ status: 401 })
  })

  it('serves DingTalk’s message again, answered once, and later no other', async () => {
    const headers = robotHeaders(String(Date.now() - 60_000))
    const message = robotMessage('seen', 'hello')
    for (const _ of [1, 2]) {
      const taken = await dingtalk(headers, message)
      expect([taken.statusCode, taken.json()]).toEqual([200, { msgtype: 'empty' }])
    }
    for (const other of [robotMessage('seen', 'bye'), robotMessage('anna_1', ASKS)]) {
      expect((await dingtalk(headers, other)).statusCode).toBe(401)
    }
    // A message that DingTalk signs anew is the same message.
    expect((await dingtalk(robotHeaders(), message)).statusCode).toBe(200)
    expect((await said('dingtalk:c:seen')).filter((text) => text === 'hello')).toHaveLength(1)
  })

  it('of DingTalk serves the few customers who write in one millisecond, and no more', async () => {
    const headers = robotHeaders()
    const messages = [1, 2, 3, 4].map((who) => robotMessage(`together-${who}`, 'hello'))
    const taken = await Promise.all(messages.map((message) => dingtalk(headers, message)))
    expect(taken.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect((await dingtalk(headers, robotMessage('anna_1', ASKS))).statusCode).toBe(401)
    expect((await dingtalk(headers, messages[3] ?? '')).statusCode).toBe(200)
    expect(await said('dingtalk:c:together-4')).toContain('hello')
  })

  it('is worthless after five minutes', async () => {
    const timestamp = String(Math.trunc(Date.now() / 1000) - 310)
    const query = { timestamp, nonce: 'n', signature: wechatSignature([TOKEN, timestamp, 'n']) }
    expect(await wechat(shop.test.app, query, xml('o-seen', 'hello'))).toMatchObject({ status: 401 })
    const headers = robotHeaders(String(Date.now() - 310_000))
    expect((await dingtalk(headers, robotMessage('seen', 'hello'))).statusCode).toBe(401)
  })
})

describe('once a key to decrypt WeChat’s messages is set', () => {
  it('plain ones are refused', async () => {
    const WECHAT_ENCODING_AES_KEY = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
    const config = testConfig({ ...SETTINGS, WECHAT_APP_ID: 'wx1', WECHAT_ENCODING_AES_KEY })
    const app = await createApp(config, shop.test.db, createLog('silent'))
    expect(await wechat(app, signed(), xml('o-plain', 'hello'))).toMatchObject({ status: 422 })
    await app.close()
  })
})

describe('a platform’s name for somebody', () => {
  it('is no name of a customer of the shop', async () => {
    expect(await ask('anna_1')).not.toMatch(/Lamp|pending/)
    await dingtalk(robotHeaders(), robotMessage('anna_1', ASKS))
    expect((await said('dingtalk:c:anna_1')).join()).not.toMatch(/Lamp|pending/)
  })

  it('is one of its customers from being linked until that is taken back', async () => {
    const link = { channel: 'wechat', channel_user_id: 'o-anna', user_id: 'anna_1' }
    expect(await ask('o-anna')).not.toMatch(/Lamp/)
    const made = await shop.test.call('PUT', '/api/v1/business/links', link)
    expect(made).toMatchObject({ status: 200, body: link })
    expect(await ask('o-anna')).toMatch(/Lamp/)
    expect(await ask('o-other')).not.toMatch(/Lamp/)
    expect((await shop.test.call('GET', '/api/v1/business/links?user_id=anna_1')).body).toMatchObject({
      items: [link],
      total: 1,
    })
    expect((await shop.test.call('DELETE', '/api/v1/business/links/wechat/wechat:o-anna')).body).toMatchObject(link)
    expect(await ask('o-anna')).not.toMatch(/Lamp/)
    expect((await shop.test.call('DELETE', '/api/v1/business/links/wechat/o-anna')).status).toBe(404)
  })

  it('is linked at DingTalk as well, with what was said before left behind', async () => {
    await dingtalk(robotHeaders(), robotMessage('staff-7', 'hello'))
    const link = { channel: 'dingtalk', channel_user_id: 'dingtalk:staff-7', user_id: 'anna_1' }
    expect((await shop.test.call('PUT', '/api/v1/business/links', link)).body).toMatchObject({
      channel_user_id: 'staff-7',
    })
    await dingtalk(robotHeaders(), robotMessage('staff-7', ASKS))
    expect(await said('dingtalk:c:staff-7')).toHaveLength(2)
    const { body } = await shop.test.call('POST', '/api/v1/gateway', {
      channel: 'dingtalk',
      user_id: 'anna_1',
      message: { type: 'event' },
    })
    expect((await said(body.session_id)).join()).toMatch(/Lamp/)
  })

  it('cannot be had by giving a customer of the shop that name', async () => {
    await ask('o-first', 'hello')
    const { body: pending } = await shop.test.call('GET', '/api/v1/monitor/sessions')
    const native = pending.find(({ user_id }: { user_id: string }) => user_id === 'wechat:o-first').session_id
    const named = { channel: 'wechat', user_id: 'wechat:o-first', message: 'hello' }
    const { status, body } = await shop.test.call('POST', '/api/v1/gateway', named)
    expect(status).toBe(200)
    expect(body.session_id).not.toBe(native)
    for (const path of ['chat', 'gateway']) {
      expect((await shop.test.call('POST', `/api/v1/${path}`, { ...named, session_id: native })).status).toBe(409)
    }
    const messages = `/api/v1/chat/sessions/${native}/messages`
    expect((await shop.test.call('GET', `${messages}?user_id=wechat:o-first`)).status).toBe(409)
    expect((await shop.test.call('GET', messages)).body.messages).toEqual([])
  })

  it('is erased with the messages that the platform brought', async () => {
    await ask('o-leaving', 'hello')
    const { executor } = shop.test.db
    const kept = async () => {
      const { rows } = await sql`select 1 from gateway_messages where user_id = 'wechat:o-leaving'`.execute(executor)
      return rows.length
    }
    expect(await kept()).toBe(1)
    expect((await shop.test.call('DELETE', '/api/v1/customers/wechat:o-leaving')).status).toBe(200)
    expect(await kept()).toBe(0)
  })

  it.each([
    [{ channel: 'web' }, 'channel'],
    [{ user_id: ' ' }, 'user_id: must not be blank'],
    [{ channel_user_id: 'wechat:' }, 'channel_user_id: must not be blank'],
    [{ channel_user_id: 'o\u200b1' }, 'channel_user_id: must not contain invisible characters'],
    [{ user_id: undefined }, 'user_id: is required'],
  ])('is not linked by %j', async (change, detail) => {
    const link = { channel: 'wechat', channel_user_id: 'o-1', user_id: 'anna_1', ...change }
    const answer = await shop.test.call('PUT', '/api/v1/business/links', link)
    expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining(detail)])
  })
})
