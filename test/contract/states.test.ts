import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Transitions of a session that people help with, from every state. */
describe('states of a session', () => {
  let test: TestApp
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())

  const act = (id: string, action: string) =>
    test.call('POST', `/api/v1/agent/sessions/${id}/${action}`, action === 'messages' ? { content: 'Hello' } : {})
  const cancel = (id: string) => test.call('POST', `/api/v1/chat/sessions/${id}/handoff/cancel`)
  const ask = (id: string, message = 'I want to talk to a person') =>
    test.call('POST', '/api/v1/chat', { message, session_id: id })
  const stateOf = async (id: string) => (await test.call('GET', `/api/v1/agent/sessions/${id}`)).body.agent_status

  const PATHS: Record<string, string[]> = {
    none: [],
    pending: ['ask'],
    assigned: ['ask', 'accept'],
    resolved: ['ask', 'accept', 'resolve'],
  }
  async function sessionIn(state: string): Promise<string> {
    const id = `${state}-${count++}`
    await ask(id, 'hello')
    for (const step of PATHS[state] ?? []) await (step === 'ask' ? ask(id) : act(id, step))
    expect(await stateOf(id)).toBe(state)
    return id
  }

  it.each([
    ['none', 'accept', 409, 'none'],
    ['none', 'messages', 409, 'none'],
    ['none', 'resolve', 409, 'none'],
    ['pending', 'accept', 200, 'assigned'],
    ['pending', 'messages', 409, 'pending'],
    ['pending', 'resolve', 409, 'pending'],
    ['assigned', 'accept', 409, 'assigned'],
    ['assigned', 'messages', 200, 'assigned'],
    ['assigned', 'resolve', 200, 'resolved'],
    ['resolved', 'accept', 409, 'resolved'],
    ['resolved', 'messages', 409, 'resolved'],
    ['resolved', 'resolve', 409, 'resolved'],
  ])('%s: %s answers %d and leaves it %s', async (from, action, status, to) => {
    const id = await sessionIn(from)
    const before = (await test.call('GET', `/api/v1/agent/sessions/${id}`)).body.history.length
    const answer = await act(id, action)
    expect(answer.status).toBe(status)
    if (status === 409) expect(Object.keys(answer.body)).toEqual(['detail'])
    expect(await stateOf(id)).toBe(to)
    const after = (await test.call('GET', `/api/v1/agent/sessions/${id}`)).body.history.length
    expect(after - before).toBe(status === 200 ? 1 : 0)
  })

  it.each([
    ['none', 409, 'none'],
    ['pending', 200, 'none'],
    ['assigned', 409, 'assigned'],
    ['resolved', 409, 'resolved'],
  ])('%s: a customer who cancels is answered %d', async (from, status, to) => {
    const id = await sessionIn(from)
    expect((await cancel(id)).status).toBe(status)
    expect(await stateOf(id)).toBe(to)
  })

  it('knows no request of an unknown session', async () => {
    expect(await cancel('nobody')).toMatchObject({ status: 404, body: { detail: expect.any(String) } })
  })

  it('a new call for a person after the end begins anew', async () => {
    const id = await sessionIn('resolved')
    await ask(id)
    const { body } = await test.call('GET', `/api/v1/agent/sessions/${id}`)
    expect(body).toMatchObject({ agent_status: 'pending', agent_id: null, note: null, resolved_at: null })
    expect((await act(id, 'accept')).status).toBe(200)
  })

  it('of twenty people at once exactly one gets the session, and of twenty ends one counts', async () => {
    const id = await sessionIn('pending')
    const statuses = async (action: string) =>
      (await Promise.all(Array.from({ length: 20 }, () => act(id, action)))).map(({ status }) => status).toSorted()
    const once = [200, ...Array.from({ length: 19 }, () => 409)]
    expect(await statuses('accept')).toEqual(once)
    expect(await statuses('resolve')).toEqual(once)
  })

  it('messages and an end at the same time: what was acknowledged is there, nothing after the end', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await sessionIn('assigned')
      const texts = Array.from({ length: 6 }, (_, i) => `message ${i}`)
      const write = (content: string) => test.call('POST', `/api/v1/agent/sessions/${id}/messages`, { content })
      const [end, ...sent] = await Promise.all([act(id, 'resolve'), ...texts.map(write)])
      expect(end.status).toBe(200)
      const history: { role: string; content: string; message_id: string; event?: string }[] = (
        await test.call('GET', `/api/v1/agent/sessions/${id}`)
      ).body.history
      const acknowledged = sent.filter(({ status }) => status === 200).map(({ body }) => body.message_id)
      const stored = history.filter(({ role }) => role === 'agent').map(({ message_id }) => message_id)
      expect(stored.toSorted()).toEqual(acknowledged.toSorted())
      expect(history.at(-1)?.event).toBe('resolved')
    }
  })
})

describe('a session that nobody takes', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ HANDOFF_TIMEOUT_SECONDS: '1' })
  })
  afterAll(() => test.close())

  it.each([
    ['zh', '请转人工客服', '抱歉'],
    ['en', 'talk to a person please', 'Sorry'],
  ])('goes back to the assistant, and the customer is told: %s', async (id, message, told) => {
    await test.call('POST', '/api/v1/chat', { message, session_id: id })
    const read = async () => (await test.call('GET', `/api/v1/agent/sessions/${id}`)).body
    while ((await read()).agent_status === 'pending') await sleep(50)
    const body = await read()
    expect(body.agent_status).toBe('none')
    const last = body.history.at(-1)
    expect(last).toMatchObject({ role: 'system', event: 'returned', content: expect.stringContaining(told) })
    expect((await test.call('POST', `/api/v1/agent/sessions/${id}/accept`)).status).toBe(409)
    const answer = await test.call('POST', '/api/v1/chat', { message: '你好', session_id: id })
    expect(answer.body.data.escalate_to_human).toBe(false)
  })
})
