import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const DOCUMENTS = '/api/v1/knowledge/documents'
const STATS = '/api/v1/knowledge/stats'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const stats = async () => (await test.call('GET', STATS)).body
const detail = async (docId: string) => (await test.call('GET', `${DOCUMENTS}/${docId}`)).body
async function found(query: string): Promise<{ content: string; source: string; score: number }[]> {
  return (await test.call('POST', '/api/v1/agent/sessions/none/knowledge-recommend', { query, top_k: 50 })).body.chunks
}

describe('POST /knowledge/ingest', () => {
  it('registers a document on demand only', async () => {
    const before = await stats()
    const loose = await test.upload('# Loose\n\nThe walnut shelf holds books.', 'loose.md')
    expect(loose).toMatchObject({
      status: 200,
      body: { source: 'loose.md', chunk_count: 1, status: 'success', errors: [], version: null, unchanged: false },
    })
    expect((await found('walnut shelf books'))[0]).toMatchObject({ source: 'loose.md' })
    expect(await detail(loose.body.doc_id)).toMatchObject({ status: 'not_found' })
    expect((await test.call('GET', `${DOCUMENTS}?q=loose.md`)).body).toMatchObject({ items: [], total: 0 })
    expect(await stats()).toMatchObject({
      total_chunks: before.total_chunks + 1,
      total_documents: before.total_documents + 1,
      knowledge_version: before.knowledge_version + 1,
    })
  })

  it('replaces an unregistered document, and keeps its versions once it is registered', async () => {
    await test.upload('# Cup\n\nThe cup is red.', 'cup.md')
    await test.upload('# Cup\n\nThe cup is green.', 'cup.md')
    const registered = (await test.upload('# Cup\n\nThe cup is blue.', 'cup.md', { register: 'true' })).body
    expect(registered.version).toBe('v1')
    const next = (await test.upload('# Cup\n\nThe cup is white.', 'cup.md')).body
    expect(next.version).toBe('v2')
    const cups = (await found('the cup is red green blue white')).filter(({ source }) => source === 'cup.md')
    expect(cups.map(({ content }) => content)).toEqual(['The cup is white.'])
  })

  it('registers what is there already, when it is asked to', async () => {
    const content = '# Tray\n\nThe tray is made of tin.'
    await test.upload(content, 'tray.md')
    const registered = (await test.upload(content, 'tray.md', { register: 'true' })).body
    expect(registered).toMatchObject({ version: 'v1', status: 'success' })
    expect(await detail(registered.doc_id)).toMatchObject({ status: 'active', current_version: 'v1' })
  })

  it('adds no version for the same content, and takes over what is said of it', async () => {
    const content = '# Bowl\n\nThe bowl is round.'
    const first = (await test.upload(content, 'bowl.md', { register: 'true', knowledge_type: 'doc' })).body
    const second = (await test.upload(content, 'bowl.md', { register: 'true', knowledge_type: 'policy' })).body
    expect(second).toMatchObject({ doc_id: first.doc_id, version: 'v1', unchanged: true, chunk_count: 1 })
    const [listed] = (await test.call('GET', `${DOCUMENTS}?q=bowl.md`)).body.items
    expect(listed).toMatchObject({ knowledge_type: 'policy', current_version: 'v1' })
  })

  it('keeps what the form says of the document', async () => {
    await test.upload('# Fork\n\nThe fork has four tines.', 'fork.md', {
      register: 'true',
      product_category: 'cutlery',
      applicable_version: '2026',
      knowledge_type: 'tutorial',
      published_at: '2026-01-31T09:30:00+08:00',
    })
    const [listed] = (await test.call('GET', `${DOCUMENTS}?q=fork.md`)).body.items
    expect(listed).toMatchObject({
      product_category: 'cutlery',
      applicable_version: '2026',
      knowledge_type: 'tutorial',
    })
    await test.upload('# Knife\n\nThe knife is sharp.', 'knife.md', { register: 'true' })
    const [usual] = (await test.call('GET', `${DOCUMENTS}?q=knife.md`)).body.items
    expect(usual).toMatchObject({ product_category: 'unknown', applicable_version: 'latest', knowledge_type: 'doc' })
  })

  it.each(['faq', 'policy', 'doc', 'tutorial', 'ticket'])('takes the knowledge type %s', async (knowledge_type) => {
    expect((await test.upload('# Type\n\nText.', `type-${knowledge_type}.md`, { knowledge_type })).status).toBe(200)
  })

  it.each([
    [{ knowledge_type: 'novel' }, 'knowledge_type'],
    [{ published_at: 'yesterday' }, 'published_at'],
    [{ register: 'perhaps' }, 'register'],
    [{ validate_quality: 'perhaps' }, 'validate_quality'],
    [{ canary: 'perhaps' }, 'canary'],
    [{ product_category: 'x'.repeat(201) }, 'product_category'],
  ])('answers 422 for %j', async (fields, name) => {
    const { status, body } = await test.upload('# X\n\nText.', 'x.md', fields)
    expect([status, body.detail]).toEqual([422, expect.stringMatching(new RegExp(`^${name}: `))])
  })

  it('answers 400 for a file that it cannot read, and keeps the version before', async () => {
    await test.upload('{"question": "Why?", "answer": "Because."}', 'data.json', { register: 'true' })
    for (const content of ['', '{"question": ', 'MZ\u0090\u0000\u0003'])
      expect((await test.upload(content, 'data.json', { register: 'true' })).status).toBe(400)
    expect((await test.upload('text', 'program.exe')).status).toBe(400)
    const [listed] = (await test.call('GET', `${DOCUMENTS}?q=data.json`)).body.items
    expect(listed).toMatchObject({ current_version: 'v1', status: 'active', chunk_count: 1 })
  })

  it('gives uploads of one document at the same time one version each', async () => {
    const contents = Array.from({ length: 8 }, (_, i) => `# Race\n\nRunner ${i} arrives.`)
    const answers = await Promise.all(contents.map((content) => test.upload(content, 'race.md', { register: 'true' })))
    expect(answers.map(({ body }) => body.version).sort()).toEqual(contents.map((_, i) => `v${i + 1}`))
    const { versions } = await detail(answers[0]!.body.doc_id)
    expect(versions.map(({ status }: { status: string }) => status)).toEqual([...Array(7).fill('superseded'), 'active'])
    expect((await found('runner arrives race')).filter(({ source }) => source === 'race.md')).toHaveLength(1)
  })
})

