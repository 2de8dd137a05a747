import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const ORDERS = [
  {
    order_id: '#W5000001',
    user_id: 'mei_chen_1042',
    first_name: 'Mei',
    last_name: 'Chen',
    email: 'mei.chen1042@example.com',
    status: 'delivered',
    items: [{ name: 'Desk Lamp', price: 47.84, options: { color: 'blue' } }],
    total: 47.84,
    tracking_ids: ['357962501027'],
    payment_history: [{ transaction_type: 'payment', amount: 47.84, payment_method_id: 'gift_card_1725971' }],
    address: { address1: '215 River Road', address2: 'Suite 991', city: 'New York', zip: '10083' },
  },
  { order_id: '#W5000002', user_id: 'mei_chen_1042', status: 'pending', items: ['Notebook'], total: 12 },
]
const CUSTOMERS = [{ user_id: 'mei_chen_1042', name: 'Mei Chen', email: 'mei.chen1042@example.com' }]

describe('agent assist', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
    await test.upload(
      '# Warranty\n\n## How long is the warranty?\n\nEvery lamp has a warranty of two years.\n',
      'warranty.md',
    )
    for (const [kind, records] of Object.entries({ customers: CUSTOMERS, orders: ORDERS })) {
      const { body, contentType } = encodeForm(JSON.stringify(records), `${kind}.json`, { kind })
      const loaded = await test.call('POST', '/api/v1/business/import', body, { 'content-type': contentType })
      expect(loaded).toMatchObject({ status: 200, body: { kind, imported: records.length, failed: 0, errors: [] } })
    }
  })
  afterAll(() => test.close())

  const agent = (sessionId: string, action = '', body?: unknown) =>
    test.call('POST', `/api/v1/agent/sessions/${sessionId}/${action}`, body)
  const detail = async (sessionId: string) => (await test.call('GET', `/api/v1/agent/sessions/${sessionId}`)).body
  const say = (sessionId: string, message: string, userId = 'mei_chen_1042') =>
    test.call('POST', '/api/v1/chat', { message, session_id: sessionId, user_id: userId })
  const pendingIds = async (): Promise<string[]> => {
    const { body } = await test.call('GET', '/api/v1/agent/sessions/pending')
    return body.map(({ session_id }: { session_id: string }) => session_id)
  }

  it('lists who waits, the most pressing first', async () => {
    await say('calm-1', 'I want to talk to a person')
    await say('calm-2', '请转人工客服')
    await say('burning', 'The charger caught fire and burned my hand, I want a person')
    const { status, body } = await test.call('GET', '/api/v1/agent/sessions/pending')
    expect(status).toBe(200)
    expect(body[0]).toMatchObject({ session_id: 'burning', priority: 'urgent' })
    expect(body.map(({ session_id }: { session_id: string }) => session_id)).toEqual(['burning', 'calm-1', 'calm-2'])
    expect(body[1]).toEqual({
      session_id: 'calm-1',
      user_id: 'mei_chen_1042',
      channel: 'web',
      agent_status: 'pending',
      priority: expect.stringMatching(/^(?:low|medium|high|urgent)$/),
      turn_count: 1,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      escalated_at: expect.stringMatching(/Z$/),
    })
  })

  it('shows a session with its card and everything that was said, masked', async () => {
    await say('shown', 'How long is the warranty?')
    await say('shown', 'My phone is 13800138000. I want to talk to a person')
    const body = await detail('shown')
    expect(body).toMatchObject({
      session_id: 'shown',
      agent_status: 'pending',
      turn_count: 2,
      agent_id: null,
      note: null,
      resolved_at: null,
      escalation_card: { session_id: 'shown', reason: 'customer_request', turn_count: 2 },
    })
    expect(body.history.map(({ role }: { role: string }) => role).slice(0, 3)).toEqual(['user', 'assistant', 'user'])
    expect(body.history[1]).toMatchObject({ content: expect.stringContaining('two years'), intent: expect.any(String) })
    expect(body.history[1].sources[0]).toMatchObject({ source: 'warranty.md', score: expect.any(Number) })
    expect(JSON.stringify(body)).not.toContain('13800138000')
  })

  it('shows all of a long conversation, however long ago it was', async () => {
    await say('long', 'I want to talk to a person')
    await sql`insert into chat_messages (message_id, session_id, role, content, created_at)
      select 'long-' || n, 'long', 'user', 'line ' || n, now() - interval '3 years'
      from generate_series(1, 1203) n`.execute(test.db.executor)
    await sql`update chat_sessions set created_at = now() - interval '3 years', updated_at = now() - interval '3 years'
      where session_id = 'long'`.execute(test.db.executor)
    const lines = (await detail('long')).history.filter(({ content }: { content: string }) => /^line/.test(content))
    expect(lines.map(({ content }: { content: string }) => content)).toEqual(
      Array.from({ length: 1_203 }, (_, i) => `line ${i + 1}`),
    )
  })

  it('shows a session that was never handed over', async () => {
    await say('plain', 'How long is the warranty?')
    expect(await detail('plain')).toMatchObject({ agent_status: 'none', escalation_card: null, agent_id: null })
  })

  it('takes a session, writes, resolves; the customer reads along', async () => {
    await say('whole', 'talk to a person please')
    const accepted = await agent('whole', 'accept', { agent_id: 'agent-7' })
    expect(accepted).toMatchObject({
      status: 200,
      body: { session_id: 'whole', agent_status: 'assigned', agent_id: 'agent-7' },
    })
    expect(await pendingIds()).not.toContain('whole')
    const sent = await agent('whole', 'messages', { content: 'Hello, this is Ann. 13900139000 is my number.' })
    expect(sent.body).toEqual({
      message_id: expect.any(String),
      role: 'agent',
      timestamp: expect.stringMatching(/Z$/),
    })
    const answer = await say('whole', 'How long is the warranty?')
    expect(answer.body.data).toMatchObject({ escalate_to_human: true, sources: [] })
    expect(answer.body.reply).not.toContain('two years')
    expect((await agent('whole', 'resolve', { note: 'told' })).body).toMatchObject({
      agent_status: 'resolved',
      note: 'told',
    })
    const body = await detail('whole')
    expect(body).toMatchObject({ agent_status: 'resolved', note: 'told', resolved_at: expect.stringMatching(/Z$/) })
    const said = body.history.map(({ role, event }: { role: string; event?: string }) => event ?? role)
    expect(said.slice(-4)).toEqual(['accepted', 'agent', 'user', 'resolved'])
    // A person's own words stay as they are.
    expect(JSON.stringify(body.history)).toContain('13900139000')
    expect((await say('whole', 'How long is the warranty?')).body.reply).toContain('two years')
  })

  it('takes bodies that are optional in every form', async () => {
    for (const [index, body] of [undefined, {}, null, { agent_id: null }].entries()) {
      const id = `optional-${index}`
      await say(id, 'talk to a person please')
      const headers = { 'content-type': 'application/json' }
      const payload = body === undefined ? undefined : JSON.stringify(body)
      const call = (action: string) =>
        test.call('POST', `/api/v1/agent/sessions/${id}/${action}`, payload, payload === undefined ? {} : headers)
      expect(await call('accept')).toMatchObject({ status: 200, body: { agent_id: null } })
      expect(await call('resolve')).toMatchObject({ status: 200, body: { agent_status: 'resolved', note: null } })
    }
  })

  it.each([
    ['accept', { agent_id: 7 }, 'agent_id: must be string'],
    ['messages', {}, 'content: is required'],
    ['messages', { content: '' }, 'content: must not have fewer than 1 characters'],
    ['messages', { content: ' \n' }, 'content: must not be blank'],
    ['messages', { content: 'x'.repeat(8_001) }, 'content: must not have more than 8000 characters'],
    ['resolve', { note: [] }, 'note: must be string'],
    ['solution', { question: 'q' }, 'solution: is required'],
    ['solution', { question: '', solution: 's' }, 'question: must not have fewer than 1 characters'],
    ['solution', { question: 'q', solution: '' }, 'solution: must not have fewer than 1 characters'],
    ['solution', { question: ' ', solution: 's' }, 'question: must not be blank'],
    ['knowledge-recommend', {}, 'query: is required'],
    ['knowledge-recommend', { query: 'q', top_k: 0 }, 'top_k: must be >= 1'],
    ['knowledge-recommend', { query: 'q', top_k: '5' }, 'top_k: must be integer'],
    ['business-assist', { query: 5 }, 'query: must be string'],
  ])('%s refuses %j before it looks the session up', async (action, body, reason) => {
    expect(await agent('no-such-session', action, body)).toMatchObject({ status: 422, body: { detail: reason } })
  })

  it('does not know a session that does not exist', async () => {
    expect((await test.call('GET', '/api/v1/agent/sessions/nobody')).status).toBe(404)
    for (const [action, body] of [
      ['accept', {}],
      ['messages', { content: 'x' }],
      ['resolve', {}],
      ['solution', { question: 'q', solution: 's' }],
    ] as const) {
      const { status, body: answer } = await agent('nobody', action, body)
      expect([action, status, answer]).toEqual([action, 404, { detail: 'No session has the session_id nobody' }])
    }
  })

  it('recommends passages to an unknown session too, five unless told otherwise', async () => {
    const { status, body } = await agent('nobody', 'knowledge-recommend', { query: 'How long is the warranty?' })
    expect(status).toBe(200)
    expect(body.total).toBe(body.chunks.length)
    expect(body.chunks[0]).toMatchObject({ content: expect.stringContaining('two years'), source: 'warranty.md' })
    expect(body.chunks[0].score).toBeGreaterThan(0.5)
  })

  it('looks orders up with every personal value masked', async () => {
    await say('lookup', 'I want to talk to a person')
    for (const query of ['Where is order #W5000001?', '订单 #W5000001 在哪里？']) {
      const { status, body } = await agent('lookup', 'business-assist', { query })
      expect(status).toBe(200)
      expect(body.result).toMatchObject({ error: null, need_confirmation: false, scene: expect.any(String) })
      expect(body.result.data.orders[0]).toMatchObject({
        order_id: '#W5000001',
        status: 'delivered',
        total: 47.84,
        tracking_ids: ['357962501027'],
      })
      expect(body.masked_fields).toEqual(
        expect.arrayContaining(['orders[0].email', 'orders[0].address.address1', 'orders[0].last_name']),
      )
      expect(JSON.stringify(body)).not.toMatch(/mei\.chen|River Road|Chen\b|gift_card_1725971/)
    }
  })

  it('says so when an order does not exist, and to unknown sessions as well', async () => {
    const { status, body } = await agent('nobody', 'business-assist', { query: 'Where is order #W5999999?' })
    expect(status).toBe(200)
    expect(body.result).toMatchObject({ data: { orders: [] }, error: expect.stringContaining('#W5999999') })
  })

  it('changes an order after a yes in the same session, and only then', async () => {
    await say('change', 'I want to talk to a person')
    await say('elsewhere', 'I want to talk to a person')
    const asked = await agent('change', 'business-assist', { query: 'Please cancel order #W5000002' })
    expect(asked.body.result).toMatchObject({ need_confirmation: true, scene: 'cancel', error: null })
    expect((await agent('elsewhere', 'business-assist', { query: 'yes' })).body.result.need_confirmation).toBe(false)
    // What the assistant asked the agent is no question to the customer.
    await agent('change', 'accept')
    const done = await agent('change', 'business-assist', { query: 'yes' })
    expect(done.body.result).toMatchObject({ need_confirmation: false, error: null })
    const after = await agent('change', 'business-assist', { query: 'Where is order #W5000002?' })
    expect(after.body.result.data.orders[0].status).toBe('cancelled')
  })

  it('submits solutions, with the intent given or found', async () => {
    await say('solved', 'I want to talk to a person')
    const given = { question: 'Can I return a lamp?', solution: 'Within 14 days.', intent: 'refund' }
    const first = await agent('solved', 'solution', given)
    expect(first).toMatchObject({ status: 200, body: { ...given, session_id: 'solved', status: 'pending' } })
    expect(first.body.created_at).toMatch(/Z$/)
    const second = await agent('solved', 'solution', { question: '快递多久能到？', solution: '三天。', intent: '' })
    expect(second.body.intent).toBe('logistics')
    const waiting = (await test.call('GET', '/api/v1/escalation/solutions/pending')).body
    const ids = waiting.map(({ solution_id }: { solution_id: string }) => solution_id)
    expect(ids).toEqual(expect.arrayContaining([first.body.solution_id, second.body.solution_id]))
  })

  describe('events of the workspace', () => {
    const streams: EventStream[] = []
    const open = async (query = '', headers = {}) => {
      const stream = await openEventStream(test.app, `/api/v1/agent/events${query}`, headers)
      streams.push(stream)
      return stream
    }
    afterAll(() => Promise.all(streams.map((stream) => stream.close())))
    const names = (stream: EventStream, id: string) =>
      stream.inbox.all.filter(({ data }) => data.session_id === id).map(({ event }) => event)

    it('tell of waiting sessions, messages and changes, and resume where a client left', async () => {
      const stream = await open()
      expect(stream.status).toBe(200)
      expect(stream.headers.get('content-type')).toContain('text/event-stream')
      await say('live', 'my mail is jo.doe@example.com, I want to talk to a person')
      const pending = await stream.waitFor(
        ({ event, data }) => event === 'session_pending' && data.session_id === 'live',
      )
      expect(pending.data).toMatchObject({ agent_status: 'pending', reason: 'customer_request' })
      await agent('live', 'accept', { agent_id: 'ann' })
      await say('live', 'are you there? my mail is jo.doe@example.com')
      const message = await stream.waitFor(({ event, data }) => event === 'message' && data.message.role === 'user')
      expect(message.data).toMatchObject({ session_id: 'live', agent_id: 'ann' })
      expect(message.data.message.content).toContain('are you there?')
      await agent('live', 'messages', { content: 'Yes!' })
      await agent('live', 'resolve')
      await stream.waitFor(({ event }) => event === 'session_resolved')
      const seen = ['session_pending', 'session_assigned', 'message', 'message', 'session_resolved']
      expect(names(stream, 'live')).toEqual(seen)
      expect(JSON.stringify(stream.inbox.all)).not.toContain('jo.doe@')

      const resumed = await open('', { 'last-event-id': pending.id })
      await resumed.waitFor(({ event }) => event === 'session_resolved')
      expect(names(resumed, 'live')).toEqual(seen.slice(1))
      await say('live', 'and again: talk to a person')
      await resumed.waitFor(({ event, data }) => event === 'session_pending' && data.session_id === 'live')
    })

    it("leave out what is said in other people's sessions, when told who is asking", async () => {
      const stream = await open('?agent_id=bob')
      for (const who of ['ann', 'bob']) {
        await say(`of-${who}`, 'talk to a person')
        await agent(`of-${who}`, 'accept', { agent_id: who })
        await say(`of-${who}`, 'hello?')
      }
      await agent('of-bob', 'resolve')
      await stream.waitFor(({ event, data }) => event === 'session_resolved' && data.session_id === 'of-bob')
      expect(names(stream, 'of-ann')).toEqual(['session_pending', 'session_assigned'])
      expect(names(stream, 'of-bob')).toEqual(['session_pending', 'session_assigned', 'message', 'session_resolved'])
    })

    it('answer no HEAD, which would never end', async () => {
      const response = await test.app.inject({ method: 'HEAD', url: '/api/v1/agent/events' })
      expect(response.statusCode).toBe(405)
    })

    it.each(['x', '-1', '1.5'])('refuse to resume after %j', async (id) => {
      expect((await test.call('GET', '/api/v1/agent/events', undefined, { 'last-event-id': id })).status).toBe(422)
    })
  })
})
