import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/support/test-app.ts'

const RETURNS = `# Returns

## What is the return window?

You may return goods within 7 days of delivery.

## What is the return window for electronics?

Electronics may be returned within 15 days of delivery.
`
const INVOICE = '# 发票\n\n## 怎么开发票？\n\n在订单页点击「申请开票」，24 小时内发送到邮箱。\n'

describe('chat endpoints', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    await test.upload(RETURNS, 'returns.md', { register: 'true' })
    await test.upload(INVOICE, 'invoice.md', { register: 'true' })
  })
  afterAll(() => test.close())

  const ask = (message: string, more: object = {}) => test.call('POST', '/api/v1/chat', { message, ...more })

  it('answers from the knowledge base and names the source', async () => {
    const { status, body } = await ask('What is the return window?')
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'ok', data: { turn_count: 1, failed_attempts: 0, escalate_to_human: false } })
    expect(body.reply).toContain('7 days')
    expect(body.data.sources[0]).toMatchObject({ source: 'returns.md', version: 'v1' })
    expect(body.data.sub_tasks).toHaveLength(1)
    expect((await ask('请问怎么开发票？')).body.reply).toContain('24 小时')
  })

  it('understands a follow-up by the conversation', async () => {
    const first = await ask('What is the return window?', { session_id: 'follow-up' })
    expect(first.body.session_id).toBe('follow-up')
    const second = await ask('And for electronics?', { session_id: 'follow-up' })
    expect(second.body.reply).toContain('15 days')
    expect(second.body.data.turn_count).toBe(2)
  })

  it('says so when it does not know, and calls a person when choices were offered in vain', async () => {
    const first = await ask('Do you sell giraffes?', { session_id: 'unknown' })
    expect(first.body.data).toMatchObject({
      failed_attempts: 1,
      escalate_to_human: false,
      sources: [],
      escalation_card: null,
    })
    expect(first.body.data.suggestions.length).toBeGreaterThan(0)
    const second = await ask('Does anyone breed unicorns?', { session_id: 'unknown' })
    expect(second.body.data).toMatchObject({ failed_attempts: 2, escalate_to_human: false })
    const third = await ask('And who breeds dragons?', { session_id: 'unknown' })
    expect(third.body.data).toMatchObject({ failed_attempts: 3, escalate_to_human: true })
    expect(third.body.data.escalation_card).toMatchObject({ session_id: 'unknown', turn_count: 3 })
  })

  it('answers both parts of a message that asks two things', async () => {
    const { body } = await ask('What is the return window? And 怎么开发票？')
    expect(body.data.sub_tasks).toHaveLength(2)
    expect(body.reply).toContain('7 days')
    expect(body.reply).toContain('24 小时')
  })

  it('treats a greeting as such', async () => {
    const { body } = await ask('你好')
    expect(body.data).toMatchObject({ intent: 'chitchat', failed_attempts: 0, sources: [] })
  })

  it.each([
    [{}, 'message: is required'],
    [{ message: '' }, 'message: must not have fewer than 1 characters'],
    [{ message: '   ' }, 'message: must not be blank'],
    [{ message: 1 }, 'message: must be string'],
    [{ message: 'x'.repeat(8_001) }, 'message: must not have more than 8000 characters'],
  ])('refuses %j', async (body, detail) => {
    expect(await test.call('POST', '/api/v1/chat', body)).toMatchObject({ status: 422, body: { detail } })
  })

  it('refuses an unknown channel and a session of somebody else', async () => {
    expect((await ask('hello', { channel: 'fax' })).status).toBe(422)
    await ask('hello', { session_id: 'anna', user_id: 'anna' })
    expect((await ask('hello', { session_id: 'anna', user_id: 'bert' })).status).toBe(409)
  })

  it('streams meta, tokens and done, whose answer is what was streamed and stored', async () => {
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/v1/chat/stream',
      payload: { message: 'What is the return window?', session_id: 'stream' },
    })
    expect(response.headers['x-accel-buffering']).toBe('no')
    expect(response.headers['content-type']).toContain('text/event-stream')
    const events = parseEvents(response.body)
    expect(events.map(({ event }) => event).join(' ')).toMatch(/^meta( token)+ done$/)
    const answer = events
      .filter(({ event }) => event === 'token')
      .map(({ data }) => data.content)
      .join('')
    expect(events.at(-1)?.data).toMatchObject({ turn_count: 1, escalate: false, answer })
    const { body } = await test.call('GET', '/api/v1/chat/sessions/stream/messages')
    expect(body.messages.map((m: { role: string }) => m.role)).toEqual(['user', 'assistant'])
    expect(body.messages[1].content).toBe(answer)
  })

  it('answers two messages sent at once to one session one after the other', async () => {
    const replies = await Promise.all(
      [1, 2, 3, 4].map((n) => ask(`What is the return window? (${n})`, { session_id: 'burst' })),
    )
    expect(replies.map(({ body }) => body.data.turn_count).sort()).toEqual([1, 2, 3, 4])
    const { body } = await test.call('GET', '/api/v1/chat/sessions/burst/messages')
    expect(body.messages.map((m: { role: string }) => m.role)).toEqual(Array(4).fill(['user', 'assistant']).flat())
  })

  it('pages through the messages and takes a rating', async () => {
    const { body } = await test.call('GET', '/api/v1/chat/sessions/burst/messages?limit=3')
    const next = await test.call('GET', `/api/v1/chat/sessions/burst/messages?after=${body.messages[2].message_id}`)
    expect(next.body.messages).toHaveLength(5)
    const url = '/api/v1/chat/sessions/burst/feedback'
    const rate = (message_id: string, rating: string) => test.call('POST', url, { message_id, rating })
    expect(await rate(body.messages[1].message_id, 'up')).toMatchObject({ status: 200, body: { rating: 'up' } })
    expect((await rate(body.messages[0].message_id, 'up')).status).toBe(422)
    expect((await rate('msg_none', 'up')).status).toBe(404)
    expect((await rate(body.messages[1].message_id, 'sideways')).status).toBe(422)
    expect((await test.call('GET', '/api/v1/chat/sessions/none/messages')).status).toBe(404)
  })

  it('answers a question asked before from the cache, stored and counted like any other, until the document changes', async () => {
    const question = 'What is the return window for electronics?'
    await test.call('POST', '/api/v1/performance/cache/invalidate')
    const [first, second] = [await ask(question), await ask(`  ${question.toUpperCase()} `, { session_id: 'cached' })]
    expect(first.body.data.mode).toBe('extractive')
    expect(second.body).toMatchObject({ reply: first.body.reply, data: { mode: 'cached', turn_count: 1 } })
    expect((await test.call('GET', '/api/v1/chat/sessions/cached/messages')).body.messages).toHaveLength(2)
    expect((await test.call('GET', '/api/v1/performance/cache/stats')).body.hits).toBeGreaterThan(0)
    await test.upload(RETURNS.replace('15 days', '21 days'), 'returns.md', { register: 'true' })
    expect((await ask(question)).body.reply).toContain('21 days')
  })

  it('replays the first answer to an Idempotency-Key and refuses the key with another body', async () => {
    const headers = { 'idempotency-key': 'once-1' }
    const body = { message: 'What is the return window?', session_id: 'idempotent' }
    const [first, second] = await Promise.all([0, 1].map(() => test.call('POST', '/api/v1/chat', body, headers)))
    expect(second?.body).toEqual(first?.body)
    expect((await test.call('POST', '/api/v1/chat', { ...body, message: 'other' }, headers)).status).toBe(422)
    const { body: seen } = await test.call('GET', '/api/v1/chat/sessions/idempotent/messages')
    expect(seen.messages).toHaveLength(2)
  })
})

function parseEvents(text: string): { event: string; data: { content?: string; [name: string]: unknown } }[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n')
      return { event: event.slice(7), data: JSON.parse(data.slice(6)) }
    })
}
