import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEventStream } from '../support/event-stream.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { ask, type MadeWidget, makeWidget, openPage, SHOP, signIdentity, TOKEN_PATHS } from '../support/widget.ts'

const API_KEY = 'a secret of 24 characters'
const RETURNS = '# Returns\n\nYou may return anything within 30 days of delivery. Refunds take five days.\n'
const QUESTION = 'Within how many days of delivery may I return anything?'

let test: TestApp
let widget: MadeWidget
beforeAll(async () => {
  test = await createTestApp({
    API_KEY,
    WIDGET_MESSAGES_PER_MINUTE: '0',
    WIDGET_SESSIONS_PER_MINUTE: '0',
    ATTACHMENTS_PER_SESSION: '3',
  })
  widget = await makeWidget(test, { settings: { greeting: { en: 'Hello', zh: '你好' }, colour: '#1f6feb' } })
  await test.upload(`---\nurl: https://shop.example/returns\n---\n${RETURNS}`, 'returns.md')
})
afterAll(() => test.close())

const page = (opening: object = {}, origin = SHOP) => openPage(test, { key: widget.key, ...opening }, origin)
const identity = (claims: Record<string, unknown>) => signIdentity(widget.identity_secret, claims)

describe('settings', () => {
  it('are shown by the public key, without secrets', async () => {
    const { status, body, headers } = await ask(test.app, 'GET', `settings?key=${widget.key}`)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        greeting: { en: 'Hello', zh: '你好' },
        colour: '#1f6feb',
        position: 'right',
        languages: ['zh', 'en'],
        open_now: null,
        somebody_there: false,
      },
    })
    expect(headers).toMatchObject({ 'access-control-allow-origin': SHOP, vary: 'origin' })
    expect(JSON.stringify(body)).not.toMatch(/"ws_|allowed_origins/)
  })

  it('are shown to a page of the service itself, whose browser names no origin', async () => {
    expect((await ask(test.app, 'GET', `settings?key=${widget.key}`, { origin: null })).status).toBe(200)
  })

  it('are refused for another key, none, and a page that is not listed', async () => {
    expect((await ask(test.app, 'GET', 'settings?key=pk_other')).status).toBe(404)
    expect((await ask(test.app, 'GET', 'settings')).status).toBe(422)
    const { status, headers } = await ask(test.app, 'GET', `settings?key=${widget.key}`, { origin: 'https://e.vil' })
    expect(status).toBe(403)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('pages of other origins', () => {
  it('ask for leave first, and get it for listed origins alone', async () => {
    const allowed = await ask(test.app, 'OPTIONS', 'messages')
    expect(allowed.status).toBe(204)
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': SHOP,
      'access-control-allow-headers': expect.stringContaining('authorization'),
    })
    expect(allowed.headers).not.toHaveProperty('access-control-allow-credentials')
    for (const origin of ['https://e.vil', 'null', 'http://shop.example', 'https://shop.example.e.vil', null]) {
      const { status, headers } = await ask(test.app, 'OPTIONS', 'messages', { origin })
      expect([origin, status === 204 && 'access-control-allow-origin' in headers]).toEqual([origin, false])
    }
  })

  it('get nothing from the rest of the API', async () => {
    for (const path of ['/api/v1/chat', '/api/v1/health', '/api/v1/settings/widgets']) {
      const preflight = await ask(test.app, 'OPTIONS', path)
      expect(preflight.status).toBeGreaterThanOrEqual(400)
      const { headers } = await ask(test.app, 'GET', path)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('read why they are refused', async () => {
    const { status, headers } = await ask(test.app, 'GET', 'messages')
    expect(status).toBe(401)
    expect(headers).toHaveProperty('access-control-allow-origin', SHOP)
  })
})

describe('a session', () => {
  it('is a token that nothing is stored for before the first message', async () => {
    const before = await test.call('GET', '/api/v1/agent/sessions?limit=200')
    const { begun, call } = await page()
    expect(begun).toMatchObject({
      status: 201,
      body: { identified: false, name: null, goes_on: false, state: { status: 'assistant', place: null } },
    })
    expect((await test.call('GET', '/api/v1/agent/sessions?limit=200')).body).toEqual(before.body)
    expect(await call('GET', 'messages')).toMatchObject({ status: 200, body: { messages: [] } })
    expect((await call('GET', 'events')).status).toBe(404)
    expect((await call('POST', 'typing')).status).toBe(204)
  })

  it('wants a listed origin and a key that works', async () => {
    const begin = (body: object, origin: string | null) => ask(test.app, 'POST', 'sessions', { body, origin })
    expect((await begin({ key: widget.key }, 'https://e.vil')).status).toBe(403)
    expect(await begin({ key: widget.key }, null)).toMatchObject({
      status: 403,
      body: { detail: 'Origin: is required' },
    })
    expect((await begin({ key: 'pk_other' }, SHOP)).status).toBe(404)
    expect((await begin({}, SHOP)).status).toBe(422)
    const other = await makeWidget(test, { allowed_origins: ['https://*.other.example'] })
    expect((await begin({ key: other.key }, SHOP)).status).toBe(403)
    expect((await begin({ key: other.key }, 'https://eu.other.example')).status).toBe(201)
    expect((await begin({ key: other.key }, 'https://other.example')).status).toBe(403)
  })

  it('goes on with its own token, and with no other', async () => {
    const first = await page()
    await first.say(QUESTION)
    const again = await page({ token: first.token })
    expect(again.begun.body.goes_on).toBe(true)
    expect((await again.call('GET', 'messages')).body.messages).toHaveLength(2)
    for (const token of [`${first.token}x`, 'nonsense', first.token.replace(/\.[^.]*\./, '.e30.')]) {
      const { begun } = await page({ token })
      expect(begun).toMatchObject({ status: 201, body: { goes_on: false } })
    }
  })
})

describe('a token', () => {
  it.each(TOKEN_PATHS)('is needed for %s %s before anything else is looked at', async (method, path) => {
    const { token } = await page()
    const [head, body, signature] = token.split('.') as [string, string, string]
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    const forged = await signIdentity('guess', { sid: 'sess_1', wid: widget.widget_id, uid: 'mei' })
    const wrong = [undefined, '', 'Bearer', `Basic ${token}`, `Bearer ${unsigned}`, `Bearer ${forged}`]
    for (const authorization of [...wrong, `Bearer ${head}.${body}.${signature.slice(1)}A`, `Bearer ${API_KEY}`]) {
      const headers = { ...(authorization !== undefined && { authorization }), 'x-api-key': API_KEY }
      const { status, body: told } = await ask(test.app, method, path, {
        headers,
        ...(method === 'POST' && { body: {} }),
      })
      expect([authorization, status]).toEqual([authorization, 401])
      expect(told.detail).toMatch(/^Authorization: /)
    }
  })

  it('opens its own session and no other', async () => {
    const [mine, other] = [await page(), await page()]
    const said = await mine.say(QUESTION)
    const reply_id: string = said.at(-1)?.data.reply_id
    await other.say('Hello')
    const seen = (await other.call('GET', 'messages')).body.messages as { content: string }[]
    expect(seen.map(({ content }) => content)).not.toContain(QUESTION)
    expect((await other.call('POST', 'feedback', { message_id: reply_id, rating: 'up' })).status).toBe(404)
    expect((await other.call('GET', `messages?after=${reply_id}`)).status).toBe(404)
  })

  it('is for pages of its widget alone', async () => {
    const elsewhere = 'https://elsewhere.example'
    await makeWidget(test, { allowed_origins: [elsewhere] })
    const { token } = await page()
    const headers = { authorization: `Bearer ${token}` }
    expect((await ask(test.app, 'GET', 'messages', { headers, origin: elsewhere })).status).toBe(403)
    expect((await ask(test.app, 'POST', 'typing', { headers, origin: null })).status).toBe(403)
    expect((await ask(test.app, 'GET', 'messages', { headers, origin: null })).status).toBe(200)
  })

  it('does not open the API that asks for a key', async () => {
    const { token } = await page()
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }]) {
      expect((await ask(test.app, 'GET', '/api/v1/agent/sessions', { headers, origin: null })).status).toBe(401)
    }
  })

  it('ends with its widget', async () => {
    const short = await makeWidget(test)
    const { call } = await openPage(test, { key: short.key })
    expect((await call('GET', 'state')).status).toBe(200)
    await test.call('DELETE', `/api/v1/settings/widgets/${short.widget_id}`)
    expect((await call('GET', 'state')).status).toBe(401)
    expect((await ask(test.app, 'POST', 'sessions', { body: { key: short.key } })).status).toBe(404)
  })
})

