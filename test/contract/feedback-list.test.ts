import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNamedKeys } from '../support/named-keys.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const FEEDBACK = '/api/v1/chat/feedback'

interface Item {
  session_id: string
  message_id: string
}

describe('the list of ratings', () => {
  let test: TestApp
  let keys: ReturnType<typeof writeNamedKeys>
  let sessions: string[]
  let first: { message_id: string; trace_id: string }
  beforeAll(async () => {
    keys = writeNamedKeys(['chat'], ['agent'])
    test = await createTestApp({ API_KEY: 'key', API_KEYS_FILE: keys.path })
    await test.upload('# Returns\n\nYou may return goods within 14 days.', 'returns.md')
    sessions = []
    for (const [index, rating] of ['up', 'down', 'up', 'down', 'up'].entries()) {
      const message = `How long may I return goods? My number is 1381234567${index}`
      const { body } = await test.call('POST', '/api/v1/chat', { message })
      if (index === 0) first = body.data
      sessions.push(body.session_id)
      await rate(body.session_id, body.data.message_id, rating, index === 1 ? 'Call 13912345678!' : undefined)
      // One a minute, the first one oldest.
      const at = new Date(Date.UTC(2026, 0, 1, 10, index))
      await sql`update chat_feedback set created_at = ${at} where session_id = ${body.session_id}`.execute(
        test.db.executor,
      )
    }
  })
  afterAll(async () => {
    await test.close()
    keys.remove()
  })

  const rate = (session: string, message_id: string, rating: string, comment?: string) =>
    test.call('POST', `/api/v1/chat/sessions/${session}/feedback`, { message_id, rating, ...(comment && { comment }) })
  const get = async (query = '') => (await test.call('GET', `${FEEDBACK}${query}`)).body
  const found = async (query: string) =>
    (await get(query)).feedback.map(({ session_id }: Item) => sessions.indexOf(session_id))

  it('shows what was rated, masked, with its trace', async () => {
    const [, , , second, oldest] = (await get()).feedback
    expect(oldest).toEqual({
      message_id: first.message_id,
      session_id: sessions[0],
      rating: 'up',
      comment: null,
      rated_at: '2026-01-01T10:00:00.000Z',
      question: 'How long may I return goods? My number is 138****5670',
      reply: expect.stringContaining('within 14 days'),
      role: 'assistant',
      intent: expect.any(String),
      sources: [expect.objectContaining({ source: 'returns.md', doc_id: expect.any(String) })],
      trace_id: first.trace_id,
      agent_id: null,
    })
    expect(second).toMatchObject({ rating: 'down', comment: 'Call 139****5678!' })
    expect((await test.call('GET', `/api/v1/monitor/traces/${oldest.trace_id}`)).body.message_id).toBe(
      oldest.message_id,
    )
  })

  it.each([
    ['', [4, 3, 2, 1, 0]],
    ['?rating=down', [3, 1]],
    ['?from=2026-01-01T10:01:00Z&to=2026-01-01T10:03:00Z', [2, 1]],
    ['?rating=up&limit=1', [4]],
  ])('is filtered by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('is filtered by session, and knows the last rating alone', async () => {
    const [id = ''] = sessions
    await rate(id, first.message_id, 'down')
    await sql`update chat_feedback set created_at = '2026-01-01T10:00:00Z' where session_id = ${id}`.execute(
      test.db.executor,
    )
    expect((await get(`?session_id=${id}`)).feedback).toMatchObject([{ rating: 'down' }])
    await rate(id, first.message_id, 'up')
    await sql`update chat_feedback set created_at = '2026-01-01T10:00:00Z' where session_id = ${id}`.execute(
      test.db.executor,
    )
    expect(await found('?session_id=nobody')).toEqual([])
  })

  it('goes on page by page, also among those of one moment', async () => {
    await sql`update chat_feedback set created_at = '2026-01-01T10:00:00Z'`.execute(test.db.executor)
    const seen: number[] = []
    let before = ''
    do {
      const page = await get(`?limit=2${before && `&before=${before}`}`)
      seen.push(...page.feedback.map(({ session_id }: Item) => sessions.indexOf(session_id)))
      before = page.next ?? ''
    } while (before !== '')
    expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(new Set(seen).size).toBe(5)
  })

  it('names the person who wrote what was rated', async () => {
    const [id = ''] = sessions
    await test.call('POST', '/api/v1/chat', { session_id: id, message: 'I want to talk to a human agent now' })
    await test.call('POST', `/api/v1/agent/sessions/${id}/accept`, { agent_id: 'ann' })
    const sent = await test.call('POST', `/api/v1/agent/sessions/${id}/messages`, { content: 'I am Ann' })
    expect((await rate(id, sent.body.message_id, 'up')).status).toBe(200)
    const { feedback } = await get(`?session_id=${id}&limit=1`)
    expect(feedback).toMatchObject([{ role: 'agent', reply: 'I am Ann', trace_id: null, agent_id: 'ann', sources: [] }])
  })

  it.each([
    ['?rating=odd', 400, /^rating: /],
    ['?from=soon', 400, /^from: /],
    ['?from=2026-01-02&to=2026-01-01', 400, /^to: /],
    ['?limit=0', 422, /^limit: /],
    ['?before=odd', 422, /^before: /],
    ['?session_id=', 422, /^session_id: /],
  ])('refuses %s', async (query, status, detail) => {
    const answer = await test.call('GET', `${FEEDBACK}${query}`)
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toMatch(detail)
  })

  it('is for those who answer customers', async () => {
    const ask = async (headers: Record<string, string>) =>
      (await test.app.inject({ method: 'GET', url: FEEDBACK, headers })).statusCode
    expect(await ask({})).toBe(401)
    expect(await ask(keys.headersOf('chat'))).toBe(403)
    expect(await ask(keys.headersOf('agent'))).toBe(200)
  })
})
