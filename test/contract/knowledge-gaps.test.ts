import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const GAPS = '/api/v1/knowledge/gaps'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
  await test.upload('Q: How long may I return a kettle?\nA: Within 21 days of delivery.', 'kettles.md')
})
afterAll(() => test.close())

const ask = async (message: string, session = '') =>
  (await test.call('POST', '/api/v1/chat', { message, session_id: session, channel: 'web' })).body
const list = async (query = '') => (await test.call('GET', `${GAPS}${query}`)).body
const gapOf = async (part: string, query = ''): Promise<Gap | undefined> =>
  (await list(query)).items.find(({ examples }: Gap) => examples.some((example) => example.includes(part)))
const decide = (gapId: string, body: unknown) => test.call('PUT', `${GAPS}/${gapId}`, body)

describe('GET /knowledge/gaps', () => {
  beforeAll(async () => {
    await ask('Do you ship umbrellas to Norway?')
    await ask('Can you ship an umbrella to Norway? My e-mail is a.b@example.org')
    await ask('Can I charter the zeppelin on Sundays?')
    await ask('你们的飞艇可以在星期天租用吗？')
    await ask('How long may I return a kettle?')
  })

  it('groups what nobody could answer by meaning, most asked first, masked', async () => {
    const { items, total, is_complete: isComplete } = await list()
    expect([total, isComplete]).toEqual([items.length, true])
    const norway = items[0]
    expect(norway).toMatchObject({ state: 'open', count: 2, sessions: 2, unsure: 2, rated_down: 0, languages: ['en'] })
    expect(norway.examples).toHaveLength(2)
    expect(JSON.stringify(items)).not.toContain('a.b@example.org')
    expect(items.some(({ question }: Gap) => question.includes('kettle'))).toBe(false)
    expect(norway.first_seen <= norway.last_seen).toBe(true)
  })

  it('keeps its ids, and puts new questions where they belong', async () => {
    const before = await gapOf('Norway')
    await ask('do you ship umbrellas to norway')
    const after = await gapOf('Norway')
    expect(after).toMatchObject({ gap_id: before?.gap_id, count: 3 })
  })

  it('is filtered by state, time and language', async () => {
    expect(await gapOf('Norway', '?language=zh')).toBeUndefined()
    expect(await gapOf('飞艇', '?language=zh')).toBeDefined()
    expect((await list('?until=2020-01-01T00:00:00Z')).items).toEqual([])
    expect((await list('?since=2020-01-01T00:00:00Z&limit=1')).items).toHaveLength(1)
    expect((await list('?state=ignored')).items).toEqual([])
    expect((await test.call('GET', `${GAPS}?since=yesterday`)).status).toBe(400)
    for (const [query, status] of Object.entries({
      'state=done': 400,
      'language=fr': 400,
      'limit=0': 422,
      'limit=201': 422,
    }))
      expect((await test.call('GET', `${GAPS}?${query}`)).status, query).toBe(status)
  })

  it('has badly rated replies too, until the rating is taken back', async () => {
    const { session_id: session, data } = await ask('How long may I return a kettle, please?')
    const rate = (rating: string) =>
      test.call('POST', `/api/v1/chat/sessions/${session}/feedback`, { message_id: data.message_id, rating })
    await rate('down')
    const gap = await gapOf('kettle')
    expect(gap).toMatchObject({ state: 'open', rated_down: 1, unsure: 0, documents: [{ source: 'kettles.md' }] })
    await test.upload('Q: How long may I return a kettle?\nA: Within 30 days of delivery, opened too.', 'kettles.md')
    expect(await gapOf('kettle')).toMatchObject({ state: 'open' })
    await rate('up')
    expect(await gapOf('kettle')).toBeUndefined()
  })

  it('closes by itself when a document answers it, and opens again when that goes', async () => {
    const { body } = await test.upload(
      'Q: Do you ship umbrellas to Norway?\nA: Yes, umbrellas are shipped to Norway within nine days.',
      'norway.md',
    )
    const closed = await gapOf('Norway')
    expect(closed).toMatchObject({ state: 'closed', documents: [{ source: 'norway.md' }, {}] })
    expect(await gapOf('Norway', '?state=open')).toBeUndefined()
    await test.call('DELETE', `/api/v1/knowledge/documents/${body.doc_id}`)
    expect(await gapOf('Norway')).toMatchObject({ state: 'open', gap_id: closed?.gap_id })
  })

  it('is drafted while a solution waits that would answer it', async () => {
    const { session_id: session } = await ask('Can I charter the zeppelin on a Sunday?')
    const { body } = await test.call('POST', `/api/v1/agent/sessions/${session}/solution`, {
      question: 'Can I charter the zeppelin on Sundays?',
      solution: 'The zeppelin can be chartered on Sundays from May to September.',
    })
    expect(await gapOf('zeppelin', '?state=drafted')).toMatchObject({ solution_id: body.solution_id })
    await test.call('POST', `/api/v1/escalation/solutions/${body.solution_id}/approve`)
    expect(await gapOf('zeppelin')).toMatchObject({ state: 'closed', solution_id: null })
  })

  it('forgets what belongs to a customer that is erased', async () => {
    const message = 'Do you polish the xylophone bars of Norwegian spruce?'
    await test.call('POST', '/api/v1/chat', { message, session_id: '', user_id: 'gap-customer', channel: 'web' })
    expect(await gapOf('xylophone')).toBeDefined()
    await test.call('DELETE', '/api/v1/customers/gap-customer')
    expect(await gapOf('xylophone')).toBeUndefined()
  })
})