describe('a customer whom the shop has signed', () => {
  it('is named to the desk, and finds the orders that are theirs', async () => {
    const word = await identity({ sub: 'mei', name: 'Mei Lin', email: 'mei@example.com' })
    const { begun, say, call } = await page({ identity: word })
    expect(begun.body).toMatchObject({ identified: true, name: 'Mei Lin' })
    await say(QUESTION)
    await call('POST', 'handoff', {})
    const { body } = await test.call('GET', '/api/v1/agent/sessions?q=mei&limit=1')
    const { session_id } = body.sessions[0]
    const { body: detail } = await test.call('GET', `/api/v1/agent/sessions/${session_id}`)
    expect(detail).toMatchObject({
      user_id: 'mei',
      channel: 'web',
      contact: { name: 'Mei Lin', email: 'mei@example.com', phone: null, verified: true },
    })
  })

  it('goes on with what was said before they logged in', async () => {
    const guest = await page()
    await guest.say(QUESTION)
    const known = await page({ token: guest.token, identity: await identity({ sub: 'ada' }) })
    expect(known.begun.body).toMatchObject({ goes_on: true, identified: true })
    expect((await known.call('GET', 'messages')).body.messages).toHaveLength(2)
    expect((await guest.call('GET', 'messages')).body.messages).toEqual([])
  })

  it('never gets the session of another customer', async () => {
    const mei = await page({ identity: await identity({ sub: 'mei' }) })
    await mei.say(QUESTION)
    for (const opening of [{ token: mei.token, identity: await identity({ sub: 'eve' }) }, { token: mei.token }]) {
      const { begun, call } = await page(opening)
      expect(begun.body.goes_on).toBe(false)
      expect((await call('GET', 'messages')).body.messages).toEqual([])
    }
  })

  it.each([
    ['signed by somebody else', () => signIdentity('another', { sub: 'mei' }), /not signed with a secret/],
    [
      'of another widget',
      async () => signIdentity((await makeWidget(test)).identity_secret, { sub: 'mei' }),
      /not signed/,
    ],
    ['expired', () => identity({ sub: 'mei', exp: Math.floor(Date.now() / 1000) - 120 }), /has expired/],
    ['without an end', () => identity({ sub: 'mei', exp: null }), /`exp` is missing/],
    ['for longer than a day', () => identity({ sub: 'mei', exp: '25h' }), /within a day/],
    ['of nobody', () => identity({}), /`sub` is missing/],
    ['of a blank name', () => identity({ sub: ' ' }), /`sub` must name/],
    ['of a name with invisible characters', () => identity({ sub: 'me\u200bi' }), /`sub` must name/],
    ['no JWT', async () => 'nonsense', /no JWT/],
    ['by another algorithm', () => signIdentity('0'.repeat(64), { sub: 'mei', alg: 'HS512' }), /HS256/],
    ['unsigned', async () => `${btoa('{"alg":"none"}')}.${btoa('{"sub":"mei","exp":9999999999}')}.`, /HS256|no JWT/],
  ])('is refused where the word is %s', async (_, word, reason) => {
    const { begun } = await page({ identity: await word() })
    expect(begun).toMatchObject({ status: 422, body: { detail: expect.stringMatching(reason) } })
    expect(begun.body.detail).toMatch(/^identity: /)
  })

  it('is named once by a word that counts once', async () => {
    const word = await identity({ sub: 'mei', jti: 'once' })
    const both = await Promise.all([page({ identity: word }), page({ identity: word })])
    expect(both.map(({ begun }) => begun.status).toSorted()).toEqual([201, 422])
    expect((await page({ identity: word })).begun.body.detail).toBe('identity: its `jti` was used before')
  })

  it('is whom a widget may be for alone', async () => {
    const closed = await makeWidget(test, { settings: { requires_identity: true } })
    expect((await openPage(test, { key: closed.key })).begun.status).toBe(403)
    const word = await signIdentity(closed.identity_secret, { sub: 'mei' })
    expect((await openPage(test, { key: closed.key, identity: word })).begun.status).toBe(201)
  })
})

