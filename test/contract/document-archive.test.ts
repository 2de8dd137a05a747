import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const DOCUMENTS = '/api/v1/knowledge/documents'
const TEXT = '# Ferry\n\nThe ferry to the island leaves at noon.'

let test: TestApp
let folder: string
let docId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'))
  test = await createTestApp({ FILE_ROOTS: folder })
  docId = (await test.upload(TEXT, 'ferry.md', { register: 'true', product_category: 'travel' })).body.doc_id
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
})

const archive = (id: string) => test.call('POST', `${DOCUMENTS}/${id}/archive`)
const findsFerry = async (): Promise<boolean> => {
  const { body } = await test.call('POST', '/api/v1/knowledge/search', { query: 'When does the ferry leave?' })
  return body.hits.some(({ source }: { source: string }) => source === 'ferry.md')
}
const sources = async (query: string): Promise<string[]> =>
  (await test.call('GET', `${DOCUMENTS}?sort=source&${query}`)).body.items.map(
    ({ source }: { source: string }) => source,
  )

describe('POST /knowledge/documents/{doc_id}/archive', () => {
  it('takes a document out of use, from where a rollback brings it back', async () => {
    expect(await findsFerry()).toBe(true)
    expect((await archive(docId)).body).toEqual({
      ...{ doc_id: docId, source: 'ferry.md', status: 'archived', previous_version: 'v1' },
    })
    expect(await findsFerry()).toBe(false)
    expect(await sources('status=archived')).toEqual(['ferry.md'])
    expect((await test.call('GET', `${DOCUMENTS}/${docId}`)).body).toMatchObject({
      ...{
        status: 'archived',
        current_version: '',
        versions: [{ version: 'v1', status: 'superseded', chunk_count: 1 }],
      },
    })
    expect((await archive(docId)).body.previous_version).toBe(null)

    await test.call('POST', `${DOCUMENTS}/${docId}/rollback`, { target_version: 'v1' })
    expect(await findsFerry()).toBe(true)
    expect(await sources('status=archived')).toEqual([])
  })

  it('is undone by loading the file again, and registers what was not', async () => {
    const { body } = await test.upload('# Train\n\nThe train runs hourly.', 'train.md')
    expect((await archive(body.doc_id)).status).toBe(200)
    expect(await sources('status=archived')).toEqual(['train.md'])
    const again = await test.upload('# Train\n\nThe train runs hourly.', 'train.md', { register: 'true' })
    expect(again.body).toMatchObject({ version: 'v2', unchanged: false })
    expect(await sources('status=archived')).toEqual([])
  })

  it('is left alone by updates of its folder', async () => {
    const update = async () => (await test.call('POST', '/api/v1/update/full', { dir_path: folder })).body
    await writeFile(join(folder, 'bus.md'), '# Bus\n\nThe bus stops here.')
    const [taken] = (await update()).files
    await archive(taken.doc_id)
    await writeFile(join(folder, 'bus.md'), '# Bus\n\nThe bus stops elsewhere.')
    expect(await update()).toMatchObject({ skipped: 1, updated: 0, added: 0 })
    await rm(join(folder, 'bus.md'))
    expect(await update()).toMatchObject({ deleted: 0 })
    expect(await sources('status=archived')).toEqual([join(folder, 'bus.md')])
  })

  it('is 404 for what nobody knows and 409 for what is deleted', async () => {
    expect((await archive('nothing')).status).toBe(404)
    const { body } = await test.upload('# Gone\n\nThis goes.', 'gone.md', { register: 'true' })
    await test.call('DELETE', `${DOCUMENTS}/${body.doc_id}`)
    expect((await archive(body.doc_id)).status).toBe(409)
  })
})

describe('what is known of documents', () => {
  it('is what lists are narrowed by', async () => {
    await test.upload('# 渡轮\n\n渡轮中午从码头出发。', 'ferry.zh.md', { register: 'true', product_category: 'travel' })
    expect(await sources('language=zh')).toEqual(['ferry.zh.md'])
    expect(await sources('product_category=travel')).toEqual(['ferry.md', 'ferry.zh.md'])
    expect(await sources('product_category=travel&language=en')).toEqual(['ferry.md'])
    const { body } = await test.call('GET', '/api/v1/knowledge/stats')
    expect(body.categories).toContainEqual({ name: 'travel', documents: 2 })
    expect(body.languages).toContainEqual({ name: 'zh', documents: 1 })
    expect((await test.call('GET', `${DOCUMENTS}?language=Chinese`)).status).toBe(422)
  })

  it('can be changed without the file', async () => {
    const set = (body: object) => test.call('PUT', `${DOCUMENTS}/${docId}`, body)
    expect((await set({ knowledge_type: 'policy', product_category: ' boats ' })).body).toMatchObject({
      ...{ knowledge_type: 'policy', product_category: 'boats' },
    })
    expect(await sources('product_category=boats&knowledge_type=policy')).toEqual(['ferry.md'])
    expect((await set({ product_category: '' })).body.product_category).toBe('unknown')
    expect((await set({ knowledge_type: 'poem' })).status).toBe(422)
  })
})
