import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type Browser, logInAs } from '../support/people.ts'
import { type Answer, createTestApp, encodeForm, type TestApp, testConfig } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>\nendobj\n')

let test: TestApp
let ann: Browser
let bob: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY, ATTACHMENT_MAX_MB: '2', ATTACHMENTS_PER_SESSION: '6' })
  ann = await logInAs(test, 'ann', 'agent')
  bob = await logInAs(test, 'bob', 'agent')
  await say('talk', 'I want to talk to a person')
  await ann.call('POST', '/api/v1/agent/sessions/talk/accept')
})
afterAll(() => test.close())

const say = (session_id: string, message: string) =>
  test.call('POST', '/api/v1/chat', { session_id, message, user_id: 'mei' })

function send(
  path: string,
  content: Uint8Array | string,
  name: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { body, contentType } = encodeForm(content, name, fields)
  return test.call('POST', `/api/v1/${path}/attachments`, body, { 'content-type': contentType, ...headers })
}
const asCustomer = (content: Uint8Array | string, name: string, session = 'talk') =>
  send(`chat/sessions/${session}`, content, name, { user_id: 'mei' })
const open = (url: string) => test.app.inject({ url })

describe('a file of a customer', () => {
  it('is a message, which the desk and the customer see, and is opened by its link', async () => {
    const { status, body } = await asCustomer(PNG, 'C:\\pictures\\broken lamp.png')
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { file_name: 'broken lamp.png', media_type: 'image/png', size: PNG.length },
    })
    const { body: detail } = await test.call('GET', '/api/v1/agent/sessions/talk')
    expect(detail.history.at(-1)).toMatchObject({
      message_id: body.message_id,
      role: 'user',
      content: '[broken lamp.png]',
    })
    const opened = await open(body.url)
    expect(opened.statusCode).toBe(200)
    expect(opened.rawPayload.equals(PNG)).toBe(true)
    expect(opened.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "inline; filename*=UTF-8''broken%20lamp.png",
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })

  it('is what its content says, and saved where it may run something', async () => {
    const { body } = await asCustomer(PDF, 'harmless.png')
    expect(body.media_type).toBe('application/pdf')
    expect((await open(body.url)).headers['content-disposition']).toMatch(/^attachment;/)
  })

  it('is kept whole when it is larger than a piece', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(1_500_000, 7)])
    const { body } = await asCustomer(large, '大图.png')
    expect((await open(body.url)).rawPayload.equals(large)).toBe(true)
  })

  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'x.png', 415],
    ['<!doctype html><script>1</script>', 'x.txt', 415],
    [Buffer.from('MZ\u0000\u0001'), 'x.png', 415],
    ['', 'empty.png', 422],
    [Buffer.concat([PNG, Buffer.alloc(2_200_000)]), 'large.png', 413],
  ])('is refused: %#', async (content, name, status) => {
    const before = (await test.call('GET', '/api/v1/agent/sessions/talk/attachments')).body.attachments.length
    const answer = await asCustomer(content, name)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    expect((await test.call('GET', '/api/v1/agent/sessions/talk/attachments')).body.attachments).toHaveLength(before)
  })

  it('is only taken from the customer, for a session that is there', async () => {
    expect((await asCustomer(PNG, 'a.png', 'nowhere')).status).toBe(404)
    expect((await send('chat/sessions/talk', PNG, 'a.png', { user_id: 'somebody else' })).status).toBe(409)
    expect((await test.call('POST', '/api/v1/chat/sessions/talk/attachments', { file: 1 })).status).toBe(415)
    const { body } = await test.call('GET', '/api/v1/chat/sessions/talk/attachments?user_id=mei')
    expect(body.attachments.map(({ media_type }: Record<string, unknown>) => media_type)).toEqual([
      'image/png',
      'application/pdf',
      'image/png',
    ])
    expect((await test.call('GET', '/api/v1/chat/sessions/talk/attachments?user_id=other')).status).toBe(409)
  })
})

describe('a file of a person', () => {
  const asPerson = (who: Browser, session: string) => {
    const { body, contentType } = encodeForm('A plain text', 'note.txt', {})
    return test.app.inject({
      method: 'POST',
      url: `/api/v1/agent/sessions/${session}/attachments`,
      headers: { host: 'd', origin: 'http://d', cookie: who.cookie, 'content-type': contentType },
      payload: body,
    })
  }

  it('is a message of whoever has the session', async () => {
    const sent = await asPerson(ann, 'talk')
    expect(sent.statusCode).toBe(201)
    expect(sent.json()).toMatchObject({ media_type: 'text/plain', file_name: 'note.txt' })
    expect((await asPerson(bob, 'talk')).statusCode).toBe(409)
    const { body } = await test.call('GET', '/api/v1/chat/sessions/talk/messages?user_id=mei')
    expect(body.messages.at(-1)).toMatchObject({ role: 'agent', content: '[note.txt]' })
  })

  it('is refused where nobody has the session, and stores nothing', async () => {
    await say('alone', 'Hello')
    expect((await send('agent/sessions/alone', 'text', 'a.txt')).status).toBe(409)
    expect((await send('agent/sessions/nowhere', 'text', 'a.txt')).status).toBe(404)
    expect((await test.call('GET', '/api/v1/agent/sessions/alone/attachments')).body.attachments).toEqual([])
  })
})

describe('links', () => {
  it('open one file, for an hour', async () => {
    const [first, second] = (await test.call('GET', '/api/v1/agent/sessions/talk/attachments')).body.attachments
    const token = (url: string) => url.split('token=')[1] ?? ''
    const wrong = [
      `/api/v1/attachments/${second.attachment_id}?token=${token(first.url)}`,
      `${first.url}x`,
      first.url.replace(/token=\d/, 'token=9'),
      `/api/v1/attachments/${first.attachment_id}?token=`,
    ]
    for (const url of wrong) expect((await open(url)).statusCode, url).toBe(404)
    expect((await open(`/api/v1/attachments/${first.attachment_id}`)).statusCode).toBe(422)
    const clock = createManualClock()
    const later = await createApp(testConfig({ API_KEY }), test.db, test.app.log, clock)
    clock.advance(Date.parse(first.url_expires_at) - clock.now() + 1)
    expect((await later.inject({ url: first.url })).statusCode).toBe(404)
    await later.close()
  })
})

describe('limits', () => {
  it('count the files of a conversation, also of many at once', async () => {
    await say('many', 'I want to talk to a person')
    const sent = await Promise.all(Array.from({ length: 9 }, (_, n) => asCustomer(PNG, `${n}.png`, 'many')))
    expect(sent.map(({ status }) => status).sort()).toEqual([...Array(6).fill(201), ...Array(3).fill(409)])
  })

  it('may say that none can be sent', async () => {
    const none = await createTestApp({ ATTACHMENTS_PER_SESSION: '0' })
    await none.call('POST', '/api/v1/chat', { session_id: 's', message: 'Hello' })
    const { body, contentType } = encodeForm(PNG, 'a.png', {})
    const answer = await none.call('POST', '/api/v1/chat/sessions/s/attachments', body, { 'content-type': contentType })
    expect(answer.status).toBe(409)
    await none.close()
  })
})

describe('erasure', () => {
  it('takes the files of a customer', async () => {
    const { attachments } = (await test.call('GET', '/api/v1/agent/sessions/many/attachments')).body
    expect((await test.call('DELETE', '/api/v1/customers/mei')).status).toBe(200)
    expect((await open(attachments[0].url)).statusCode).toBe(404)
  })
})
