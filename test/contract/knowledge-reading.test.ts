import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'

const DOCUMENTS = '/api/v1/knowledge/documents'
const FIRST =
  '# Kettles\n\n## Returns\n\nKettles may be returned within 14 days.\n\n## Care\n\nClean the kettle with vinegar.'
const SECOND = FIRST.replace('14 days', '30 days').replace('with vinegar', 'with citric acid and water')

let test: TestApp
let docId: string
beforeAll(async () => {
  test = await createTestApp()
  for (const content of [FIRST, SECOND]) {
    docId = (await test.upload(content, 'kettles 说明.md', { register: 'true' })).body.doc_id
  }
})
afterAll(() => test.close())

const get = (path: string, id = docId) => test.call('GET', `${DOCUMENTS}/${id}/versions${path}`)
const download = (version: string, id = docId) =>
  test.app.inject({ method: 'GET', url: `${DOCUMENTS}/${id}/versions/${version}/file` })

describe('GET …/versions', () => {
  it('lists versions newest first, with the file of each', async () => {
    const { status, body } = await get('')
    expect(status).toBe(200)
    expect(body.items.map(({ version, status: state }: Listed) => [version, state])).toEqual([
      ['v2', 'active'],
      ['v1', 'superseded'],
    ])
    expect(body.items[0].file).toEqual({ name: 'kettles 说明.md', size: Buffer.byteLength(SECOND) })
    expect((await get('?limit=1&before=v2')).body.items.map(({ version }: Listed) => version)).toEqual(['v1'])
  })

  it('refuses what is no page, and unknown documents', async () => {
    expect((await get('?limit=0')).status).toBe(422)
    expect((await get('?before=latest')).body.detail).toContain('before')
    expect((await get('', 'doc_none')).status).toBe(404)
    const { body } = await test.upload('# Loose\n\nA loose sheet of paper.', 'loose.md')
    expect((await get('', body.doc_id)).status).toBe(404)
  })
})

describe('GET …/versions/{version}/chunks', () => {
  it('gives the passages of any version, page by page', async () => {
    const { body } = await get('/v1/chunks?limit=1')
    expect(body).toMatchObject({ version: 'v1', total: 2, items: [{ ordinal: 0, heading_path: ['Returns'] }] })
    const rest = await get(`/v1/chunks?after=${body.items[0].ordinal}`)
    expect(rest.body.items.map(({ ordinal }: { ordinal: number }) => ordinal)).toEqual([1])
    expect(rest.body.items[0].content).toContain('vinegar')
  })

  it('shows each passage once while a copy of the version is in canary', async () => {
    await test.call('POST', '/api/v1/knowledge/canary/ingest', { doc_id: docId, version: 'v2' })
    expect((await get('/v2/chunks')).body.items).toHaveLength(2)
    await test.call('POST', '/api/v1/knowledge/canary/withdraw', { doc_id: docId, version: 'v2' })
  })

  it.each([
    ['/v9/chunks', 404],
    ['/v1/chunks?limit=201', 422],
    ['/v1/chunks?after=-1', 422],
  ])('answers %s with %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })
})

describe('GET …/versions/{version}/diff', () => {
  it('tells what changed against the version before, word by word', async () => {
    const { status, body } = await get('/v2/diff')
    expect([status, body.from, body.to, body.changed, body.is_complete]).toEqual([200, 'v1', 'v2', 2, true])
    const [line] = body.lines.filter(({ kind }: { kind: string }) => kind === 'changed')
    expect(line.words.filter(({ kind }: { kind: string }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: '14' },
      { kind: 'added', text: '30' },
    ])
  })

  it('compares any two versions', async () => {
    expect((await get('/v1/diff?against=v2')).body).toMatchObject({ from: 'v2', to: 'v1', changed: 2 })
    expect((await get('/v2/diff?against=v2')).body).toMatchObject({ lines: [], changed: 0 })
  })

  it('answers 404 for what is not there and 409 for what was deleted', async () => {
    expect((await get('/v1/diff')).status).toBe(404)
    expect((await get('/v2/diff?against=v7')).status).toBe(404)
    expect((await get('/v2/diff?against=')).status).toBe(422)
    const gone = (await test.upload(FIRST, 'gone.md', { register: 'true' })).body.doc_id
    await test.call('DELETE', `${DOCUMENTS}/${gone}`)
    await test.upload(SECOND, 'gone.md', { register: 'true' })
    expect((await get('/v2/diff?against=v1', gone)).status).toBe(409)
    expect((await get('/v1/file', gone)).status).toBe(404)
    expect((await get('/v2/file', gone)).status).toBe(200)
    await test.call('DELETE', `${DOCUMENTS}/${gone}`)
  })
})

describe('GET …/versions/{version}/file', () => {
  it('hands the file out as it was uploaded, to be saved and never shown', async () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i < 200 ? 97 + (i % 26) : 32))
    const { body } = await test.upload(bytes, 'letters 50%.html', { register: 'true' })
    const response = await download('v1', body.doc_id)
    expect(response.statusCode).toBe(200)
    expect(createHash('sha256').update(response.rawPayload).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    )
    expect(response.headers).toMatchObject({
      'content-type': expect.stringContaining('text/plain'),
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="letters 50_.html"; filename*=UTF-8''letters%2050%25.html`,
    })
    const chinese = await download('v1')
    expect(chinese.payload).toBe(FIRST)
    expect(chinese.headers['content-disposition']).toContain(`filename*=UTF-8''kettles%20%E8%AF%B4%E6%98%8E.md`)
  })

  it('says why where there is none, and keeps it when the same content comes again', async () => {
    await test.db.executor.executeQuery({
      sql: 'delete from knowledge_originals where doc_id = $1 and version_no = 2',
      parameters: [docId],
      // biome-ignore lint/suspicious/noExplicitAny: a statement as the driver takes it
    } as any)
    const { status, body } = await get('/v2/file')
    expect([status, body.detail]).toEqual([404, expect.stringContaining('is not kept')])
    await test.upload(SECOND, 'kettles 说明.md', { register: 'true' })
    expect((await download('v2')).payload).toBe(SECOND)
    expect((await get('/v9/file')).status).toBe(404)
  })

  it('counts what files take, and drops those of old versions first', async () => {
    const small = await createTestApp({ ORIGINALS_MAX_MB: '1' })
    const page = (i: number) => `# Page ${i}\n\nThis page is about the number ${i}.\n\n${' '.repeat(400_000)}`
    for (const i of [1, 2, 3]) await small.upload(page(i), 'page.md', { register: 'true' })
    const { body } = await small.upload(page(4), 'other.md', { register: 'true' })
    const stats = (await small.call('GET', '/api/v1/knowledge/stats')).body
    expect(stats.original_bytes).toBeGreaterThan(800_000)
    expect(stats.original_bytes).toBeLessThanOrEqual(1_048_576)
    const other = await small.call('GET', `${DOCUMENTS}/${body.doc_id}/versions`)
    expect(other.body.items[0].file).not.toBeNull()
    await small.close()
    const none = await createTestApp({ ORIGINALS_MAX_MB: '0' })
    const { body: kept } = await none.upload(FIRST, 'page.md', { register: 'true' })
    expect((await none.call('GET', `${DOCUMENTS}/${kept.doc_id}/versions/v1/file`)).status).toBe(404)
    await none.close()
  })
})

