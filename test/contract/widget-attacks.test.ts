import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { openEventStream } from '../support/event-stream.ts'
import { createManualClock, type ManualClock } from '../support/manual-clock.ts'
import { createTestApp, encodeForm, type TestApp, testConfig } from '../support/test-app.ts'
import {
  ask,
  type MadeWidget,
  makeWidget,
  openPage,
  type Page,
  SHOP,
  signIdentity,
  TOKEN_PATHS,
} from '../support/widget.ts'

const API_KEY = 'a secret of 24 characters'
const DAY_MS = 86_400_000
const SECRET_WORDS = 'My door code is 4711'

let test: TestApp
let widget: MadeWidget
beforeAll(async () => {
  test = await createTestApp({ API_KEY, WIDGET_MESSAGES_PER_MINUTE: '0', WIDGET_SESSIONS_PER_MINUTE: '0' })
  widget = await makeWidget(test)
})
afterAll(() => test.close())

const page = (opening: object = {}) => openPage(test, { key: widget.key, ...opening })
async function everything(): Promise<unknown> {
  const { rows } = await sql`select (select json_agg(m order by m.seq) from chat_messages m) as messages,
    (select json_agg(s order by s.session_id) from chat_sessions s) as sessions`.execute(test.db.executor)
  return rows[0]
}

