import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idOfKey } from '../../web/widget/ids.ts'
import { openEventStream, originOf } from '../support/event-stream.ts'
import { logInAs } from '../support/people.ts'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'
import { type MadeWidget, makeWidget, openPage, SHOP, signIdentity } from '../support/widget.ts'

const API_KEY = 'a secret of 24 characters'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const RETURNS = '# Returns\n\nYou may return anything within 30 days of delivery. Refunds take five days.\n'
const QUESTION = 'Within how many days of delivery may I return anything?'
/** Nothing of what is for people at the desk. */
const INTERNAL = /escalation|emotion|sub_task|trace_id|failed_attempts|session_id|user_id|intent/

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

describe('a message', () => {
  it('is answered as a stream with sources, and nothing of the inside', async () => {
    const { say, call } = await page()
    const events = await say(QUESTION)
    expect(events.map(({ event }) => event)).toEqual(['start', ...events.slice(1, -1).map(() => 'token'), 'done'])
    const done = events.at(-1)?.data
    expect(done).toMatchObject({
      message_id: events[0]?.data.message_id,
      reply: expect.stringContaining('30 days'),
      sources: [{ title: 'Returns', excerpt: expect.stringContaining('30 days'), url: 'https://shop.example/returns' }],
      state: { status: 'assistant' },
    })
    expect(JSON.stringify(events)).not.toMatch(INTERNAL)
    const { body } = await call('GET', 'messages')
    expect(body.messages).toMatchObject([
      { role: 'user', content: QUESTION, sources: [] },
      { role: 'assistant', content: done.reply, sources: done.sources, rating: null },
    ])
    expect(JSON.stringify(body)).not.toMatch(INTERNAL)
  })

  it('that is sent again is said once, and answered with the first answer', async () => {
    const { call } = await page()
    const headers = { 'idempotency-key': 'one' }
    const send = (message: string) => call('POST', 'messages', { message }, headers)
    const answers = await Promise.all([send(QUESTION), send(QUESTION), send(QUESTION)])
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect((await send('something else')).status).toBe(422)
    expect((await call('GET', 'messages')).body.messages).toHaveLength(2)
    const other = await page()
    await other.say('Hello', headers)
    expect((await other.call('GET', 'messages')).body.messages[0].content).toBe('Hello')
  })

  it('has the id that a page can tell by its key', async () => {
    const { token, say } = await page()
    const [start] = await say(QUESTION, { 'idempotency-key': 'told' })
    expect(start?.data).toEqual({ message_id: await idOfKey(token, 'told') })
  })

  it('is answered to the end when its page has gone, and once when it comes again', async () => {
    const { token, call } = await page()
    const [, port] = /:(\d+)$/.exec(await originOf(test.app)) as unknown as [string, string]
    const body = JSON.stringify({ message: QUESTION })
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /api/v1/widget/messages HTTP/1.1\r\nhost: x\r\norigin: ${SHOP}\r\nauthorization: Bearer ${token}\r\n` +
        `idempotency-key: cut\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    const again = await call('POST', 'messages', { message: QUESTION }, { 'idempotency-key': 'cut' })
    expect(again.body).toContain('30 days')
    const { messages } = (await call('GET', 'messages')).body
    expect(messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }])
    expect(messages[1]).not.toHaveProperty('interrupted')
  })

  it('whose answer failed is tried again by the same key, and said once', async () => {
    const { call } = await page()
    const send = () => call('POST', 'messages', { message: QUESTION }, { 'idempotency-key': 'again' })
    await sql`alter function end_chat_turns(jsonb) rename to end_no_turns`.execute(test.db.executor)
    const failed = await send()
    await sql`alter function end_no_turns(jsonb) rename to end_chat_turns`.execute(test.db.executor)
    expect(failed.body).toMatch(/event: error\ndata: \{"message":".+"\}\n\n$/)
    const answered = await send()
    expect(answered.body).toContain('event: done')
    expect((await send()).body).toBe(answered.body)
    const { messages } = (await call('GET', 'messages')).body
    expect(messages).toMatchObject([
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: expect.stringContaining('30 days') },
    ])
  })

  it('has its sources beside the answer and not in it, as it is written, in the end, and in the history', async () => {
    const { say, call } = await page()
    const events = await say(QUESTION)
    const done = events.at(-1)?.data
    expect(done.sources).toHaveLength(1)
    const written = events.map(({ event, data }) => (event === 'token' ? data.content : '')).join('')
    const [, stored] = (await call('GET', 'messages')).body.messages
    for (const text of [written, done.reply, stored.content]) {
      expect(text).toBe(done.reply)
      expect(text).not.toMatch(/Source:/)
    }
    // Whoever asks the API gets the reply as it is specified.
    const { body } = await test.call('POST', '/api/v1/chat', { message: QUESTION })
    expect(body.reply).toBe(`${done.reply}\n\nSource: Returns https://shop.example/returns`)
  })

  it.each([
    [{}, 422, /^message: is required/],
    [{ message: '' }, 422, /^message/],
    [{ message: '  ' }, 422, /^message: must not be blank/],
    [{ message: 'x'.repeat(4_001) }, 422, /^message/],
    [{ message: 7 }, 422, /^message/],
  ])('is refused: %j', async (body, status, detail) => {
    const { call } = await page()
    expect(await call('POST', 'messages', body)).toMatchObject({
      status,
      body: { detail: expect.stringMatching(detail) },
    })
  })
})

