import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const LIST = '/api/v1/agent/sessions'

let test: TestApp
let ann: Browser
let bob: Browser
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
  bob = await logInAs(test, 'bob', 'agent')
  await say('quiet', 'Do you sell horses?', 'mei')
  await say('zh', '我的退款什么时候到账？订单号 #W7654321，电话 13812345678', 'li')
  await say('waits', 'I want to talk to a person about my broken lamp', 'mei', 'app')
  await say('taken', '请转人工客服', 'wang')
  await ann.call('POST', `${LIST}/taken/accept`)
  await ann.call('POST', `${LIST}/taken/messages`, { content: 'We have refunded your order today.' })
  await say('taken', 'Thanks, when will it arrive?', 'wang')
  await say('done', 'I want a person', 'li')
  await bob.call('POST', `${LIST}/done/accept`)
  await bob.call('POST', `${LIST}/done/resolve`)
})
afterAll(() => test.close())

const say = (session_id: string, message: string, user_id: string, channel = 'web') =>
  test.call('POST', '/api/v1/chat', { session_id, message, user_id, channel })

type Session = Record<string, unknown> & { session_id: string }

const list = async (query = '', who = ann) => (await who.call('GET', `${LIST}?${query}`)).body
const ids = async (query = '', who = ann): Promise<string[]> =>
  (await list(query, who)).sessions.map(({ session_id }: Session) => session_id)

describe('the list of conversations', () => {
  it('has all of them, the latest activity first, with what was said last', async () => {
    const { sessions, next_before } = await list()
    expect(sessions.map(({ session_id }: Session) => session_id)).toEqual(['done', 'taken', 'waits', 'zh', 'quiet'])
    expect(next_before).toBeNull()
    const [done, taken, waits, zh] = sessions
    expect(taken).toMatchObject({
      agent_status: 'assigned',
      agent_id: 'ann',
      last_message: { role: 'user', content: 'Thanks, when will it arrive?' },
      waiting_since: expect.stringMatching(/Z$/),
      waiting_seconds: expect.any(Number),
      unread: 2,
    })
    expect(waits).toMatchObject({ agent_status: 'pending', channel: 'app', waiting_since: waits.escalated_at })
    expect(done).toMatchObject({
      agent_status: 'resolved',
      agent_id: 'bob',
      waiting_since: null,
      waiting_seconds: null,
    })
    expect(zh).toMatchObject({ agent_status: 'none', last_message: { role: 'assistant' } })
    expect(JSON.stringify(sessions)).not.toContain('13812345678')
  })

  it.each([
    ['status=pending', ['waits']],
    ['status=assigned', ['taken']],
    ['status=none', ['zh', 'quiet']],
    ['agent_id=ann', ['taken']],
    ['agent_id=nobody', []],
    ['channel=app', ['waits']],
    ['user_id=mei', ['waits', 'quiet']],
    ['user_id=mei&channel=web', ['quiet']],
    ['from=2020-01-01&to=2021-01-01', []],
    ['from=2020-01-01&limit=1', ['done']],
  ])('is narrowed by %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it('comes in pages, each conversation once', async () => {
    const seen: string[] = []
    let before: string | null = ''
    while (before !== null) {
      const page: { sessions: Session[]; next_before: string | null } = await list(
        `limit=2${before && `&before=${before}`}`,
      )
      seen.push(...page.sessions.map(({ session_id }) => session_id))
      before = page.next_before
    }
    expect(seen).toEqual(['done', 'taken', 'waits', 'zh', 'quiet'])
  })

  it('counts for the tabs of an inbox', async () => {
    expect((await list('counts=true&limit=1')).counts).toEqual({ mine: 1, waiting: 1, assigned: 1, all: 5 })
    expect((await list('counts=true&limit=1', bob)).counts).toMatchObject({ mine: 0 })
    expect(await list()).not.toHaveProperty('counts')
  })

  it.each([
    ['status=open', 400],
    ['limit=0', 422],
    ['limit=201', 422],
    ['channel=mail', 400],
    ['from=yesterday', 400],
    ['from=2026-02-01&to=2026-01-01', 400],
    ['before=nonsense', 400],
    [`before=${Buffer.from('["2026","x"]').toString('base64url')}`, 400],
    [`q=lamp&before=${Buffer.from('["a","b"]').toString('base64url')}`, 400],
  ])('refuses %s', async (query, status) => {
    const answer = await ann.call('GET', `${LIST}?${query}`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    expect(answer.body.detail).toMatch(/^(?:status|limit|channel|from|to|before): /)
  })
})