describe('the conversation of somebody else', () => {
  let victim: Page
  let session: string
  let reply: string
  let file: { url: string; message_id: string }
  beforeAll(async () => {
    victim = await page({ identity: await signIdentity(widget.identity_secret, { sub: 'mei' }) })
    reply = (await victim.say(SECRET_WORDS)).at(-1)?.data.reply_id
    const { body, contentType } = encodeForm('Mine alone', 'mine.txt', {})
    const sent = (await victim.call('POST', 'attachments', body, { 'content-type': contentType })).body
    file = { url: sent.attachment.url, message_id: sent.message_id }
    await victim.call('POST', 'handoff', { message: 'A person, please' })
    session = (await test.call('GET', '/api/v1/agent/sessions?user_id=mei')).body.sessions[0].session_id
    await test.call('POST', `/api/v1/agent/sessions/${session}/accept`, { agent_id: 'ann' })
    await test.call('POST', `/api/v1/agent/sessions/${session}/messages`, { content: 'Your code is 0815' })
  })

  /** All that the desk keeps of it. */
  const stored = async () => (await test.call('GET', `/api/v1/agent/sessions/${session}`)).body

  it.each(TOKEN_PATHS)('is not reached by %s %s, however its id is sent along', async (method, path) => {
    const attacker = await page()
    await attacker.say('Hello')
    const before = await stored()
    const named = { session_id: session, sessionId: session, sid: session, user_id: 'mei', message_id: reply }
    const headers = { 'x-session-id': session, 'x-user-id': 'mei', cookie: `session=${session}` }
    const query = new URLSearchParams({ session_id: session, user_id: 'mei', sid: session })
    if (path === 'events') {
      const authorization = `Bearer ${attacker.token}`
      const url = `/api/v1/widget/events?${query}`
      const stream = await openEventStream(test.app, url, {
        ...headers,
        authorization,
        origin: SHOP,
        'last-event-id': '0',
      })
      await attacker.call('POST', 'handoff', { message: 'A zebra of mine' })
      const own = (await test.call('GET', '/api/v1/agent/sessions?q=zebra')).body.sessions[0].session_id
      await test.call('POST', `/api/v1/agent/sessions/${own}/accept`, { agent_id: 'ann' })
      await test.call('POST', `/api/v1/agent/sessions/${session}/messages`, { content: 'Once more: 0815' })
      await test.call('POST', `/api/v1/agent/sessions/${own}/messages`, { content: 'For you' })
      await stream.waitFor(({ data }) => data.content === 'For you')
      expect(JSON.stringify(stream.inbox.all)).not.toMatch(/4711|0815/)
      await stream.close()
    } else {
      const body = { message: 'Hi', email: 'eve@example.com', rating: 'up', score: 1, ...named }
      const answer = await attacker.call(method, `${path}?${query}`, method === 'POST' ? body : undefined, headers)
      expect(JSON.stringify(answer.body)).not.toMatch(/4711|0815/)
      expect(answer.status).toBeLessThan(500)
    }
    if (path !== 'events') expect(await stored()).toEqual(before)
  })

  it('is not read from a message of it on, nor rated', async () => {
    const attacker = await page()
    await attacker.say('Hello')
    for (const id of [reply, file.message_id]) {
      expect((await attacker.call('GET', `messages?after=${id}`)).status).toBe(404)
      expect((await attacker.call('POST', 'feedback', { message_id: id, rating: 'down' })).status).toBe(404)
    }
    expect((await attacker.call('POST', 'rating', { score: 1 })).status).toBeGreaterThanOrEqual(400)
    expect((await attacker.call('POST', 'handoff/cancel')).status).toBeGreaterThanOrEqual(400)
    expect((await victim.call('GET', 'state')).body).toMatchObject({ status: 'person' })
  })

  it('gives its files by links that nobody can make', async () => {
    expect((await test.app.inject({ url: file.url })).body).toBe('Mine alone')
    const [pathname = '', until = '', signature = ''] = file.url.split(/\?token=|\./)
    // The character that takes the place of another is never the same one: the link would be the true one.
    const changedAt = (text: string, at: number): string =>
      `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
    const forged = [
      pathname,
      `${pathname}?token=`,
      `${pathname}?token=${until}`,
      ...Array.from(signature, (_, at) => `${pathname}?token=${until}.${changedAt(signature, at)}`),
      `${pathname}?token=${Number(until) + 86_400_000}.${signature}`,
      `${changedAt(pathname, pathname.length - 1)}?token=${until}.${signature}`,
    ]
    // 43 characters hold two bits more than 32 bytes: the next letter at the end stands for the same bytes.
    const sameBytes = signature.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))
    expect(Buffer.from(sameBytes, 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
    forged.push(`${pathname}?token=${until}.${sameBytes}`)
    expect(forged).not.toContain(file.url)
    const attacker = await page()
    for (const url of forged) {
      const { statusCode, body } = await test.app.inject({
        url,
        headers: { authorization: `Bearer ${attacker.token}`, origin: SHOP },
      })
      expect([url, statusCode >= 400]).toEqual([url, true])
      expect(body).not.toContain('Mine alone')
    }
  })

  it('is answered to nobody else by the key of a message', async () => {
    const headers = { 'idempotency-key': 'shared' }
    const first = await page()
    await first.say('My door code is 4711', headers)
    const other = await page()
    const events = await other.say('My door code is 4711', headers)
    expect(events[0]?.data.message_id).not.toBe((await first.call('GET', 'messages')).body.messages[0].message_id)
    expect((await other.call('POST', 'messages', { message: 'Something else' }, headers)).status).toBe(422)
  })
})

describe('a token whose time is over', () => {
  let clock: ManualClock
  let later: App
  beforeAll(async () => {
    clock = createManualClock(Date.now())
    later = await createApp(testConfig({ API_KEY }), test.db, test.app.log, clock)
  })
  afterAll(() => later.close())

  it.each(TOKEN_PATHS)('opens no %s %s, and changes nothing', async (method, path) => {
    const { token, say } = await page()
    await say('Hello')
    const before = await everything()
    clock.advance(8 * DAY_MS)
    const headers = { authorization: `Bearer ${token}` }
    const body = method === 'POST' ? { message: 'Hi', email: 'li@example.com' } : undefined
    const answer = await ask(later, method, path, { headers, body })
    clock.advance(-8 * DAY_MS)
    expect(answer).toMatchObject({ status: 401, body: { detail: expect.stringContaining('has expired') } })
    expect(await everything()).toEqual(before)
  })

  it('begins a new conversation without what was said in the old one', async () => {
    const { token, say } = await page()
    await say(SECRET_WORDS)
    clock.advance(8 * DAY_MS)
    const again = await openPage({ app: later }, { key: widget.key, token })
    expect(again.begun).toMatchObject({ status: 201, body: { goes_on: false } })
    expect((await again.call('GET', 'messages')).body.messages).toEqual([])
    clock.advance(-8 * DAY_MS)
  })
})

describe('a token that was made elsewhere', () => {
  it('opens nothing: of another service, of this one for something else, or changed', async () => {
    const { token } = await page()
    const [head = '', claims = '', signature = ''] = token.split('.')
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
    const changed = (change: object) =>
      [head, Buffer.from(JSON.stringify({ ...read, ...change })).toString('base64url'), signature].join('.')
    const headed = (header: object) =>
      [Buffer.from(JSON.stringify(header)).toString('base64url'), claims, signature].join('.')
    const wrong = [
      changed({ sid: 'sess_other' }),
      changed({ uid: 'mei' }),
      changed({ exp: 9_999_999_999 }),
      changed({ wid: 'widget_other' }),
      headed({ alg: 'none' }),
      headed({ alg: 'HS512' }),
      headed({ alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } }),
      `${head}.${claims}.`,
      `${head}.${claims}`,
      `${token}.${signature}`,
      // The shop's word about a customer, signed with the widget's own secret.
      await signIdentity(widget.identity_secret, { ...read, exp: 9_999_999_999 }),
      await signIdentity(widget.key, read),
      'a'.repeat(5_000),
    ]
    for (const each of wrong) {
      const { status } = await ask(test.app, 'GET', 'messages', { headers: { authorization: `Bearer ${each}` } })
      expect([each.slice(0, 200), status]).toEqual([each.slice(0, 200), 401])
    }
  })
})

describe('a flood', () => {
  const COUNT = 300

  it('of sessions leaves nothing behind', async () => {
    const before = await everything()
    const opened = await Promise.all(Array.from({ length: COUNT }, () => page()))
    expect(new Set(opened.map(({ token }) => token)).size).toBe(COUNT)
    await Promise.all(opened.slice(0, 50).map(({ call }) => call('GET', 'messages')))
    await Promise.all(opened.slice(0, 50).map(({ call }) => call('POST', 'typing')))
    expect(await everything()).toEqual(before)
  })

  it('is counted by address, whatever address a caller writes into its headers', async () => {
    const clock = createManualClock(Date.now())
    const app = await createApp(testConfig({ API_KEY, WIDGET_SESSIONS_PER_MINUTE: '5' }), test.db, test.app.log, clock)
    try {
      const statuses: number[] = []
      for (let count = 0; count < 8; count++) {
        const headers = {
          'x-forwarded-for': `10.0.0.${count}`,
          'x-real-ip': `10.0.0.${count}`,
          forwarded: `for=${count}`,
        }
        statuses.push((await ask(app, 'POST', 'sessions', { body: { key: widget.key }, headers })).status)
      }
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
      clock.advance(60_000)
      expect((await ask(app, 'POST', 'sessions', { body: { key: widget.key } })).status).toBe(201)
    } finally {
      await app.close()
    }
  })

  it('of keys finds none, and is told the same of each', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, count) => ask(test.app, 'POST', 'sessions', { body: { key: `pk_${count}` } })),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.detail}`))).toEqual(
      new Set(['404 key: no widget has this key']),
    )
  })
})

