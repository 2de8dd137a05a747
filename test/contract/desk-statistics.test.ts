import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const STATISTICS = '/api/v1/agent/statistics'

let test: TestApp
let ann: Browser
let bob: Browser
let vip: string

const at = (id: string, action: string) => `/api/v1/agent/sessions/${id}/${action}`
const say = (session_id: string, message: string, channel = 'web') =>
  test.call('POST', '/api/v1/chat', { session_id, message, user_id: 'mei', channel })

/** Moves what was said so far of a conversation into the past. */
const age = (id: string, seconds: number) =>
  sql`update chat_messages set created_at = created_at - make_interval(secs => ${seconds})
    where session_id = ${id}`.execute(test.db.executor)

beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
  bob = await logInAs(test, 'bob', 'agent')
  // Ann: taken after 60 s, first words after 100 s, resolved after 400 s.
  await say('one', 'I want a person')
  await age('one', 60)
  await ann.call('POST', at('one', 'accept'))
  await age('one', 40)
  await ann.call('POST', at('one', 'messages'), { content: 'Hello' })
  await ann.call('POST', at('one', 'messages'), { content: 'Hello again' })
  await age('one', 300)
  await ann.call('POST', at('one', 'resolve'))
  await test.call('POST', '/api/v1/chat/sessions/one/rating', { score: 4, user_id: 'mei' })
  // Bob: from Ann, who took it from the assistant, so that nobody waited.
  await say('two', 'Do you sell horses?', 'app')
  await ann.call('POST', at('two', 'take'))
  await ann.call('POST', at('two', 'transfer'), { agent_id: 'bob' })
  await bob.call('POST', at('two', 'messages'), { content: 'Yes' })
  vip = (await ann.call('POST', '/api/v1/agent/labels', { name: 'VIP' })).body.label_id
  const other = (await ann.call('POST', '/api/v1/agent/labels', { name: 'late' })).body.label_id
  await ann.call('PUT', at('two', 'labels'), { label_ids: [vip, other] })
})
afterAll(() => test.close())

const statistics = async (query = '') => (await ann.call('GET', `${STATISTICS}?${query}`)).body
type Row = { key: string; taken: number; name: string | null }

describe('the statistics of the desk', () => {
  it('count what each person did, and how long it took', async () => {
    const { rows, total, by } = await statistics()
    expect(by).toBe('person')
    expect(rows.map(({ key }: Row) => key)).toEqual(['ann', 'bob'])
    const [anns, bobs] = rows
    expect(anns).toMatchObject({ taken: 2, resolved: 1, messages: 2, ratings: 1, average_rating: 4, name: null })
    expect(anns.waiting.median_seconds).toBeCloseTo(60, -1)
    expect(anns.first_response.median_seconds).toBeCloseTo(100, -1)
    expect(anns.handling.p90_seconds).toBeCloseTo(340, -1)
    expect(bobs).toMatchObject({
      taken: 1,
      resolved: 0,
      messages: 1,
      ratings: 0,
      average_rating: null,
      waiting: { median_seconds: null, p90_seconds: null },
      first_response: { median_seconds: null, p90_seconds: null },
    })
    expect(total).toMatchObject({ taken: 3, resolved: 1, messages: 3, ratings: 1 })
  })

  it('are divided by channel, label and day, with one total', async () => {
    const taken = ({ rows }: { rows: Row[] }) => rows.map(({ key, taken }) => [key, taken])
    expect(taken(await statistics('by=channel'))).toEqual([
      ['app', 2],
      ['web', 1],
    ])
    const byLabel = await statistics('by=label')
    expect(byLabel.rows.map(({ name, taken }: Row) => [name, taken]).toSorted()).toEqual(
      [
        [null, 1],
        ['VIP', 2],
        ['late', 2],
      ].toSorted(),
    )
    expect(byLabel.rows.map(({ key }: Row) => key)).toContain(vip)
    expect(byLabel.total.taken).toBe(3)
    const days = (await statistics('by=day')).rows
    expect(days.reduce((sum: number, { taken }: Row) => sum + taken, 0)).toBe(3)
    expect(days[0].key).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it('hold what happened within the period alone', async () => {
    const empty = await statistics('from=2020-01-01&to=2020-02-01')
    expect(empty).toMatchObject({ from: '2020-01-01T00:00:00.000Z', rows: [], total: { taken: 0, ratings: 0 } })
  })

  it.each([
    ['from=yesterday', 400],
    ['from=2020-01-01', 400],
    ['from=2024-02-01&to=2024-01-01', 400],
    ['from=2999-01-01', 400],
    ['by=week', 400],
    ['by=day&from=x', 400],
  ])('%s is %i', async (query, status) => {
    expect((await ann.call('GET', `${STATISTICS}?${query}`)).status).toBe(status)
  })

  it('ask for a credential', async () => {
    expect((await test.call('GET', STATISTICS, undefined, { 'x-api-key': 'wrong' })).status).toBe(401)
  })
})