describe('floods', () => {
  let limited: TestApp
  beforeAll(async () => {
    limited = await createTestApp({
      WIDGET_MESSAGES_PER_MINUTE: '2',
      WIDGET_REQUESTS_PER_MINUTE: '12',
      WIDGET_SESSIONS_PER_MINUTE: '3',
    })
  })
  afterAll(() => limited.close())

  it('of messages, requests, sessions and streams end with 429 that the page can read', async () => {
    // No test begins at the end of a minute, in which counts begin anew.
    if (Date.now() % 60_000 > 50_000) await sleep(60_000 - (Date.now() % 60_000))
    const { key } = await makeWidget(limited)
    const { call, say, token } = await openPage(limited, { key })
    await say('one')
    await say('two')
    const third = await call('POST', 'messages', { message: 'three' })
    expect(third).toMatchObject({ status: 429, body: { detail: 'message: too many within a minute' } })
    expect(third.headers).toMatchObject({ 'retry-after': expect.anything(), 'access-control-allow-origin': SHOP })
    expect((await call('POST', 'handoff', {})).status).toBe(429)

    const headers = { authorization: `Bearer ${token}`, origin: SHOP }
    const streams = await Promise.all(
      Array.from({ length: 7 }, () => openEventStream(limited.app, '/api/v1/widget/events', headers)),
    )
    expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 429])
    await Promise.all(streams.map((stream) => stream.close()))
    for (let count = 0; count < 12; count++) await call('GET', 'state')
    expect((await call('GET', 'state')).body).toEqual({ detail: 'request: too many within a minute' })

    await openPage(limited, { key })
    await openPage(limited, { key })
    expect((await openPage(limited, { key })).begun).toMatchObject({
      status: 429,
      body: { detail: 'session: too many within a minute' },
    })
  })
})
