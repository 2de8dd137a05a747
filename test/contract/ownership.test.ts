import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'

let test: TestApp
let ann: Browser
let bob: Browser
let boss: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY, OWNER_IDLE_MINUTES: '10' })
  ann = await logInAs(test, 'ann', 'agent')
  bob = await logInAs(test, 'bob', 'agent')
  boss = await logInAs(test, 'boss', 'admin')
})
afterAll(() => test.close())

let sessions = 0

/** A conversation with the assistant, or one that waits for a person. */
async function conversation(message = 'Do you sell horses?'): Promise<string> {
  sessions += 1
  const { body } = await test.call('POST', '/api/v1/chat', { message, session_id: `talk-${sessions}`, user_id: 'mei' })
  return body.session_id
}
const waiting = () => conversation('I want to talk to a person')
const at = (id: string, action = '') => `/api/v1/agent/sessions/${id}${action && `/${action}`}`
const detail = async (id: string) => (await test.call('GET', at(id))).body
const write = (who: Browser, id: string, content = 'Hello') => who.call('POST', at(id, 'messages'), { content })
const events = async (id: string): Promise<string[]> => {
  const { history } = await detail(id)
  return history.flatMap(({ event }: { event?: string }) => event ?? [])
}

describe('a person who is logged in', () => {
  it('accepts and writes in their own name, whatever the body says', async () => {
    const id = await waiting()
    expect((await ann.call('POST', at(id, 'accept'), { agent_id: 'bob' })).body).toMatchObject({ agent_id: 'ann' })
    expect((await write(ann, id)).status).toBe(200)
    const { history } = await detail(id)
    expect(history.at(-1)).toMatchObject({ role: 'agent', agent_id: 'ann' })
  })

  it('writes and resolves in no session of others', async () => {
    const id = await waiting()
    await ann.call('POST', at(id, 'accept'))
    const refused = { status: 409, body: { detail: 'The session is with ann: take it over, or have it transferred' } }
    expect(await write(bob, id)).toMatchObject(refused)
    expect(await write(boss, id)).toMatchObject(refused)
    expect(await bob.call('POST', at(id, 'resolve'))).toMatchObject(refused)
    expect((await ann.call('POST', at(id, 'resolve'))).status).toBe(200)
    expect((await write(ann, id)).body).toEqual({ detail: 'The session is resolved, not assigned' })
  })

  it('looks up in a session of others, and changes nothing in it', async () => {
    const id = await waiting()
    await ann.call('POST', at(id, 'accept'))
    expect((await bob.call('POST', at(id, 'business-assist'), { query: 'Where is order #W1?' })).status).toBe(200)
    await sql`update chat_sessions set agent_pending = '{"kind":"x"}' where session_id = ${id}`.execute(
      test.db.executor,
    )
    expect((await bob.call('POST', at(id, 'business-assist'), { query: 'yes' })).status).toBe(409)
  })
})

describe('taking', () => {
  it('takes a session from the assistant, with a card', async () => {
    const id = await conversation()
    expect(await ann.call('POST', at(id, 'take'))).toMatchObject({
      status: 200,
      body: { agent_status: 'assigned', agent_id: 'ann' },
    })
    expect(await detail(id)).toMatchObject({
      agent_status: 'assigned',
      priority: 'low',
      escalation_card: {
        reason: 'taken',
        reason_detail: 'ann took it over.',
        turn_count: 1,
        customer_request: 'Do you sell horses?',
      },
    })
    expect(await events(id)).toEqual(['accepted'])
    await test.call('POST', '/api/v1/chat', { message: 'Hello?', session_id: id, user_id: 'mei' })
    const { history } = await detail(id)
    expect(history.at(-1)).toMatchObject({ role: 'user', content: 'Hello?' })
  })

  it('takes one that waits, with the card of its call, and one that was resolved', async () => {
    const id = await waiting()
    expect((await ann.call('POST', at(id, 'take'))).status).toBe(200)
    expect((await detail(id)).escalation_card).toMatchObject({ reason: 'customer_request' })
    await ann.call('POST', at(id, 'resolve'))
    expect((await bob.call('POST', at(id, 'take'))).body).toMatchObject({ agent_status: 'assigned', agent_id: 'bob' })
    expect((await detail(id)).resolved_at).toBeNull()
  })

  it('changes nothing of one’s own, and takes none of others but by force', async () => {
    const id = await waiting()
    await ann.call('POST', at(id, 'take'))
    expect((await ann.call('POST', at(id, 'take'))).status).toBe(200)
    expect(await events(id)).toEqual(['handoff', 'accepted'])
    expect((await bob.call('POST', at(id, 'take'))).status).toBe(409)
    expect((await bob.call('POST', at(id, 'take'), { force: true })).status).toBe(409)
    expect((await boss.call('POST', at(id, 'take'))).status).toBe(409)
    expect((await boss.call('POST', at(id, 'take'), { force: true })).body).toMatchObject({ agent_id: 'boss' })
    expect((await write(ann, id)).status).toBe(409)
    expect((await write(boss, id)).status).toBe(200)
    const { history } = await detail(id)
    expect(history.find(({ event }: { event?: string }) => event === 'transferred')).toMatchObject({
      from_agent_id: 'ann',
    })
  })

  it('gives a session to one of many who want it', async () => {
    const ids = [await waiting(), await conversation()]
    for (const id of ids) {
      const outcomes = await Promise.all(
        [ann, bob, boss, ann, bob, boss].map((who) => who.call('POST', at(id, 'take'))),
      )
      const winners = new Set(outcomes.filter(({ status }) => status === 200).map(({ body }) => body.agent_id))
      expect(winners.size).toBe(1)
      expect(outcomes.every(({ status }) => status === 200 || status === 409)).toBe(true)
      expect((await events(id)).filter((event) => event === 'accepted')).toHaveLength(1)
    }
  })

  it('is for whomever a program with the key names', async () => {
    const id = await conversation()
    expect((await test.call('POST', at(id, 'take'), { agent_id: 'somebody' })).body).toMatchObject({
      agent_id: 'somebody',
    })
    expect((await test.call('POST', at(id, 'take'), { agent_id: 'other' })).status).toBe(409)
    expect((await test.call('POST', at(id, 'take'), { agent_id: 'other', force: true })).body.agent_id).toBe('other')
    expect((await test.call('POST', at('nowhere', 'take'))).status).toBe(404)
    expect((await test.call('POST', at(id, 'take'), { force: 'yes' })).status).toBe(422)
  })
})

