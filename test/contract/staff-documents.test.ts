import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const API_KEY = 'a secret of 24 characters'
const DOCUMENTS = '/api/v1/knowledge/documents'
/** Stands in documents for staff alone: no answer to a customer may hold it. */
const SECRET = 'quetzalcoatl'
const QUESTIONS = [
  'What is the goodwill limit for broken kettles?',
  'How much goodwill may be granted for a broken kettle?',
  'goodwill limit kettle',
  '破损水壶的补偿上限是多少？',
]

let test: TestApp
let staffId: string
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  await test.upload('Q: How long may I return a kettle?\nA: Within 21 days of delivery.', 'kettles.md', {
    register: 'true',
  })
  const text = `Q: What is the goodwill limit for broken kettles?\nA: Grant 40 euros at the most, code ${SECRET}.`
  staffId = (await test.upload(text, 'goodwill.md', { register: 'true', audience: 'staff' })).body.doc_id
  await test.upload(`# 补偿\n\n破损水壶的补偿上限是四十欧元，代码 ${SECRET}。`, 'goodwill-zh.md', { audience: 'staff' })
})
afterAll(() => test.close())

const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  test.call('POST', `/api/v1${path}`, body, headers)
const recommend = async (query: string) =>
  (await post('/agent/sessions/none/knowledge-recommend', { query, top_k: 20 })).body.chunks
const amend = (docId: string, body: unknown) => test.call('PUT', `${DOCUMENTS}/${docId}`, body)
const collections = async (docId: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select distinct collection as name from knowledge_chunks
    where doc_id = ${docId} and collection is not null order by 1`.execute(test.db.executor)
  return rows.map(({ name }) => name)
}

/** Everything that customers are told to a question, by every way in. */
async function told(message: string): Promise<string> {
  const { body } = await post('/chat', { message, session_id: '', channel: 'web' })
  const session = body.session_id
  const chosen = []
  for (const choice of ['1', '2', 'goodwill', 'more'])
    chosen.push((await post('/chat', { message: choice, session_id: session, channel: 'web' })).body)
  const stream = await post('/chat/stream', { message, session_id: '', channel: 'web' })
  const gateway = await post('/gateway', { channel: 'app', user_id: 'u', message })
  const view = await test.call('GET', `/api/v1/chat/sessions/${session}/messages`)
  const search = await post('/knowledge/search', { query: message, top_k: 50, explain: true })
  const { hits, reply, explanation } = search.body
  return JSON.stringify([body, chosen, stream.body, gateway.body, view.body, hits, reply, explanation])
}

describe('a document for staff', () => {
  it('is in no answer to a customer, whatever is asked and chosen', async () => {
    for (const question of QUESTIONS) {
      const all = await told(question)
      expect(all).not.toContain(SECRET)
      expect(all).not.toContain('goodwill.md')
    }
  })

  it('is in no evaluation, no quality check and no preview of an answer', async () => {
    const cases = JSON.stringify(QUESTIONS.map((query) => ({ query, expected_sources: ['goodwill.md'] })))
    const { body, contentType } = encodeForm(cases, 'own.json', { name: 'own' })
    await test.call('POST', '/api/v1/evaluation/testsets', body, { 'content-type': contentType })
    const report = await post('/evaluation/run', { testset: 'own' })
    expect(report.status).toBe(200)
    expect(JSON.stringify(report.body)).not.toContain(SECRET)
    expect(report.body.hit_rate).toBe(0)
    expect(JSON.stringify((await post('/knowledge/quality/check', {})).body)).not.toContain(SECRET)
    expect(JSON.stringify((await test.call('GET', '/api/v1/knowledge/gaps')).body)).not.toContain('goodwill.md')
  })

  it('is found by people who answer, and marked', async () => {
    const [first] = await recommend(QUESTIONS[0] as string)
    expect(first).toMatchObject({ source: 'goodwill.md', audience: 'staff', content: expect.stringContaining(SECRET) })
    const [kettles] = await recommend('How long may I return a kettle?')
    expect(kettles).toMatchObject({ source: 'kettles.md' })
    expect(kettles).not.toHaveProperty('audience')
    const { body } = await post('/knowledge/search', { query: QUESTIONS[0], audience: 'staff', explain: true })
    expect(body.hits[0]).toMatchObject({ source: 'goodwill.md', audience: 'staff', is_answer: false })
    expect(JSON.stringify(body.reply)).not.toContain(SECRET)
  })

  it('stays one through new versions, rollbacks, the canary and an upload that does not say so', async () => {
    const upload = (content: string, fields = {}) =>
      test.upload(`# Goodwill\n\n${content} ${SECRET}`, 'goodwill.md', fields)
    await upload('Grant 50 euros for kettles.', { register: 'true' })
    expect(await collections(staffId)).toEqual(['staff'])
    await test.call('POST', `${DOCUMENTS}/${staffId}/rollback`, { target_version: 'v1' })
    expect(await collections(staffId)).toEqual(['staff'])
    await upload('Grant 60 euros for kettles.', { canary: 'true' })
    expect(await collections(staffId)).toEqual(['canary', 'staff'])
    await post('/knowledge/canary/compare', { doc_id: staffId, version: 'v3', sample_queries: QUESTIONS })
    await post('/knowledge/canary/promote', { doc_id: staffId, version: 'v3' })
    expect(await collections(staffId)).toEqual(['staff'])
    await post('/knowledge/canary/ingest', { doc_id: staffId, version: 'v3' })
    await post('/knowledge/canary/withdraw', { doc_id: staffId, version: 'v3' })
    expect(await collections(staffId)).toEqual(['staff'])
    expect(await told(QUESTIONS[0] as string)).not.toContain(SECRET)
  })

  it('is given to customers, and taken from them at once, cached replies and choices too', async () => {
    const answer = async () =>
      JSON.stringify((await post('/chat', { message: QUESTIONS[0], session_id: '', channel: 'web' })).body)
    expect(await amend(staffId, { audience: 'customers' })).toMatchObject({
      status: 200,
      body: { audience: 'customers' },
    })
    expect(await answer()).toContain(SECRET)
    expect(await answer()).toContain(SECRET)
    const offered = (await post('/chat', { message: 'goodwill', session_id: '', channel: 'web' })).body
    expect(await amend(staffId, { audience: 'staff' })).toMatchObject({ status: 200, body: { audience: 'staff' } })
    expect(await answer()).not.toContain(SECRET)
    for (const message of ['1', 'Goodwill', 'more']) {
      const { body } = await post('/chat', { message, session_id: offered.session_id, channel: 'web' })
      expect([message, JSON.stringify(body)]).toEqual([message, expect.not.stringContaining(SECRET)])
    }
  })

  it('is made one by an upload of the same content that says so', async () => {
    const content = '# Lamps\n\nLamps are bought for 3 euros and sold for 30.'
    const { body } = await test.upload(content, 'lamps.md')
    expect(await collections(body.doc_id)).toEqual(['main'])
    expect((await test.upload(content, 'lamps.md', { audience: 'staff' })).body.unchanged).toBe(true)
    expect(await collections(body.doc_id)).toEqual(['staff'])
    expect((await test.upload(content, 'lamps.md', { audience: 'everybody' })).status).toBe(422)
  })
})