describe('POST …/versions/{version}/replay', () => {
  const replay = (version: string, body?: unknown, id = docId) =>
    test.call('POST', `${DOCUMENTS}/${id}/versions/${version}/replay`, body)
  const ask = (message: string) => test.call('POST', '/api/v1/chat', { message, session_id: '', channel: 'web' })

  it('names the questions that another version answers otherwise', async () => {
    await ask('Within how many days may I return a kettle?')
    await ask('Do you sell umbrellas in Norway?')
    const cases = JSON.stringify([{ query: 'How do I clean my kettle?' }])
    const { body: form, contentType } = encodeForm(cases, 'own.json', { name: 'own' })
    await test.call('POST', '/api/v1/evaluation/testsets', form, { 'content-type': contentType })
    const { status, body } = await replay('v1')
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: 'v2', to: 'v1', is_complete: true })
    const byQuestion = new Map(body.items.map((item: Item) => [item.question, item]))
    expect(byQuestion.get('Within how many days may I return a kettle?')).toMatchObject({
      ...{ origin: 'conversation', change: 'changed' },
      before: { reply: expect.stringContaining('30 days') },
      after: { reply: expect.stringContaining('14 days') },
    })
    expect(byQuestion.has('Do you sell umbrellas in Norway?')).toBe(false)
    expect(body.summary.changed + body.summary.answered + body.summary.worse + body.summary.improved).toBe(
      body.items.length,
    )
    expect(body.asked).toBe(body.items.length + body.summary.unchanged)
    const one = await replay('v2', { against: 'v1', limit: 1 })
    expect(one.body).toMatchObject({ from: 'v1', to: 'v2', asked: 1, is_complete: false })
  })

  it('refuses what it cannot do', async () => {
    expect((await replay('v9')).status).toBe(404)
    expect((await replay('v1', {}, 'doc_none')).status).toBe(404)
    expect((await replay('v1', { limit: 501 })).status).toBe(422)
    expect((await replay('v1', { against: 'v9' })).status).toBe(404)
    const single = (await test.upload('# One\n\nOne version only.', 'one.md', { register: 'true' })).body.doc_id
    expect((await replay('v1', {}, single)).status).toBe(404)
  })
})

it('asks for a key where one is set', async () => {
  const keyed = await createTestApp({ API_KEY: 'secret' })
  for (const path of ['', '/v1/chunks', '/v1/diff', '/v1/file']) {
    const answer = await keyed.call('GET', `${DOCUMENTS}/doc_x/versions${path}`, undefined, { 'x-api-key': 'wrong' })
    expect(answer.status).toBe(401)
  }
  await keyed.close()
})

interface Listed {
  version: string
  status: string
}
interface Item {
  question: string
}