describe('the search over conversations', () => {
  it.each([
    ['horses', ['quiet']],
    ['horse', ['quiet']],
    ['退款', ['zh']],
    ['退款到账', ['zh']],
    ['W7654321', ['zh']],
    ['broken lamps', ['waits']],
    ['refunded today', ['taken']],
    ['lamp horses', []],
    ['mei', ['waits', 'quiet']],
    ['taken', ['taken']],
    ['a person', ['done', 'waits']],
  ])('finds %s', async (q, expected) => {
    const found = await ids(`q=${encodeURIComponent(q)}`)
    // Small talk and notices of the assistant may hold the words, too.
    expect(found.filter((id) => expected.includes(id as never))).toEqual(expected)
    if (expected.length < 2) expect(found).toEqual(expected)
  })

  it('shows the message for which each was found, masked', async () => {
    const { sessions } = await list(`q=${encodeURIComponent('退款')}`)
    expect(sessions[0].match).toMatchObject({ role: 'user', excerpt: expect.stringContaining('退款什么时候到账') })
    expect(sessions[0].match.excerpt).not.toContain('13812345678')
    expect((await list('q=taken')).sessions[0].match).toBeNull()
  })

  it('finds what was said a moment ago, and is narrowed as the list is', async () => {
    await say('quiet', 'And what about zebras?', 'mei')
    expect(await ids('q=zebra')).toEqual(['quiet'])
    expect(await ids('q=zebra&status=assigned')).toEqual([])
    expect(await ids('q=zebra&user_id=mei')).toEqual(['quiet'])
  })

  it('comes in pages, each conversation once, for its latest message', async () => {
    for (let n = 0; n < 7; n++) for (const text of ['pelican one', 'pelican two']) await say(`many-${n}`, text, 'bird')
    const seen: string[] = []
    for (let before: string | null = ''; before !== null; ) {
      const page: { sessions: Session[]; next_before: string | null } = await list(
        `q=pelican&limit=3${before && `&before=${before}`}`,
      )
      expect(page.sessions.length).toBeLessThanOrEqual(3)
      seen.push(...page.sessions.map(({ session_id }) => session_id))
      before = page.next_before
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `many-${n}`))
  })

  it('forgets a customer who is erased', async () => {
    await say('secret', 'My name is Rumpelstiltskin', 'rumpel')
    expect(await ids('q=rumpelstiltskin')).toEqual(['secret'])
    expect((await test.call('DELETE', '/api/v1/customers/rumpel')).status).toBe(200)
    expect(await ids('q=rumpelstiltskin')).toEqual([])
    const { rows } = await sql`select from desk_words where session_id = 'secret'`.execute(test.db.executor)
    expect(rows).toEqual([])
  })
})

describe('read marks', () => {
  it('are each reader’s own', async () => {
    expect(await ids('unread=true&status=assigned')).toEqual(['taken'])
    expect((await ann.call('POST', `${LIST}/taken/read`)).body).toEqual({ session_id: 'taken', read: true })
    expect(await ids('unread=true&status=assigned')).toEqual([])
    expect(await ids('unread=true&status=assigned', bob)).toEqual(['taken'])
    await say('taken', 'Hello?', 'wang')
    expect((await list('agent_id=ann')).sessions[0]).toMatchObject({ unread: 1 })
    await ann.call('POST', `${LIST}/taken/unread`)
    expect((await list('agent_id=ann')).sessions[0]).toMatchObject({ unread: 3 })
  })

  it('reach up to a message', async () => {
    const { body } = await test.call('GET', `${LIST}/taken`)
    const [first] = body.history
    expect((await ann.call('POST', `${LIST}/taken/read`, { message_id: first.message_id })).status).toBe(200)
    expect((await list('agent_id=ann')).sessions[0]).toMatchObject({ unread: 2 })
    expect((await ann.call('POST', `${LIST}/taken/read`, { message_id: 'nothing' })).status).toBe(404)
    expect((await ann.call('POST', `${LIST}/nowhere/read`)).status).toBe(404)
    expect((await ann.call('POST', `${LIST}/taken/read`, { message_id: 7 })).status).toBe(422)
  })
})
