import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { logInAs } from '../support/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { createReceiver, isSigned, type Receiver } from '../support/webhook-receiver.ts'

const API_KEY = 'a secret of 24 characters'
const WEBHOOKS = '/api/v1/webhooks'
const SECRET = Buffer.alloc(32, 7).toString('base64')

let test: TestApp
let receiver: Receiver
const made: string[] = []
beforeAll(async () => {
  test = await createTestApp({
    API_KEY,
    WEBHOOK_HOSTS: '127.0.0.1',
    WEBHOOK_RETRY_SECONDS: '1',
    WEBHOOK_TIMEOUT_MS: '500',
  })
  receiver = await createReceiver()
})
afterEach(async () => {
  for (const id of made.splice(0)) await test.call('DELETE', `${WEBHOOKS}/${id}`)
})
afterAll(async () => {
  await test.close()
  await receiver.close()
})

async function add(given: object = {}) {
  const { status, body } = await test.call('POST', WEBHOOKS, { url: receiver.url, events: ['*'], ...given })
  if (status !== 201) throw new Error(JSON.stringify(body))
  made.push(body.webhook_id)
  return body as { webhook_id: string; secret: string }
}
const of = (type: string) => receiver.all.filter((event) => event.type === type)
let sessions = 0
const callPerson = async () => {
  const session_id = `hooked-${sessions++}`
  await test.call('POST', '/api/v1/chat', { session_id, user_id: 'mei', message: 'I want to talk to a person' })
  return session_id
}