describe('a person', () => {
  it('is called, writes live, resolves, and is rated; the desk is told who typed', async () => {
    const ann = await logInAs(test, 'ann', 'agent')
    const { token, call } = await page({ identity: await identity({ sub: 'li' }) })
    const called = await call('POST', 'handoff', { message: 'My parcel is lost', language: 'en' })
    expect(called).toMatchObject({ status: 200, body: { reply: expect.any(String) } })
    expect(called.body.state).toMatchObject({ status: 'waiting', place: expect.any(Number) })
    expect(JSON.stringify(called.body)).not.toMatch(INTERNAL)
    const { sessions } = (await test.call('GET', '/api/v1/agent/sessions?q=li&limit=1')).body
    const { session_id } = sessions[0]

    const live = await openEventStream(test.app, '/api/v1/widget/events', {
      authorization: `Bearer ${token}`,
      origin: SHOP,
    })
    await ann.call('POST', `/api/v1/agent/sessions/${session_id}/accept`)
    expect((await live.waitFor(({ data }) => data.event === 'accepted')).event).toBe('message')
    expect((await call('GET', 'state')).body).toMatchObject({ status: 'person', agent_name: 'ann', place: null })
    await ann.call('POST', `/api/v1/agent/sessions/${session_id}/typing`)
    expect(await live.waitFor(({ event }) => event === 'typing')).toMatchObject({
      data: { expires_at: expect.any(String) },
    })
    await ann.call('POST', `/api/v1/agent/sessions/${session_id}/messages`, { content: 'I am looking' })
    const told = await live.waitFor(({ data }) => data.role === 'agent')
    expect(told.data).toMatchObject({ content: 'I am looking', agent_name: 'ann' })
    expect(JSON.stringify(live.inbox.all)).not.toMatch(INTERNAL)
    expect((await call('POST', 'rating', { score: 5 })).status).toBe(409)
    await live.close()

    await ann.call('POST', `/api/v1/agent/sessions/${session_id}/messages`, { content: 'Found it' })
    const resumed = await openEventStream(test.app, '/api/v1/widget/events', {
      authorization: `Bearer ${token}`,
      origin: SHOP,
      'last-event-id': told.id,
    })
    expect((await resumed.waitFor(({ data }) => data.role === 'agent')).data.content).toBe('Found it')
    await ann.call('POST', `/api/v1/agent/sessions/${session_id}/resolve`, {})
    await resumed.waitFor(({ data }) => data.event === 'resolved')
    await resumed.close()
    expect((await call('GET', 'state')).body).toMatchObject({ status: 'resolved', can_rate: true })
    expect(await call('POST', 'rating', { score: 5, comment: 'Quick' })).toMatchObject({
      status: 200,
      body: { score: 5 },
    })
    expect((await call('POST', 'rating', { score: 6 })).status).toBe(422)
  })

  it('is no longer wanted', async () => {
    const { call } = await page()
    expect((await call('POST', 'handoff/cancel')).status).toBe(404)
    await call('POST', 'handoff', { language: 'zh' })
    expect((await call('GET', 'messages')).body.messages[0].content).toBe('我想和人工客服说话。')
    expect(await call('POST', 'handoff/cancel')).toMatchObject({
      status: 200,
      body: { state: { status: 'assistant' } },
    })
    expect((await call('POST', 'handoff/cancel')).status).toBe(409)
  })

  it('finds a message and an address that were left while nobody was there', async () => {
    const { call } = await page()
    expect(await call('POST', 'offline', { message: 'Call me' })).toMatchObject({
      status: 422,
      body: { detail: 'email: is required, or phone' },
    })
    expect((await call('POST', 'offline', { message: 'Call me', email: 'no address' })).status).toBe(422)
    const left = await call('POST', 'offline', {
      message: 'The left lamp hums',
      email: 'ping@example.com',
      name: 'Ping',
    })
    expect(left).toMatchObject({ status: 200, body: { state: { status: 'waiting' } } })
    const { sessions } = (await test.call('GET', `/api/v1/agent/sessions?q=${encodeURIComponent('lamp hums')}`)).body
    const { body } = await test.call('GET', `/api/v1/agent/sessions/${sessions[0].session_id}`)
    expect(body.contact).toEqual({ name: 'Ping', email: 'ping@example.com', phone: null, verified: false })
  })
})