describe('GET /knowledge/stats', () => {
  it('counts what customers can find', async () => {
    expect(await stats()).toMatchObject({
      total_chunks: expect.any(Number),
      total_documents: expect.any(Number),
      collection_name: 'main',
      embedding_dim: 128,
      rebuild: null,
    })
    const before = await stats()
    await test.upload('# Hidden\n\nOnly tried.', 'hidden.md', { canary: 'true' })
    expect(await stats()).toMatchObject({ total_chunks: before.total_chunks, total_documents: before.total_documents })
  })
})

describe('GET /knowledge/documents', () => {
  it('lists registered documents in pages, most recently changed first', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) {
      await test.upload(`# ${name}\n\nPaged.`, `paged-${name}.md`, { register: 'true', knowledge_type: 'faq' })
    }
    const page = async (query: string) => (await test.call('GET', `${DOCUMENTS}?q=paged-&${query}`)).body
    const names = ({ items }: { items: { source: string }[] }) => items.map(({ source }) => source)
    expect(names(await page('limit=200'))).toEqual(['p5', 'p4', 'p3', 'p2', 'p1'].map((name) => `paged-${name}.md`))
    const second = await page('limit=2&offset=2')
    expect(second).toMatchObject({ total: 5, limit: 2, offset: 2 })
    expect(names(second)).toEqual(['paged-p3.md', 'paged-p2.md'])
    expect(await page('offset=5')).toMatchObject({ items: [], total: 5, limit: 20, offset: 5 })
    expect((await page('knowledge_type=policy')).total).toBe(0)
    expect((await page('knowledge_type=faq&status=active')).total).toBe(5)
  })

  it('finds by part of the source, without pattern characters, or by doc_id', async () => {
    const { doc_id } = (await test.upload('# Odd\n\nName.', '100%_odd.md', { register: 'true' })).body
    const total = async (q: string) => (await test.call('GET', `${DOCUMENTS}?q=${encodeURIComponent(q)}`)).body.total
    expect(await total('100%_odd')).toBe(1)
    expect(await total('ODD.MD')).toBe(1)
    expect(await total(doc_id)).toBe(1)
    expect(await total('1_0%')).toBe(0)
  })

  it.each([
    ['limit=0', 422],
    ['limit=201', 422],
    ['limit=x', 422],
    ['limit=1.5', 422],
    ['offset=-1', 422],
    ['status=lost', 400],
    ['knowledge_type=novel', 400],
  ])('refuses ?%s with %d', async (query, status) => {
    expect((await test.call('GET', `${DOCUMENTS}?${query}`)).status).toBe(status)
  })
})

