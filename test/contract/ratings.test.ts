import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let test: TestApp
let desk: EventStream
beforeAll(async () => {
  test = await createTestApp()
  desk = await openEventStream(test.app, '/api/v1/agent/events')
  for (const id of ['one', 'two', 'three']) await resolved(id, `agent-${id}`)
})
afterAll(async () => {
  await desk.close()
  await test.close()
})

async function resolved(id: string, agentId: string): Promise<void> {
  await test.call('POST', '/api/v1/chat', { session_id: id, message: 'I want to talk to a person', user_id: 'mei' })
  await test.call('POST', `/api/v1/agent/sessions/${id}/accept`, { agent_id: agentId })
  await test.call('POST', `/api/v1/agent/sessions/${id}/resolve`)
}
const rate = (id: string, body: object) =>
  test.call('POST', `/api/v1/chat/sessions/${id}/rating`, { user_id: 'mei', ...body })
const list = async (query = '') => (await test.call('GET', `/api/v1/agent/ratings?${query}`)).body

describe('a rating', () => {
  it('is given after the conversation was resolved, and told to the desk', async () => {
    expect(await rate('one', { score: 2, comment: ' Call me at 13812345678 ' })).toMatchObject({
      status: 200,
      body: { session_id: 'one', score: 2 },
    })
    const told = await desk.waitFor(({ event }) => event === 'rated')
    expect(told).toMatchObject({ id: '', data: { session_id: 'one', rating: { score: 2, agent_id: 'agent-one' } } })
    expect(JSON.stringify(told.data)).not.toContain('13812345678')
  })

  it('may be changed; the last one counts', async () => {
    expect((await rate('one', { score: 5 })).status).toBe(200)
    expect((await list('session_id=one')).ratings).toMatchObject([{ score: 5, comment: null, agent_id: 'agent-one' }])
  })

  it('is one for each time that it was resolved', async () => {
    await resolved('one', 'agent-other')
    await rate('one', { score: 3 })
    const { ratings } = await list('session_id=one')
    expect(ratings.map(({ score, agent_id }: Record<string, unknown>) => [score, agent_id])).toEqual([
      [3, 'agent-other'],
      [5, 'agent-one'],
    ])
  })

  it.each([
    ['nowhere', { score: 5 }, 404],
    ['two', { score: 0 }, 422],
    ['two', { score: 6 }, 422],
    ['two', { score: 4.5 }, 422],
    ['two', {}, 422],
    ['two', { score: 5, comment: 'x'.repeat(2_001) }, 422],
    ['two', { score: 5, user_id: 'somebody else' }, 409],
  ])('is refused of %s: %j', async (id, body, status) => {
    expect((await rate(id, body)).status).toBe(status)
    expect((await list('session_id=two')).ratings).toEqual([])
  })

  it('is refused before a person resolved it, and a day later', async () => {
    await test.call('POST', '/api/v1/chat', { session_id: 'open', message: 'Hello', user_id: 'mei' })
    expect((await rate('open', { score: 5 })).body).toEqual({ detail: 'The session has not been resolved by a person' })
    await sql`update chat_messages set created_at = created_at - interval '25 hours' where session_id = 'three'`.execute(
      test.db.executor,
    )
    expect(await rate('three', { score: 5 })).toMatchObject({
      status: 409,
      body: { detail: 'A resolved session can be rated for a day' },
    })
  })
})

describe('the list of ratings', () => {
  it('has the newest first, with filters and pages', async () => {
    await rate('two', { score: 1, comment: 'Slow' })
    expect((await list()).ratings.map(({ score }: { score: number }) => score)).toEqual([1, 3, 5])
    const { body } = await test.call('GET', '/api/v1/agent/sessions?user_id=mei')
    const rated = body.sessions.map(({ session_id, rating }: Record<string, unknown>) => [session_id, rating])
    expect(Object.fromEntries(rated)).toMatchObject({ one: 3, two: 1, three: null })
    expect((await list('score=1')).ratings).toMatchObject([{ session_id: 'two', comment: 'Slow' }])
    expect((await list('agent_id=agent-other')).ratings).toHaveLength(1)
    expect((await list('from=2020-01-01&to=2020-02-01')).ratings).toEqual([])
    const first = await list('limit=1')
    const second = await list(`limit=2&before=${first.next_before}`)
    expect(second.ratings.map(({ score }: { score: number }) => score)).toEqual([3, 5])
    for (const [query, status] of [
      ['score=9', 422],
      ['before=x', 400],
      ['from=x', 400],
      ['limit=0', 422],
    ] as const) {
      expect((await test.call('GET', `/api/v1/agent/ratings?${query}`)).status, query).toBe(status)
    }
  })
})