describe('pages of ours', () => {
  it('stand in no frame of another page', async () => {
    const help = [{ name: 'returns.en', language: 'en' as const, title: 'Returns', passages: [] }]
    test.app.showDemo({ key: widget.key, identitySecret: widget.identity_secret, customers: [], help })
    const pages = [
      '/',
      '/demo',
      '/demo/help/returns.en',
      '/demo/widget',
      '/docs',
      '/redoc',
      '/openapi.json',
      '/nothing',
    ]
    for (const url of [...pages, `/widget?key=${widget.key}`, '/widget?key=pk_other', '/widget.js', '/api/v1/health']) {
      const { headers } = await test.app.inject({ url })
      expect([url, headers['content-security-policy']]).toEqual([
        url,
        expect.stringContaining("frame-ancestors 'none'"),
      ])
      expect([url, headers['x-frame-options']]).toEqual([url, expect.stringMatching(/^(?:SAMEORIGIN|DENY)$/)])
    }
  })

  it('say of an unknown key nothing but that there is no chat', async () => {
    for (const url of [
      '/widget',
      '/widget?key=',
      '/widget?key=pk_other',
      '/widget?key=a&key=b',
      `/widget?key=${'x'.repeat(5_000)}`,
    ]) {
      const { statusCode, body, headers } = await test.app.inject({ url, headers: { 'accept-language': 'zh-CN' } })
      expect([url, statusCode, headers['content-type']]).toEqual([url, 404, 'text/html; charset=utf-8'])
      expect(body).toContain('此地址没有在线客服')
      expect(body).not.toContain('<script')
    }
  })

  it('speak a language that the widget has, of the address before that of the browser', async () => {
    const lang = async (of: MadeWidget, query: string, accepted: string) => {
      const { body } = await test.app.inject({
        url: `/widget?key=${of.key}${query}`,
        headers: { 'accept-language': accepted },
      })
      return /<html lang="([^"]+)"/.exec(body)?.[1]
    }
    expect(await lang(widget, '', 'zh-CN,zh;q=0.9')).toBe('zh-CN')
    expect(await lang(widget, '', 'de')).toBe('en')
    expect(await lang(widget, '&lang=en', 'zh-CN')).toBe('en')
    const chinese = await makeWidget(test, { settings: { languages: ['zh'] } })
    expect(await lang(chinese, '&lang=en', 'en')).toBe('zh-CN')
  })
})
