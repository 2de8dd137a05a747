import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const CANARY = '/api/v1/knowledge/canary'
const page = (days: number): string => `# Returns\n\nGoods may be sent back within ${days} days of delivery.`

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

let documents = 0
/** A registered document with one version for each content. */
async function document(...contents: string[]): Promise<string> {
  const name = `returns-${documents++}.md`
  let docId = ''
  for (const content of contents) {
    const { body } = await test.upload(content, name, { register: 'true' })
    docId = body.doc_id
  }
  return docId
}

async function statuses(docId: string): Promise<Record<string, string>> {
  const { body } = await test.call('GET', `/api/v1/knowledge/documents/${docId}`)
  return Object.fromEntries(
    body.versions.map((each: { version: string; status: string }) => [each.version, each.status]),
  )
}

async function found(query: string): Promise<string[]> {
  const { body } = await test.call('POST', '/api/v1/agent/sessions/none/knowledge-recommend', { query, top_k: 50 })
  return body.chunks.map(({ content }: { content: string }) => content)
}

const rollBack = (docId: string, target: unknown) =>
  test.call('POST', `/api/v1/knowledge/documents/${docId}/rollback`, { target_version: target })

describe('POST /knowledge/documents/{doc_id}/rollback', () => {
  it('makes an earlier version the active one, for the registry and for customers', async () => {
    const docId = await document(page(701), page(702))
    expect(await rollBack(docId, 'v1')).toMatchObject({
      status: 200,
      body: {
        doc_id: docId,
        previous_version: 'v2',
        current_version: 'v1',
        status: 'active',
        chunk_count: 1,
        success: true,
      },
    })
    expect(await statuses(docId)).toEqual({ v1: 'active', v2: 'rolled_back' })
    const contents = await found('goods sent back within days of delivery')
    expect(contents.some((content) => content.includes('701 days'))).toBe(true)
    expect(contents.some((content) => content.includes('702 days'))).toBe(false)
    expect((await test.call('GET', `/api/v1/knowledge/documents/${docId}`)).body).toMatchObject({
      current_version: 'v1',
      status: 'active',
    })
  })

  it('changes nothing when the target is the current version', async () => {
    const docId = await document(page(1), page(2))
    const before = (await test.call('GET', '/api/v1/knowledge/stats')).body.knowledge_version
    expect(await rollBack(docId, 'v2')).toMatchObject({
      status: 200,
      body: { previous_version: 'v2', current_version: 'v2', success: true },
    })
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'active' })
    expect((await test.call('GET', '/api/v1/knowledge/stats')).body.knowledge_version).toBe(before)
  })

  it('goes forward again, and the next upload takes the next number', async () => {
    const docId = await document(page(3), page(4))
    await rollBack(docId, 'v1')
    expect((await rollBack(docId, 'v2')).body).toMatchObject({ previous_version: 'v1', current_version: 'v2' })
    expect(await statuses(docId)).toEqual({ v1: 'rolled_back', v2: 'active' })
    await rollBack(docId, 'v1')
    const again = await test.upload(page(4), `returns-${documents - 1}.md`, { register: 'true' })
    expect(again.body).toMatchObject({ doc_id: docId, version: 'v3', unchanged: false })
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'rolled_back', v3: 'active' })
  })

  it('adds a version for the content of an older one, and none for the content of the active one', async () => {
    const docId = await document(page(5), page(6))
    const name = `returns-${documents - 1}.md`
    expect((await test.upload(page(6), name, { register: 'true' })).body).toMatchObject({
      version: 'v2',
      unchanged: true,
    })
    expect((await test.upload(page(5), name, { register: 'true' })).body).toMatchObject({
      version: 'v3',
      unchanged: false,
    })
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'superseded', v3: 'active' })
  })

  it.each(['v9', 'v0', 'v01', '1', 'latest', 'v99999999999999999999', 'v1; drop table'])(
    'answers 404 for the version %j, which the document does not have',
    async (version) => {
      const docId = await document(page(7))
      const { status, body } = await rollBack(docId, version)
      expect([status, body.detail]).toEqual([404, `The document ${docId} has no version ${version}`])
    },
  )

  it('answers 404 for a document that the registry does not know', async () => {
    expect((await rollBack('doc_none', 'v1')).status).toBe(404)
    const { body } = await test.upload(page(8), 'outside.md')
    expect((await rollBack(body.doc_id, 'v1')).status).toBe(404)
  })

  it.each([[{}], [{ target_version: 1 }], [{ target_version: '' }], [{ target_version: null }], [[]]])(
    'answers 422 for %j before it looks for the document',
    async (body) => {
      expect((await test.call('POST', '/api/v1/knowledge/documents/doc_none/rollback', body)).status).toBe(422)
    },
  )

  it('answers 409 when the chunks were deleted with the document, before and after it came back', async () => {
    const docId = await document(page(9), page(10))
    await test.call('DELETE', `/api/v1/knowledge/documents/${docId}`)
    const { status, body } = await rollBack(docId, 'v1')
    expect([status, body.detail]).toEqual([
      409,
      `The chunks of v1 were deleted with the document ${docId}; upload its file again`,
    ])
    await test.upload(page(11), `returns-${documents - 1}.md`, { register: 'true' })
    expect((await rollBack(docId, 'v2')).status).toBe(409)
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'superseded', v3: 'active' })
  })

  it('lets one of many rollbacks and uploads at once follow the other', async () => {
    const docId = await document(page(12), page(13), page(14))
    const name = `returns-${documents - 1}.md`
    const answers = await Promise.all([
      rollBack(docId, 'v1'),
      test.upload(page(15), name, { register: 'true' }),
      rollBack(docId, 'v2'),
      rollBack(docId, 'v3'),
      test.upload(page(16), name, { register: 'true' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const active = Object.values(await statuses(docId)).filter((status) => status === 'active')
    expect(active).toHaveLength(1)
    const contents = await found('goods sent back within days of delivery')
    const served = contents.filter((content) => /within 1[2-6] days/.test(content))
    expect(served).toHaveLength(1)
  })
})

describe('canary', () => {
  it('holds a version that customers do not find, until it is promoted', async () => {
    const docId = await document('# Aurora\n\nThe aurora lamp costs 41 euros.')
    const name = `returns-${documents - 1}.md`
    const uploaded = await test.upload('# Aurora\n\nThe aurora lamp costs 42 euros, with delivery.', name, {
      canary: 'true',
    })
    expect(uploaded).toMatchObject({ status: 200, body: { doc_id: docId, version: 'v2', status: 'success' } })
    expect(await statuses(docId)).toEqual({ v1: 'active', v2: 'canary' })
    expect((await found('aurora lamp')).filter((content) => content.includes('euros'))).toEqual([
      'The aurora lamp costs 41 euros.',
    ])

    const promoted = await test.call('POST', `${CANARY}/promote`, { doc_id: docId, version: 'v2' })
    expect(promoted).toMatchObject({
      status: 200,
      body: { doc_id: docId, previous_version: 'v1', current_version: 'v2', status: 'active', success: true },
    })
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'active' })
    expect((await found('aurora lamp')).filter((content) => content.includes('euros'))).toEqual([
      'The aurora lamp costs 42 euros, with delivery.',
    ])
  })

  it('takes an earlier version, one of a document at a time, and gives it back', async () => {
    const docId = await document(page(20), page(21), page(22))
    const place = (version: string) => test.call('POST', `${CANARY}/ingest`, { doc_id: docId, version })
    expect(await place('v1')).toMatchObject({
      status: 200,
      body: { doc_id: docId, version: 'v1', chunk_count: 1, collection_name: 'canary', status: 'canary' },
    })
    expect((await place('v1')).body.status).toBe('canary')
    await place('v2')
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'canary', v3: 'active' })
    const withdrawn = await test.call('POST', `${CANARY}/withdraw`, { doc_id: docId, version: 'v2' })
    expect(withdrawn).toMatchObject({ status: 200, body: { status: 'superseded', collection_name: null } })
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'superseded', v3: 'active' })
  })

  it('holds a copy of the active version, which stays where customers find it', async () => {
    const docId = await document('# Borealis\n\nThe borealis lamp is green.')
    const name = `returns-${documents - 1}.md`
    const inCanary = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from knowledge_chunks c
        where c.doc_id = ${docId} and c.collection = 'canary'`.execute(test.db.executor)
      return rows[0]?.count ?? -1
    }
    const inMain = async () => (await found('borealis lamp')).filter((content) => content.includes('borealis')).length
    const ask = (action: string) =>
      test.call('POST', `${CANARY}/${action}`, { doc_id: docId, version: 'v1', sample_queries: ['borealis lamp'] })
    for (let times = 0; times < 2; times++) {
      expect(await ask('ingest')).toMatchObject({
        status: 200,
        body: { collection_name: 'canary', status: 'active', chunk_count: 1 },
      })
      expect([await inCanary(), await inMain(), await statuses(docId)]).toEqual([1, 1, { v1: 'active' }])
    }
    expect((await ask('compare')).body).toMatchObject({ summary: { unchanged: 1 }, recommendation: 'hold' })
    expect((await ask('withdraw')).body).toMatchObject({ collection_name: 'main', status: 'active' })
    expect([await inCanary(), await inMain()]).toEqual([0, 1])
    expect((await ask('withdraw')).status).toBe(409)
    // The same by an upload; then another version becomes active, and later this one again: no passage is found twice.
    await test.upload('# Borealis\n\nThe borealis lamp is green.', name, { canary: 'true' })
    expect([await inCanary(), await inMain()]).toEqual([1, 1])
    await test.upload('# Borealis\n\nThe borealis lamp is blue.', name, { register: 'true' })
    expect([await inCanary(), await inMain()]).toEqual([0, 1])
    await rollBack(docId, 'v1')
    expect([await inCanary(), await inMain(), (await found('borealis lamp'))[0]]).toEqual([
      0,
      1,
      'The borealis lamp is green.',
    ])
  })

  it('starts with a document that is only tried so far', async () => {
    const { body } = await test.upload('# Zephyr\n\nThe zephyr fan is new.', 'zephyr.md', { canary: 'true' })
    expect(body).toMatchObject({ version: 'v1', status: 'success' })
    expect((await found('zephyr fan')).some((content) => content.includes('zephyr'))).toBe(false)
    const listed = (await test.call('GET', '/api/v1/knowledge/documents?q=zephyr.md')).body.items
    expect(listed).toMatchObject([{ doc_id: body.doc_id, current_version: null, chunk_count: 0 }])
    const promoted = await test.call('POST', `${CANARY}/promote`, { doc_id: body.doc_id, version: 'v1' })
    expect(promoted.body).toMatchObject({ previous_version: null, current_version: 'v1' })
    expect((await found('zephyr fan'))[0]).toContain('zephyr')
  })

  it('adds no version for content that is there already', async () => {
    const docId = await document(page(24))
    const name = `returns-${documents - 1}.md`
    const upload = (content: string) => test.upload(content, name, { canary: 'true' })
    expect((await upload(page(24))).body).toMatchObject({ version: 'v1', unchanged: true })
    expect((await upload(page(25))).body).toMatchObject({ version: 'v2', unchanged: false })
    expect((await upload(page(25))).body).toMatchObject({ version: 'v2', unchanged: true })
    expect(await statuses(docId)).toEqual({ v1: 'active', v2: 'canary' })
  })

  it('goes with its document', async () => {
    const docId = await document(page(26), page(27))
    await test.call('POST', `${CANARY}/ingest`, { doc_id: docId, version: 'v1' })
    const removed = await test.call('DELETE', `/api/v1/knowledge/documents/${docId}`)
    expect(removed.body.deleted_chunks).toBe(2)
    expect(await statuses(docId)).toEqual({ v1: 'superseded', v2: 'superseded' })
    expect((await test.call('POST', `${CANARY}/ingest`, { doc_id: docId, version: 'v1' })).status).toBe(409)
  })

  it.each(['ingest', 'compare', 'promote', 'withdraw'])(
    '%s answers 404 for an unknown document or version',
    async (action) => {
      const docId = await document(page(28))
      const ask = (doc_id: string, version: string) =>
        test.call('POST', `${CANARY}/${action}`, { doc_id, version, sample_queries: ['goods'] })
      expect((await ask('doc_none', 'v1')).status).toBe(404)
      expect((await ask(docId, 'v7')).status).toBe(404)
    },
  )

  it.each(['compare', 'promote', 'withdraw'])('%s answers 409 for a version that is not in canary', async (action) => {
    const docId = await document(page(29), page(30))
    const body = { doc_id: docId, version: 'v1', sample_queries: ['goods'] }
    const answer = await test.call('POST', `${CANARY}/${action}`, body)
    expect([answer.status, answer.body.detail]).toEqual([
      409,
      expect.stringContaining('is not in the canary collection'),
    ])
  })

  it('cannot be rolled back to, only promoted', async () => {
    const docId = await document(page(31), page(32))
    await test.call('POST', `${CANARY}/ingest`, { doc_id: docId, version: 'v1' })
    expect((await rollBack(docId, 'v1')).status).toBe(409)
  })

  it.each([
    ['ingest', {}],
    ['ingest', { doc_id: 'x' }],
    ['ingest', { doc_id: 1, version: 'v1' }],
    ['compare', { doc_id: 'x', version: 'v1' }],
    ['compare', { doc_id: 'x', version: 'v1', sample_queries: [] }],
    ['compare', { doc_id: 'x', version: 'v1', sample_queries: 'goods' }],
    ['compare', { doc_id: 'x', version: 'v1', sample_queries: [''] }],
    ['promote', { version: 'v1' }],
    ['withdraw', { doc_id: '', version: 'v1' }],
  ])('%s answers 422 for %j', async (action, body) => {
    expect((await test.call('POST', `${CANARY}/${action}`, body)).status).toBe(422)
  })
})

describe('POST /knowledge/canary/compare', () => {
  it('shows both sides of each query with a verdict, and recommends what finds more', async () => {
    const docId = await document('# Meteor\n\nThe meteor speaker plays music of every kind.')
    const name = `returns-${documents - 1}.md`
    const better = '# Meteor\n\n## How long does the meteor speaker play on one charge?\n\nIt plays for 18 hours.'
    await test.upload(better, name, { canary: 'true' })
    const { status, body } = await test.call('POST', `${CANARY}/compare`, {
      doc_id: docId,
      version: 'v2',
      sample_queries: ['How long does the meteor speaker play on one charge?'],
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      doc_id: docId,
      version: 'v2',
      summary: { improved: 1, regressed: 0, unchanged: 0 },
      recommendation: 'promote',
    })
    const [query] = body.queries
    expect(query.main[0]).toMatchObject({
      content: 'The meteor speaker plays music of every kind.',
      collection: 'main',
      source: name,
    })
    expect(query.canary[0]).toMatchObject({ content: 'It plays for 18 hours.', collection: 'canary', doc_id: docId })
    expect(query.verdict).toBe('improved')
    expect(query.top_score_delta).toBeCloseTo(query.canary[0].score - query.main[0].score, 10)
    expect(query.overlap_at_k).toBeLessThan(1)
    expect(body.summary.canary_avg_score).toBeGreaterThan(body.summary.main_avg_score)
    const scores = query.canary.map(({ score }: { score: number }) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
  })

  it('holds back what finds less', async () => {
    const docId = await document('# Comet\n\n## How long is the comet cable?\n\nThe comet cable is two metres long.')
    const name = `returns-${documents - 1}.md`
    await test.upload('# Something else\n\nNothing of what stood here is left.', name, { canary: 'true' })
    const { body } = await test.call('POST', `${CANARY}/compare`, {
      doc_id: docId,
      version: 'v2',
      sample_queries: ['How long is the comet cable?'],
    })
    expect(body).toMatchObject({ summary: { regressed: 1 }, recommendation: 'hold' })
  })

  it('finds no difference in the active version', async () => {
    const docId = await document('# Nebula\n\nThe nebula pen writes green.')
    const { body } = await test.call('POST', `${CANARY}/compare`, {
      doc_id: docId,
      version: 'v1',
      sample_queries: ['nebula pen', 'goods sent back'],
    })
    expect(body).toMatchObject({ summary: { unchanged: 2 }, recommendation: 'hold' })
    expect(body.queries[0].canary).toEqual(body.queries[0].main)
  })

  it('calls a version of the same words unchanged, also for questions about something else', async () => {
    const docId = await document('# Quasar\n\nThe quasar kettle boils in three minutes.')
    const name = `returns-${documents - 1}.md`
    await test.upload('# Quasar\n\nThe quasar kettle boils in three minutes.\n', name, { canary: 'true' })
    const { body } = await test.call('POST', `${CANARY}/compare`, {
      doc_id: docId,
      version: 'v2',
      sample_queries: ['How fast does the quasar kettle boil?', 'What does the aurora lamp cost?'],
    })
    expect(body.summary).toMatchObject({ improved: 0, regressed: 0, unchanged: 2 })
  })
})