describe('PUT /knowledge/documents/{doc_id}', () => {
  it('changes title and address of what is served, and the title is searched by', async () => {
    const { body } = await test.upload('# Draft 7\n\nParcels leave on Mondays.', 'parcels.md', { register: 'true' })
    const changed = await amend(body.doc_id, { title: 'Hovercraft deliveries', url: 'https://shop.example/parcels' })
    expect(changed).toMatchObject({
      ...{
        status: 200,
        body: { title: 'Hovercraft deliveries', url: 'https://shop.example/parcels', status: 'active' },
      },
    })
    const { body: found } = await post('/knowledge/search', { query: 'hovercraft' })
    expect(found.hits[0]).toMatchObject({ source: 'parcels.md', url: 'https://shop.example/parcels' })
    expect((await test.call('GET', `${DOCUMENTS}/${body.doc_id}`)).body.versions).toHaveLength(1)
    expect((await amend(body.doc_id, { url: '' })).body.url).toBeNull()
    expect((await amend(body.doc_id, {})).status).toBe(200)
  })

  it('refuses what it cannot do, and changes nothing', async () => {
    const { body } = await test.upload('# Doors\n\nDoors open at nine.', 'doors.md', { register: 'true' })
    for (const bad of [
      { audience: 'all' },
      { title: ' ' },
      { title: 'x'.repeat(301) },
      { url: 'javascript:alert(1)' },
      [],
    ])
      expect([bad, (await amend(body.doc_id, bad)).status]).toEqual([bad, 422])
    expect((await amend(body.doc_id, { title: 'New', url: 'ftp://x' })).status).toBe(422)
    expect((await amend('doc_none', { audience: 'staff' })).status).toBe(404)
    await test.call('DELETE', `${DOCUMENTS}/${body.doc_id}`)
    expect((await amend(body.doc_id, { title: 'Gone' })).status).toBe(409)
    expect((await amend(body.doc_id, { audience: 'staff' })).status).toBe(200)
    const again = await test.upload('# Doors\n\nDoors open at ten.', 'doors.md', { register: 'true' })
    expect(await collections(again.body.doc_id)).toEqual(['staff'])
    expect((await test.call('PUT', `${DOCUMENTS}/x`, {}, { 'x-api-key': 'no' })).status).toBe(401)
  })
})
