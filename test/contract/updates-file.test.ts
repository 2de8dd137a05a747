import { rm } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TestApp } from '../support/test-app.ts'
import { openUpdatedFolder } from './support/updated-folder.ts'

const FULL = '/api/v1/update/full'
const INCREMENTAL = '/api/v1/update/incremental'
const FILE = '/api/v1/update/file'
const STATUS = '/api/v1/update/status'

const opened = openUpdatedFolder()
const { at, put, update, registered, versions } = opened
let test: TestApp
beforeEach(() => {
  ;({ test } = opened)
})

describe('POST /update/file', () => {
  const file = (path: string, metadata?: object) =>
    test.call('POST', FILE, { file_path: path, ...(metadata ? { metadata } : {}) })

  it('takes in one file and registers its versions', async () => {
    await put({ 'a.md': '# A\n\nOne.' })
    const first = await file(at('a.md'))
    expect(first).toMatchObject({
      status: 200,
      body: { scanned: 1, added: 1, failed: 0, status: 'added', version: 'v1', path: at('a.md') },
    })
    expect(first.body.files).toMatchObject([{ path: at('a.md'), status: 'added', doc_id: first.body.doc_id }])
    await put({ 'a.md': '# A\n\nTwo.' })
    expect((await file(at('a.md'))).body).toMatchObject({ updated: 1, version: 'v2', doc_id: first.body.doc_id })
    expect((await file(at('a.md'))).body).toMatchObject({ skipped: 1, updated: 0, status: 'skipped', files: [] })
    expect((await test.call('GET', STATUS)).body.last_update).toMatchObject({ scanned: 1, skipped: 1 })
  })

  it('is the same document as that of its folder, and is deleted with it', async () => {
    await put({ 'a.md': '# A\n\nOne.', 'b.md': '# B\n\nTwo.' })
    await file(at('a.md'))
    expect((await update(FULL)).body).toMatchObject({ skipped: 1, added: 1 })
    await rm(at('a.md'))
    expect((await update(FULL)).body).toMatchObject({ deleted: 1 })
  })

  it('overrides metadata, which later updates keep', async () => {
    await put({ 'a.md': '# A\n\nOne.' })
    const metadata = { knowledge_type: 'policy', product_category: 'sofas', published_at: '2026-01-31' }
    await file(at('a.md'), metadata)
    expect((await registered())['a.md']).toMatchObject({ knowledge_type: 'policy', product_category: 'sofas' })
    expect((await file(at('a.md'), { product_category: 'chairs' })).body).toMatchObject({ updated: 1, version: 'v1' })
    expect((await file(at('a.md'), { ...metadata, product_category: 'chairs' })).body).toMatchObject({ skipped: 1 })
    await put({ 'a.md': '# A\n\nTwo.' })
    await update(INCREMENTAL)
    expect((await registered())['a.md']).toMatchObject({ knowledge_type: 'policy', product_category: 'chairs' })
  })

  it('names the document as `source` says, which later updates and citations keep', async () => {
    await put({ 'a.md': '# A\n\nThe vermilion vase.', 'b.md': '# B\n\nOther.' })
    const first = (await file(at('a.md'), { source: ' guides/vases.md ' })).body
    expect(first).toMatchObject({ status: 'added', version: 'v1' })
    const detail = async () => (await test.call('GET', `/api/v1/knowledge/documents/${first.doc_id}`)).body
    expect(await detail()).toMatchObject({ source: 'guides/vases.md', current_version: 'v1' })
    expect((await test.call('POST', '/api/v1/chat', { message: 'vermilion vase' })).body.data.sources).toMatchObject([
      { source: 'guides/vases.md' },
    ])
    expect((await file(at('a.md'))).body).toMatchObject({ status: 'skipped', doc_id: first.doc_id })
    expect((await file(at('a.md'), { source: 'guides/vases.md' })).body).toMatchObject({ status: 'skipped' })
    expect((await file(at('a.md'), { source: 'vases.md' })).body).toMatchObject({ status: 'updated', version: 'v1' })
    await put({ 'a.md': '# A\n\nThe vermilion vase is new.' })
    expect((await update(FULL)).body).toMatchObject({ updated: 1, added: 1 })
    expect(await detail()).toMatchObject({ source: 'vases.md', current_version: 'v2' })
    await rm(at('a.md'))
    expect((await update(FULL)).body).toMatchObject({ deleted: 1 })
    expect(await detail()).toMatchObject({ status: 'deleted' })
  })

  it.each([
    ['', 'must not be blank'],
    [' \t ', 'must not be blank'],
    ['a\u0000b', 'must not contain the character U+0000'],
    ['a\u0007b', 'must not hold control or format characters'],
    ['a\u202eb', 'must not hold control or format characters'],
    ['../../etc/passwd', 'must not lead to a folder above'],
    ['a/..\\b', 'must not lead to a folder above'],
    ['solution:sol_1', 'must not begin with "solution:"'],
    ['x'.repeat(501), 'must not have more than 500 characters'],
    [5, 'must be string'],
  ])('refuses the source %j and takes in nothing', async (source, reason) => {
    await put({ 'a.md': '# A\n\nOne.' })
    const refused = await file(at('a.md'), { source })
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringMatching(/^metadata.source: /)])
    expect(refused.body.detail).toContain(reason)
    expect(await versions()).toEqual({})
  })

  it.each([
    [{ knowledge_type: 'novel' }],
    [{ knowledge_type: 1 }],
    [{ product_category: '' }],
    [{ product_category: 'x'.repeat(201) }],
    [{ applicable_version: ['latest'] }],
    [{ published_at: 'yesterday' }],
    [{ published_at: 20260131 }],
    [[]],
    ['text'],
  ])('refuses the metadata %j and takes in nothing', async (metadata) => {
    await put({ 'a.md': '# A\n\nOne.' })
    expect((await file(at('a.md'), metadata as object)).status).toBe(422)
    expect(await versions()).toEqual({})
  })

  it('leaves out metadata that is null', async () => {
    await put({ 'a.md': '# A\n\nOne.' })
    expect((await file(at('a.md'), { knowledge_type: null })).body).toMatchObject({ added: 1 })
    expect((await test.call('POST', FILE, { file_path: at('a.md'), metadata: null })).body).toMatchObject({
      skipped: 1,
    })
  })

  it('answers 400 for what cannot be taken in', async () => {
    await put({ 'program.exe': 'MZ', 'empty.md': '', 'broken.json': '{' })
    for (const name of ['program.exe', 'empty.md', 'broken.json', 'missing.md', '.'])
      expect([name, (await file(at(name))).status]).toEqual([name, 400])
    expect(await versions()).toEqual({})
  })
})