describe('a file', () => {
  const form = (content: Uint8Array | string, name: string) => {
    const { body, contentType } = encodeForm(content, name, {})
    return [body, { 'content-type': contentType }] as const
  }

  it('is sent before a word was said, and opened by its link from the page', async () => {
    const { call } = await page()
    const sent = await call('POST', 'attachments', ...form(PNG, 'broken.png'))
    expect(sent).toMatchObject({
      status: 201,
      body: { role: 'user', attachment: { file_name: 'broken.png', media_type: 'image/png', size: PNG.length } },
    })
    const opened = await test.app.inject({ url: sent.body.attachment.url })
    expect(opened.headers).toHaveProperty('cross-origin-resource-policy', 'cross-origin')
    const { messages } = (await call('GET', 'messages')).body
    expect(messages).toMatchObject([{ message_id: sent.body.message_id, attachment: { file_name: 'broken.png' } }])
  })

  it('is refused where it is none that may be sent, or the widget takes none', async () => {
    const { call } = await page()
    expect((await call('POST', 'attachments', ...form('<script>alert(1)</script>', 'x.html'))).status).toBe(415)
    expect((await call('POST', 'attachments', {})).status).toBe(415)
    const without = await makeWidget(test, { settings: { allows_attachments: false } })
    const other = await openPage(test, { key: without.key })
    expect((await other.call('POST', 'attachments', ...form(PNG, 'x.png'))).status).toBe(409)
  })
})

it('takes feedback for a reply, which is shown after a reload', async () => {
  const { say, call } = await page()
  const done = (await say(QUESTION)).at(-1)?.data
  const { reply_id, message_id } = { ...done } as Record<string, string>
  expect((await call('POST', 'feedback', { message_id: reply_id, rating: 'down', comment: 'No' })).status).toBe(200)
  expect((await call('POST', 'feedback', { message_id, rating: 'up' })).status).toBe(422)
  expect((await call('POST', 'feedback', { message_id: 'msg_0', rating: 'up' })).status).toBe(404)
  expect((await call('POST', 'feedback', { message_id: reply_id, rating: 'so' })).status).toBe(422)
  expect((await call('GET', 'messages')).body.messages[1].rating).toBe('down')
})

it('takes sources away where the widget shows none', async () => {
  const without = await makeWidget(test, { settings: { shows_sources: false } })
  const { say } = await openPage(test, { key: without.key })
  const done = (await say(QUESTION)).at(-1)?.data
  expect(done.sources).toEqual([])
  expect(done.reply).not.toContain('Source:')
})