describe('GET /knowledge/documents/{doc_id}', () => {
  it('shows a document with its versions', async () => {
    const contents = ['# Vase\n\nThe vase is old.', '# Vase\n\nThe vase is new.']
    let docId = ''
    for (const content of contents) docId = (await test.upload(content, 'vase.md', { register: 'true' })).body.doc_id
    const body = await detail(docId)
    expect(body).toMatchObject({ doc_id: docId, source: 'vase.md', current_version: 'v2', status: 'active' })
    expect(body.versions).toEqual(
      contents.map((content, i) => ({
        version: `v${i + 1}`,
        doc_hash: createHash('sha256').update(content).digest('hex'),
        status: i === 1 ? 'active' : 'superseded',
        chunk_count: 1,
        created_at: expect.stringMatching(/Z$/),
      })),
    )
    expect(body.updated_at >= body.created_at).toBe(true)
  })

  it('is 200 with an empty detail for an unknown one', async () => {
    expect(await test.call('GET', `${DOCUMENTS}/doc_none`)).toMatchObject({
      status: 200,
      body: { doc_id: 'doc_none', source: '', current_version: '', status: 'not_found', versions: [] },
    })
  })
})

describe('DELETE /knowledge/documents/{doc_id}', () => {
  it('removes all chunks and says how many', async () => {
    const rows = 'question,answer\nWhat is the desk top?,A marble top.\nWhat are the desk legs?,Marble legs.'
    const { doc_id, chunk_count } = (await test.upload(rows, 'desk.csv', { register: 'true' })).body
    expect(chunk_count).toBe(2)
    expect(await test.call('DELETE', `${DOCUMENTS}/${doc_id}`)).toMatchObject({
      status: 200,
      body: { doc_id, deleted_chunks: 2, success: true },
    })
    expect((await found('marble desk')).some(({ source }) => source === 'desk.csv')).toBe(false)
    expect(await detail(doc_id)).toMatchObject({
      status: 'deleted',
      current_version: '',
      versions: [{ version: 'v1', status: 'superseded', chunk_count: 0 }],
    })
    expect((await test.call('GET', `${DOCUMENTS}?q=desk.csv&status=deleted`)).body).toMatchObject({
      items: [{ doc_id, status: 'deleted', current_version: null, chunk_count: 0 }],
    })
    expect((await test.call('DELETE', `${DOCUMENTS}/${doc_id}`)).body).toMatchObject({
      deleted_chunks: 0,
      success: true,
    })
    expect((await test.upload(rows, 'desk.csv', { register: 'true' })).body).toMatchObject({ version: 'v2' })
  })

  it('removes an unregistered document altogether', async () => {
    const { doc_id } = (await test.upload('# Rug\n\nThe rug is soft.', 'rug.md')).body
    expect((await test.call('DELETE', `${DOCUMENTS}/${doc_id}`)).body).toMatchObject({ deleted_chunks: 1 })
    expect((await test.call('DELETE', `${DOCUMENTS}/${doc_id}`)).status).toBe(404)
  })

  it('answers 404 for an unknown one', async () => {
    const { status, body } = await test.call('DELETE', `${DOCUMENTS}/doc_none`)
    expect([status, body]).toEqual([404, { detail: 'No document has the doc_id doc_none' }])
  })
})