describe('transferring', () => {
  it('hands a session to a colleague, who writes from then on', async () => {
    const id = await waiting()
    await ann.call('POST', at(id, 'accept'))
    const { status, body } = await ann.call('POST', at(id, 'transfer'), {
      agent_id: 'bob',
      note: 'Knows the warehouse',
    })
    expect({ status, body }).toMatchObject({ status: 200, body: { agent_status: 'assigned', agent_id: 'bob' } })
    expect((await write(ann, id)).body).toEqual({
      detail: 'The session is with bob: take it over, or have it transferred',
    })
    expect((await write(bob, id)).status).toBe(200)
    const { history } = await detail(id)
    const told = history.find(({ event }: { event?: string }) => event === 'transferred')
    expect(told).toMatchObject({ agent_id: 'bob', from_agent_id: 'ann', note: 'Knows the warehouse' })
    const { body: seen } = await test.call('GET', `/api/v1/chat/sessions/${id}/messages?user_id=mei`)
    expect(JSON.stringify(seen)).toContain('Another colleague goes on')
    expect(JSON.stringify(seen)).not.toContain('warehouse')
  })

  it.each([
    [{ agent_id: 'nobody' }, 422, 'agent_id: nobody who may log in has the name nobody'],
    [{ agent_id: 'ann' }, 409, 'The session is with ann already'],
    [{ agent_id: '' }, 422, undefined],
    [{}, 422, 'agent_id: is required'],
  ])('is refused: %j', async (body, status, message) => {
    const id = await waiting()
    await ann.call('POST', at(id, 'accept'))
    const answer = await ann.call('POST', at(id, 'transfer'), body)
    expect(answer.status).toBe(status)
    if (message) expect(answer.body.detail).toBe(message)
    expect(await detail(id)).toMatchObject({ agent_id: 'ann' })
  })

  it('is for its owner, admins and the key, of sessions that somebody has', async () => {
    const id = await waiting()
    expect((await ann.call('POST', at(id, 'transfer'), { agent_id: 'bob' })).body).toEqual({
      detail: 'The session is pending, not assigned',
    })
    await ann.call('POST', at(id, 'accept'))
    expect((await bob.call('POST', at(id, 'transfer'), { agent_id: 'bob' })).status).toBe(409)
    expect((await boss.call('POST', at(id, 'transfer'), { agent_id: 'bob' })).status).toBe(200)
    expect((await test.call('POST', at(id, 'transfer'), { agent_id: 'ann' })).status).toBe(200)
    expect((await test.call('POST', at('nowhere', 'transfer'), { agent_id: 'ann' })).status).toBe(404)
  })

  it('of two at once happens once, and no message of the former owner comes after it', async () => {
    const id = await waiting()
    await ann.call('POST', at(id, 'accept'))
    const outcomes = await Promise.all([
      ann.call('POST', at(id, 'transfer'), { agent_id: 'bob' }),
      ann.call('POST', at(id, 'transfer'), { agent_id: 'boss' }),
      write(ann, id),
      write(ann, id),
    ])
    expect(
      outcomes
        .slice(0, 2)
        .map(({ status }) => status)
        .sort(),
    ).toEqual([200, 409])
    const { history } = await detail(id)
    const moved = history.findIndex(({ event }: { event?: string }) => event === 'transferred')
    expect(history.slice(moved).filter((each: { role: string }) => each.role === 'agent')).toEqual([])
  })
})

