import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The Chat and Events parts of the specification, rule by rule. */
describe('the chat contract', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ API_KEY: 'secret' })
    await test.upload('# Hours\n\n## When is the shop open?\n\nFrom 9:00 to 18:00, Monday to Saturday.\n', 'hours.md')
  })
  afterAll(() => test.close())

  const question = 'When is the shop open?'
  const ask = (body: object, headers = {}) => test.call('POST', '/api/v1/chat', body, headers)
  const stream = async (body: object) => {
    const headers = { 'x-api-key': 'secret', accept: 'text/event-stream' }
    return test.app.inject({ method: 'POST', url: '/api/v1/chat/stream', payload: body, headers })
  }

  it('answers with every field of ChatResponse, of the right type', async () => {
    const { status, body } = await ask({ message: question })
    expect(status).toBe(200)
    expect(body).toMatchObject({ session_id: expect.any(String), reply: expect.any(String), status: 'ok' })
    expect(body.data).toMatchObject({
      intent: expect.any(String),
      sources: [{ source: 'hours.md', score: expect.any(Number) }],
      escalate_to_human: false,
      escalation_card: null,
      turn_count: 1,
      failed_attempts: 0,
      emotion_score: expect.any(Number),
      sub_tasks: [expect.objectContaining({ status: 'done' })],
    })
  })

  it('makes a session when none is named, empty or null, and keeps the one that is', async () => {
    const ids = await Promise.all(
      [{}, { session_id: '' }, { session_id: null }].map((more) => ask({ message: question, ...more })),
    )
    expect(new Set(ids.map(({ body }) => body.session_id)).size).toBe(3)
    expect((await ask({ message: question, session_id: 'mine' })).body.session_id).toBe('mine')
    expect((await ask({ message: question, session_id: 'mine' })).body.data.turn_count).toBe(2)
  })

  it.each(['web', 'app', 'wechat', 'dingtalk', 'api'])('takes the channel %s', async (channel) => {
    expect((await ask({ message: question, channel })).status).toBe(200)
  })

  it.each([
    [{}],
    [{ message: '' }],
    [{ message: null }],
    [{ message: 7 }],
    [{ message: ['a'] }],
    [{ message: question, channel: 'fax' }],
    [{ message: question, channel: 3 }],
    [{ message: question, session_id: 5 }],
    [{ message: question, user_id: {} }],
    [{ message: 'x'.repeat(8_001) }],
  ])('refuses %j with 422 on both endpoints, and stores nothing', async (body) => {
    const plain = await ask(body)
    expect(plain).toMatchObject({ status: 422, body: { detail: expect.any(String) } })
    const streamed = await stream(body)
    expect(streamed.statusCode).toBe(422)
    expect(Object.keys(streamed.json())).toEqual(['detail'])
  })

  it('ignores unknown fields and takes the longest message', async () => {
    expect((await ask({ message: question, colour: 'blue' })).status).toBe(200)
    expect((await ask({ message: `${question} ${'x'.repeat(7_900)}` })).status).toBe(200)
  })

  it('wants the key before it looks at the body', async () => {
    const headers = { 'x-api-key': 'wrong' }
    const answer = await ask({ nonsense: true }, headers)
    expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid or missing API key' } })
  })

  it('streams meta first, then tokens, then done, as server-sent events', async () => {
    const response = await stream({ message: question })
    expect(response.statusCode).toBe(200)
    expect(response.headers['x-accel-buffering']).toBe('no')
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/)
    const blocks = response.body.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'))
    for (const block of blocks) expect(block).toMatch(/^event: (meta|token|done)\ndata: \{.*\}$/)
    const events = blocks.map((block) => {
      const [event = '', data = ''] = block.split('\n')
      return { event: event.slice(7), data: JSON.parse(data.slice(6)) }
    })
    expect(events[0]).toMatchObject({ event: 'meta', data: { intent: expect.any(String), sources: expect.any(Array) } })
    expect(events.at(-1)).toMatchObject({
      event: 'done',
      data: { turn_count: 1, escalate: false, answer: expect.any(String) },
    })
    const tokens = events.slice(1, -1)
    expect(tokens.every(({ event }) => event === 'token')).toBe(true)
    expect(tokens.map(({ data }) => data.content).join('')).toBe(events.at(-1)?.data.answer)
  })

  it('names in each reply the trace in which every step of its turn is found, in order and within their times', async () => {
    const { body } = await ask({ message: question })
    const streamed = (await stream({ message: question })).body
    const ids = [...streamed.matchAll(/"trace_id":"([^"]+)"/g)].map(([, id]) => id)
    expect([ids.length > 1, new Set(ids).size]).toEqual([true, 1])
    const { body: trace } = await test.call('GET', `/api/v1/monitor/traces/${body.data.trace_id}`)
    expect(trace).toMatchObject({ trace_id: body.data.trace_id, session_id: body.session_id, status: 'ok' })
    const steps: { step_id: string; parent_id: string | null; name: string; duration_ms: number }[] = trace.steps
    const outer = steps.filter(({ parent_id }) => parent_id === null)
    expect(outer.map(({ name }) => name).join(' ')).toMatch(/^understand route cache (?:answer decide )?render store$/)
    expect(outer.reduce((sum, { duration_ms }) => sum + duration_ms, 0)).toBeLessThanOrEqual(trace.duration_ms)
    const ours = new Map(steps.map((step) => [step.step_id, step]))
    for (const { parent_id, duration_ms } of steps) {
      if (parent_id !== null) expect(duration_ms).toBeLessThanOrEqual(ours.get(parent_id)?.duration_ms ?? -1)
    }
  })

  it('reports a failure while streaming as an event in a 200 response', async () => {
    const broken = await createTestApp()
    await broken.db.close()
    const response = await broken.app.inject({
      method: 'POST',
      url: '/api/v1/chat/stream',
      payload: { message: question },
    })
    expect(response.statusCode).toBe(200)
    expect(response.body).toMatch(/^event: meta\ndata: \{.+\}\n\nevent: error\ndata: \{"message":".+"\}\n\n$/)
    await broken.close()
  })

  it('escalates on request, in both languages, with a card', async () => {
    for (const message of ['I want to talk to a person', '我要转人工客服']) {
      const { body } = await ask({ message })
      expect(body.data).toMatchObject({ escalate_to_human: true, escalation_card: { reason: 'customer_request' } })
    }
  })
})