describe('what happens', () => {
  it('to a conversation is told in order, signed, without what was said', async () => {
    const { secret } = await add()
    const session_id = await callPerson()
    const agent = (path: string, body: object = {}) =>
      test.call('POST', `/api/v1/agent/sessions/${session_id}/${path}`, body)
    await agent('accept', { agent_id: 'ann' })
    await agent('release', {})
    await agent('accept', { agent_id: 'bob' })
    await agent('resolve', { note: 'Found it' })
    await test.call('POST', `/api/v1/chat/sessions/${session_id}/rating`, { score: 4, comment: 'Kind', user_id: 'mei' })
    await expect.poll(() => of('conversation.rated').length).toBe(1)
    const told = receiver.all.filter(({ data }) => data.session_id === session_id)
    expect(told.map(({ type, data: { agent_id, status, score } }) => [type, agent_id, status ?? score])).toEqual([
      ['conversation.waiting', null, 'pending'],
      ['conversation.assigned', 'ann', 'assigned'],
      ['conversation.waiting', null, 'pending'],
      ['conversation.assigned', 'bob', 'assigned'],
      ['conversation.resolved', 'bob', 'resolved'],
      ['conversation.rated', 'bob', 4],
    ])
    expect(told.map(({ sequence }) => sequence)).toEqual(told.map(({ sequence }) => sequence).toSorted((a, b) => a - b))
    expect(told[0]?.data).toMatchObject({
      channel: 'web',
      priority: 'medium',
      reason: 'customer_request',
      change: 'handoff',
    })
    for (const event of told) {
      expect(isSigned(event, secret)).toBe(true)
      expect(isSigned(event, SECRET)).toBe(false)
      expect(event.headers['webhook-id']).toBe(event.id)
    }
    expect(JSON.stringify(told.map(({ body }) => body))).not.toMatch(/mei|talk to|Found it|Kind/)
  })

  it('to gaps, solutions and alerts is told, too', async () => {
    await add({ events: ['gap.found', 'solution.approved', 'alert.fired', 'alert.resolved'] })
    await test.call('POST', '/api/v1/chat', { message: 'Do you sell submarine insurance for parrots?' })
    await test.call('GET', '/api/v1/knowledge/gaps')
    const draft = { session_id: 's', question: 'Where is the shop?', solution: 'In Hangzhou.', intent: 'faq' }
    const { body } = await test.call('POST', '/api/v1/escalation/solution', draft)
    await test.call('POST', `/api/v1/escalation/solutions/${body.solution_id}/approve`, { reviewer: 'ann' })
    await sql`insert into alerts (alert_id, level, source, message, details, fingerprint, created_at, last_seen_at)
      values ('alert_1', 'error', 'turns', 'Slow', '{}', 'slow', now(), now())`.execute(test.db.executor)
    await sql`update alerts set resolved_at = now() where alert_id = 'alert_1'`.execute(test.db.executor)
    await sql`insert into alert_silences (fingerprint, until, silenced_at)
      values ('slow', now() + interval '1 hour', now())`.execute(test.db.executor)
    await sql`insert into alerts (alert_id, level, source, message, details, fingerprint, created_at, last_seen_at)
      values ('alert_2', 'error', 'turns', 'Slow', '{}', 'slow', now(), now())`.execute(test.db.executor)
    await expect.poll(() => of('alert.resolved').length).toBe(1)
    await expect.poll(() => [of('gap.found').length, of('solution.approved').length]).toEqual([1, 1])
    expect(of('solution.approved')[0]?.data).toMatchObject({
      solution_id: body.solution_id,
      doc_id: expect.any(String),
    })
    expect(of('alert.fired').map(({ data }) => data.alert_id)).toEqual(['alert_1'])
  })

  it('is told to those alone that want it, and nothing of it while nobody does', async () => {
    await add({ events: ['conversation.resolved'] })
    const before = receiver.all.length
    await callPerson()
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from webhook_events
      where session_id = ${`hooked-${sessions - 1}`}`.execute(test.db.executor)
    expect([rows[0]?.n, receiver.all.length]).toEqual([0, before])
  })
})

describe('a webhook', () => {
  it('is made with a secret that is shown once, or with its own', async () => {
    const { webhook_id, secret } = await add({ description: 'Team chat' })
    expect(secret).toMatch(/^whsec_/)
    const { body } = await test.call('GET', `${WEBHOOKS}/${webhook_id}`)
    expect(body).toMatchObject({ description: 'Team chat', is_active: true, failures: 0, events: ['*'] })
    expect(JSON.stringify((await test.call('GET', WEBHOOKS)).body)).not.toContain(secret)
    const own = await test.call('POST', WEBHOOKS, {
      url: receiver.url,
      events: ['*'],
      secret: SECRET,
      is_active: false,
    })
    made.push(own.body.webhook_id)
    expect(own.body).toMatchObject({ secret: `whsec_${SECRET}`, is_active: false })
    expect((await test.call('POST', `${WEBHOOKS}/${own.body.webhook_id}/test`)).status).toBe(409)
  })

  it.each([
    [{ events: ['*'] }, /^url: is required/],
    [{ url: 'ftp://x', events: ['*'] }, /^url: must be/],
    [{ url: 'https://u:p@x.example', events: ['*'] }, /^url: must be/],
    [{ url: 'https://x.example' }, /^events: is required/],
    [{ url: 'https://x.example', events: [] }, /^events/],
    [{ url: 'https://x.example', events: ['no.such'] }, /^events/],
    [{ url: 'https://x.example', events: ['*'], secret: 'short' }, /^secret: must be/],
  ])('is refused: %j', async (body, detail) => {
    expect(await test.call('POST', WEBHOOKS, body)).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(detail) },
    })
  })

  it('signs with both secrets for a while after a change', async () => {
    const { webhook_id, secret } = await add()
    const second = (await test.call('POST', `${WEBHOOKS}/${webhook_id}/rotate-secret`, { grace_hours: 1 })).body.secret
    await test.call('POST', `${WEBHOOKS}/${webhook_id}/test`)
    await expect.poll(() => of('test').length).toBe(1)
    const [event] = of('test') as [Receiver['all'][0]]
    expect([isSigned(event, secret), isSigned(event, second)]).toEqual([true, true])
    const third = await test.call('POST', `${WEBHOOKS}/${webhook_id}/rotate-secret`, { grace_hours: 0, secret: SECRET })
    expect(third.body.secret).toBe(`whsec_${SECRET}`)
    await test.call('POST', `${WEBHOOKS}/${webhook_id}/test`)
    await expect.poll(() => of('test').length).toBe(2)
    expect(isSigned(of('test')[1] as Receiver['all'][0], second)).toBe(false)
  })

  it('is changed and removed, by admins alone, and all of it is in the audit log without the secret', async () => {
    const ann = await logInAs(test, 'ann', 'admin')
    const bob = await logInAs(test, 'bob', 'editor')
    const { webhook_id } = await add()
    expect((await bob.call('GET', WEBHOOKS)).status).toBe(403)
    const changed = await ann.call('PUT', `${WEBHOOKS}/${webhook_id}`, { is_active: false, events: ['gap.found'] })
    expect(changed.body).toMatchObject({ is_active: false, events: ['gap.found'], url: receiver.url })
    expect((await test.call('PUT', `${WEBHOOKS}/${webhook_id}`, { url: 'nowhere' })).status).toBe(422)
    expect((await ann.call('DELETE', `${WEBHOOKS}/${webhook_id}`)).status).toBe(200)
    expect(JSON.stringify((await test.call('GET', '/api/v1/console/audit')).body)).not.toContain('whsec_')
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/1'],
      ['POST', '/test'],
      ['POST', '/deliveries/1/replay'],
    ] as const) {
      expect((await test.call(method, `${WEBHOOKS}/${webhook_id}${path}`)).status).toBe(404)
    }
    expect((await test.call('PUT', `${WEBHOOKS}/${webhook_id}`, {})).status).toBe(404)
    expect((await test.call('POST', `${WEBHOOKS}/${webhook_id}/rotate-secret`, {})).status).toBe(404)
    const since = new Date().toISOString()
    expect((await test.call('POST', `${WEBHOOKS}/${webhook_id}/replay`, { since })).status).toBe(404)
  })

  it('at a private address that nobody has allowed gets nothing', async () => {
    const { webhook_id } = await add({ url: 'http://localhost:8088/x' })
    await test.call('POST', `${WEBHOOKS}/${webhook_id}/test`)
    const seen = async () => (await test.call('GET', `${WEBHOOKS}/${webhook_id}/deliveries`)).body.deliveries[0]
    await expect.poll(async () => (await seen()).last_error).toMatch(/private address/)
    expect(await seen()).toMatchObject({ state: 'waiting', last_status: null })
  })
})

describe('deliveries', () => {
  it('are listed with filters and pages, and shown with every attempt', async () => {
    const answers = [500, 301, 200]
    const moody = await createReceiver((response) => {
      const status = answers.shift() ?? 200
      response.writeHead(status, { location: receiver.url }).end(`moody ${status}`)
      return status === 200
    })
    try {
      const { webhook_id } = await add({ url: moody.url })
      const begun = await test.call('POST', `${WEBHOOKS}/${webhook_id}/test`)
      expect(begun).toMatchObject({ status: 202, body: { type: 'test', state: 'waiting' } })
      const path = `${WEBHOOKS}/${webhook_id}/deliveries`
      const one = async () => (await test.call('GET', `${path}/${begun.body.delivery_id}`)).body
      await expect.poll(async () => (await one()).state, { timeout: 20_000 }).toBe('sent')
      const { tries, body, attempts, last_status } = await one()
      expect(tries).toMatchObject([
        { status: 500, error: 'answered 500', answer: 'moody 500' },
        { status: 301, error: 'answered 301' },
        { status: 200, error: null, answer: 'moody 200' },
      ])
      expect([attempts, last_status]).toEqual([3, 200])
      expect(moody.all.map((event) => event.body)).toEqual([body, body, body])
      expect(new Set(moody.all.map(({ headers }) => headers['webhook-id'])).size).toBe(1)

      await test.call('POST', `${WEBHOOKS}/${webhook_id}/test`)
      await expect.poll(() => moody.taken.length).toBe(2)
      const first = (await test.call('GET', `${path}?limit=1`)).body
      const second = (await test.call('GET', `${path}?limit=1&before=${first.next}`)).body
      expect([first.deliveries.length, second.deliveries[0].delivery_id, second.next]).toEqual([
        1,
        begun.body.delivery_id,
        null,
      ])
      expect((await test.call('GET', `${path}?state=failed`)).body.deliveries).toEqual([])
      expect((await test.call('GET', `${path}?type=gap.found`)).body.deliveries).toEqual([])
      expect((await test.call('GET', `${path}?state=lost`)).status).toBe(400)
      expect((await test.call('GET', `${path}?limit=0`)).status).toBe(422)
    } finally {
      await moody.close()
    }
  }, 30_000)

  it('are sent again on request, alone or all that failed', async () => {
    const { webhook_id } = await add()
    const path = `${WEBHOOKS}/${webhook_id}/deliveries`
    const { delivery_id } = (await test.call('POST', `${WEBHOOKS}/${webhook_id}/test`)).body
    const state = async () => (await test.call('GET', `${path}/${delivery_id}`)).body.state
    await expect.poll(state).toBe('sent')
    const count = of('test').length
    expect((await test.call('POST', `${path}/${delivery_id}/replay`)).status).toBe(202)
    await expect.poll(() => of('test').length).toBe(count + 1)
    expect(of('test').at(-1)?.id).toBe(of('test').at(-2)?.id)

    await expect.poll(state).toBe('sent')
    await sql`update webhook_deliveries set state = 'failed' where delivery_id = ${delivery_id}`.execute(
      test.db.executor,
    )
    const replay = (since: unknown) => test.call('POST', `${WEBHOOKS}/${webhook_id}/replay`, { since })
    expect((await replay('yesterday')).status).toBe(422)
    expect((await replay(new Date(Date.now() + 60_000).toISOString())).body).toEqual({ replayed: 0 })
    expect((await replay(new Date(Date.now() - 60_000).toISOString())).body).toEqual({ replayed: 1 })
    await expect.poll(() => of('test').length).toBe(count + 2)
  })

  it('that nobody takes for days are given up, and their webhook is switched off with an alert', async () => {
    const dead = await createReceiver((response) => {
      response.writeHead(503).end()
      return false
    })
    try {
      const { webhook_id } = await add({ url: dead.url })
      await test.call('POST', `${WEBHOOKS}/${webhook_id}/test`)
      await dead.waitFor(1)
      const shown = async () => (await test.call('GET', `${WEBHOOKS}/${webhook_id}`)).body
      await expect.poll(async () => (await shown()).failures).toBe(1)
      expect((await shown()).failing_since).not.toBeNull()
      await sql`update webhooks set failing_since = now() - interval '73 hours', paused_until = null
        where webhook_id = ${webhook_id}`.execute(test.db.executor)
      await sql`update webhook_deliveries set created_at = now() - interval '73 hours', next_attempt_at = now()
        where webhook_id = ${webhook_id}`.execute(test.db.executor)
      await expect.poll(async () => (await shown()).is_active, { timeout: 5_000 }).toBe(false)
      expect((await shown()).disabled_reason).toBe('took nothing for 72 hours, last: answered 503')
      const { deliveries } = (await test.call('GET', `${WEBHOOKS}/${webhook_id}/deliveries?state=failed`)).body
      expect(deliveries).toHaveLength(1)
      const alerts = async () => (await test.call('GET', '/api/v1/observability/alerts')).body
      await expect.poll(async () => JSON.stringify(await alerts())).toContain(webhook_id)
      const back = await test.call('PUT', `${WEBHOOKS}/${webhook_id}`, { is_active: true })
      expect(back.body).toMatchObject({ is_active: true, failures: 0, failing_since: null, disabled_reason: null })
    } finally {
      await dead.close()
    }
  }, 30_000)
})

it('forgets what it told of a customer who is erased', async () => {
  await add()
  const session_id = await callPerson()
  await expect.poll(() => receiver.all.some(({ data }) => data.session_id === session_id)).toBe(true)
  await test.call('DELETE', '/api/v1/customers/mei')
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from webhook_events
    where session_id = ${session_id}`.execute(test.db.executor)
  expect(rows[0]?.n).toBe(0)
})