describe('releasing', () => {
  it('puts a session before those whom nobody has served yet', async () => {
    const [first, second] = [await waiting(), await waiting()]
    await ann.call('POST', at(second, 'accept'))
    expect((await bob.call('POST', at(second, 'release'))).status).toBe(409)
    const { body } = await ann.call('POST', at(second, 'release'), { note: 'End of shift' })
    expect(body).toMatchObject({ agent_status: 'pending', agent_id: null })
    const { body: pending } = await test.call('GET', '/api/v1/agent/sessions/pending')
    const ids = pending.map(({ session_id }: { session_id: string }) => session_id)
    expect(ids.indexOf(second)).toBeLessThan(ids.indexOf(first))
    expect((await ann.call('POST', at(second, 'release'))).body).toEqual({
      detail: 'The session is pending, not assigned',
    })
    expect((await bob.call('POST', at(second, 'accept'))).body).toMatchObject({ agent_id: 'bob' })
    expect(await events(second)).toEqual(['handoff', 'accepted', 'released', 'accepted'])
  })

  it('gives it back to the assistant, who answers', async () => {
    const id = await waiting()
    await ann.call('POST', at(id, 'accept'))
    expect((await ann.call('POST', at(id, 'release'), { to: 'assistant' })).body).toMatchObject({
      agent_status: 'none',
      agent_id: null,
    })
    const { body } = await test.call('POST', '/api/v1/chat', { message: 'Hello', session_id: id, user_id: 'mei' })
    expect(body.reply).not.toBe('')
    expect(await events(id)).toEqual(['handoff', 'accepted', 'handed_back'])
    expect((await ann.call('POST', at(id, 'release'), { to: 'nobody' })).status).toBe(422)
    expect((await ann.call('POST', at('nowhere', 'release'))).status).toBe(404)
  })
})

describe('an owner who is away', () => {
  const age = (id: string, minutes: number) =>
    sql`with m as (update chat_messages
      set created_at = created_at - make_interval(mins => ${minutes}) where session_id = ${id})
    update chat_sessions set accepted_at = accepted_at - make_interval(mins => ${minutes}) where session_id = ${id}`.execute(
      test.db.executor,
    )

  it('loses a conversation whose customer waits, and keeps one who was answered', async () => {
    const [left, kept] = [await waiting(), await waiting()]
    for (const id of [left, kept]) {
      await ann.call('POST', at(id, 'accept'))
      await write(ann, id)
      await test.call('POST', '/api/v1/chat', { message: 'Are you there?', session_id: id, user_id: 'mei' })
    }
    await write(ann, kept, 'Yes')
    await age(kept, 11)
    await age(left, 9)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await detail(left)).toMatchObject({ agent_status: 'assigned' })
    await age(left, 2)
    await vi.waitFor(
      async () => expect(await detail(left)).toMatchObject({ agent_status: 'pending', agent_id: null }),
      {
        timeout: 20_000,
        interval: 100,
      },
    )
    expect(await detail(kept)).toMatchObject({ agent_status: 'assigned', agent_id: 'ann' })
    expect((await detail(left)).history.at(-1)).toMatchObject({ event: 'released', from_agent_id: 'ann', note: 'idle' })
  })
})

describe('a client of the contract alone', () => {
  it('writes and resolves in every session with the key, whoever has it', async () => {
    const id = await waiting()
    await ann.call('POST', at(id, 'accept'))
    const sent = await test.call('POST', at(id, 'messages'), { content: 'From another program' })
    expect(sent.status).toBe(200)
    expect((await detail(id)).history.at(-1)).toMatchObject({ role: 'agent', agent_id: 'ann' })
    expect((await test.call('POST', at(id, 'resolve'), { note: 'done' })).status).toBe(200)
  })
})

describe('the audit log', () => {
  it('says who took and released what, and nothing of what was written', async () => {
    const id = await waiting()
    await bob.call('POST', at(id, 'accept'))
    await write(bob, id, 'Very private words')
    await bob.call('POST', at(id, 'release'), { note: 'Very private words' })
    const { body } = await boss.call('GET', `/api/v1/console/audit?subject=session:${id}`)
    expect(body.entries.map(({ actor, action, after }: Record<string, unknown>) => [actor, action, after])).toEqual([
      ['bob', 'POST /api/v1/agent/sessions/:session_id/release', { agent_status: 'pending', agent_id: null }],
      ['bob', 'POST /api/v1/agent/sessions/:session_id/messages', { content: '18 characters' }],
      ['bob', 'POST /api/v1/agent/sessions/:session_id/accept', { agent_status: 'assigned', agent_id: 'bob' }],
    ])
  })
})