describe('/knowledge/gaps/{gap_id}', () => {
  let gap: Gap
  beforeEach(async () => {
    gap = (await gapOf('Norway')) as Gap
  })

  it('shows the questions, page by page', async () => {
    const first = (await test.call('GET', `${GAPS}/${gap.gap_id}?limit=2`)).body
    expect(first.questions).toHaveLength(2)
    expect(first.questions[0]).toMatchObject({ kind: 'unsure', session_id: expect.stringMatching(/^sess_/) })
    const rest = (await test.call('GET', `${GAPS}/${gap.gap_id}?before=${first.questions[1].seq}`)).body
    expect(rest.questions).toHaveLength(gap.count - 2)
    expect((await test.call('GET', `${GAPS}/gap_none`)).status).toBe(404)
    expect((await test.call('GET', `${GAPS}/${gap.gap_id}?before=x`)).status).toBe(422)
  })

  it('is ignored and looked after again', async () => {
    expect(await decide(gap.gap_id, { state: 'ignored' })).toMatchObject({ status: 200, body: { state: 'ignored' } })
    expect(await gapOf('Norway', '?state=open')).toBeUndefined()
    await ask('Do you really ship umbrellas to Norway?')
    expect(await gapOf('Norway')).toMatchObject({ state: 'ignored', count: gap.count + 1 })
    expect(await decide(gap.gap_id, { state: 'open' })).toMatchObject({ status: 200, body: { state: 'open' } })
    expect((await decide(gap.gap_id, { state: 'open' })).status).toBe(200)
  })

  it.each([[{}], [{ state: 'closed' }], [{ state: 1 }], [[]]])('refuses %j', async (body) => {
    expect((await decide(gap.gap_id, body)).status).toBe(422)
    expect((await decide('gap_none', { state: 'open' })).status).toBe(404)
  })

  it('gives two who ask at once the same groups', async () => {
    await ask('Do you repair broken harpsichords from Bruges?')
    await ask('do you repair harpsichords from bruges')
    const answers = await Promise.all([list(), list(), list()])
    const ids = answers.map(({ items }) => items.map((each: Gap) => each.gap_id).join())
    expect(new Set(ids).size).toBe(1)
    expect(await gapOf('Bruges')).toMatchObject({ count: 2 })
  })
})

it('asks for a key where one is set', async () => {
  const keyed = await createTestApp({ API_KEY: 'secret' })
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/gap_x'],
    ['PUT', '/gap_x'],
  ] as const) {
    const answer = await keyed.call(method, `${GAPS}${path}`, method === 'PUT' ? {} : undefined, { 'x-api-key': 'no' })
    expect(answer.status).toBe(401)
  }
  await keyed.close()
})

interface Gap {
  gap_id: string
  question: string
  examples: string[]
  count: number
}
