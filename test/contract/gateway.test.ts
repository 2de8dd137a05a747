import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const GUIDE = '# Warranty\n\n## How long is the warranty?\n\nEvery lamp has a warranty of two years.\n'

describe('the neutral door of the gateway', () => {
  let test: TestApp
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
    await test.upload(GUIDE, 'warranty.md')
  })
  afterAll(() => test.close())

  const send = (body: object) => test.call('POST', '/api/v1/gateway', { channel: 'app', user_id: 'u', ...body })
  const newUser = (): string => `user-${count++}`
  const messagesOf = async (sessionId: string): Promise<{ role: string; content: string }[]> =>
    (await test.call('GET', `/api/v1/chat/sessions/${sessionId}/messages`)).body.messages

  it.each(['web', 'app', 'wechat', 'dingtalk', 'api'])('answers on %s', async (channel) => {
    const { status, body } = await send({
      channel,
      message: 'How long is the warranty?',
      message_id: `first-${channel}`,
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      channel,
      user_id: 'u',
      session_id: expect.any(String),
      message_id: `first-${channel}`,
      status: 'ok',
      reply: expect.stringContaining('two years'),
      data: expect.objectContaining({ turn_count: 1, escalate_to_human: false, sub_tasks: expect.any(Array) }),
      duplicate: false,
    })
  })

  it('goes on in the session of that channel and user, wherever it began', async () => {
    const user_id = newUser()
    const { body: first } = await test.call('POST', '/api/v1/chat', { message: 'hello', channel: 'app', user_id })
    const { body: second } = await send({ user_id, message: 'How long is the warranty?' })
    expect(second.session_id).toBe(first.session_id)
    expect(second.data.turn_count).toBe(2)
    expect((await send({ user_id, channel: 'web', message: 'hello' })).body.session_id).not.toBe(first.session_id)
    expect((await send({ user_id: newUser(), message: 'hello' })).body.session_id).not.toBe(first.session_id)
    expect((await send({ user_id, message: 'hello', session_id: 'named' })).body.session_id).toBe('named')
  })

  it('gives two first messages at once one session', async () => {
    const user_id = newUser()
    const answers = await Promise.all(['hello', 'thanks'].map((message) => send({ user_id, message })))
    expect(new Set(answers.map(({ body }) => body.session_id)).size).toBe(1)
    expect(answers.map(({ body }) => body.data.turn_count).toSorted()).toEqual([1, 2])
  })

  it('answers a repeated message once', async () => {
    const message = { user_id: newUser(), message: 'How long is the warranty?', message_id: 'repeated' }
    const first = await send(message)
    const again = await send(message)
    expect(again).toMatchObject({ status: 200, body: { ...first.body, duplicate: true } })
    expect((await messagesOf(first.body.session_id)).map(({ role }) => role)).toEqual(['user', 'assistant'])
    // Another customer may number messages alike.
    expect((await send({ ...message, user_id: newUser() })).body.duplicate).toBe(false)
    expect((await send({ ...message, channel: 'web' })).body.duplicate).toBe(false)
  })

  it('gives concurrent repeats the first result', async () => {
    const message = { user_id: newUser(), message: 'How long is the warranty?', message_id: 'at once' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(message)))
    expect(answers.map(({ body }) => body.duplicate).toSorted()).toEqual([
      false,
      ...Array.from({ length: 9 }, () => true),
    ])
    const [first] = answers
    for (const { body } of answers) expect({ ...body, duplicate: false }).toEqual({ ...first?.body, duplicate: false })
    expect(await messagesOf(first?.body.session_id)).toHaveLength(2)
  })

  it('handles a message anew whose first handling failed', async () => {
    const taken = { user_id: newUser(), message: 'hello', session_id: 'of somebody' }
    await send(taken)
    const other = { ...taken, user_id: newUser(), message_id: 'fails' }
    const refused = { status: 409, body: { detail: 'session_id: this session belongs to another user' } }
    expect(await send(other)).toMatchObject(refused)
    expect(await send(other)).toMatchObject(refused)
    expect(await send({ ...other, session_id: null })).toMatchObject({ status: 200, body: { duplicate: false } })
  })

  it.each([
    [{ type: 'text', text: 'How long is the warranty?' }, 'two years', 'ok'],
    [{ type: 'voice', text: 'How long is the warranty?' }, 'two years', 'ok'],
    [{ type: 'voice' }, 'in words', 'ok'],
    [{ type: 'image' }, 'in words', 'ok'],
    [{ type: 'event', text: 'subscribe' }, 'welcome', 'ok'],
    [{ type: 'event', text: 'LOCATION' }, '', 'ignored'],
  ])('takes %j', async (message, reply, status) => {
    const { body } = await send({ user_id: newUser(), message })
    expect(body).toMatchObject({ status, duplicate: false })
    if (reply === '') expect(body.reply).toBe('')
    else expect(body.reply).toContain(reply)
  })

  it('hands on what cannot be read to the person who has the session', async () => {
    const user_id = newUser()
    const { session_id } = (await send({ user_id, message: 'I want to talk to a person' })).body
    await test.call('POST', `/api/v1/agent/sessions/${session_id}/accept`)
    await send({ user_id, message: { type: 'image' } })
    expect((await messagesOf(session_id)).at(-1)).toMatchObject({ role: 'user', content: '[picture]' })
  })

  it.each([
    [{ message: undefined }, 'message: is required'],
    [{ user_id: undefined }, 'user_id: is required'],
    [{ user_id: '' }, 'user_id: must not have fewer than 1 characters'],
    [{ channel: 'fax' }, 'channel: must be one of web, app, wechat, dingtalk, api'],
    [{ channel: undefined }, 'channel: is required'],
    [{ message: '' }, 'message'],
    [{ message: '  ' }, 'message: must not be blank'],
    [{ message: { type: 'text' } }, 'message: must not be blank'],
    [{ message: { type: 'video' } }, 'message.type: must be one of text, image, voice, event'],
    [{ message: 5 }, 'message'],
    [{ message: 'x'.repeat(8_001) }, 'message'],
    [{ message_id: 'x'.repeat(201) }, 'message_id: must not have more than 200 characters'],
    [{ metadata: 'x' }, 'metadata: must be object'],
  ])('refuses %j', async (change, detail) => {
    const { status, body } = await send({ message: 'hello', ...change })
    expect(status).toBe(422)
    expect(body.detail).toContain(detail)
  })

  it('ignores metadata and null', async () => {
    const body = { message: 'hello', message_id: null, session_id: null, metadata: { any: ['thing'] } }
    const answer = await send({ user_id: newUser(), ...body })
    expect(answer).toMatchObject({ status: 200, body: { message_id: expect.stringMatching(/./) } })
  })
})

describe('the native doors', () => {
  it('do not exist while their secrets are not set, key or no key', async () => {
    const test = await createTestApp({ API_KEY: 'key' })
    const big = 'x'.repeat(100_000)
    for (const [method, path, body] of [
      ['GET', 'wechat?signature=x&timestamp=1&nonce=2&echostr=3', undefined],
      ['POST', 'wechat', '<xml/>'],
      ['POST', 'dingtalk', '{}'],
      ['POST', 'dingtalk', big],
    ] as const) {
      const answer = await test.call(method, `/api/v1/gateway/${path}`, body)
      expect(answer.status).toBe(404)
      expect(Object.keys(answer.body)).toEqual(['detail'])
    }
    await test.close()
  })
})
