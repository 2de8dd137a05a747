import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/support/test-app.ts'

describe('knowledge endpoints', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())

  it('registers a document, versions it, and deletes it', async () => {
    const first = await test.upload('# Returns\n\nYou may return goods within 7 days.', 'returns.md', {
      register: 'true',
    })
    expect(first).toMatchObject({
      status: 200,
      body: { source: 'returns.md', chunk_count: 1, status: 'success', errors: [] },
    })
    const second = await test.upload('# Returns\n\nYou may return goods within 14 days.', 'returns.md', {
      register: 'true',
    })
    expect(second.body).toMatchObject({ doc_id: first.body.doc_id, version: 'v2' })

    const detail = await test.call('GET', `/api/v1/knowledge/documents/${first.body.doc_id}`)
    expect(detail.body).toMatchObject({ current_version: 'v2', status: 'active' })
    expect(detail.body.versions.map((v: { version: string; status: string }) => [v.version, v.status])).toEqual([
      ['v1', 'superseded'],
      ['v2', 'active'],
    ])

    const removed = await test.call('DELETE', `/api/v1/knowledge/documents/${first.body.doc_id}`)
    expect(removed.body).toEqual({ doc_id: first.body.doc_id, deleted_chunks: 2, success: true })
    expect((await test.call('GET', `/api/v1/knowledge/documents/${first.body.doc_id}`)).body.status).toBe('deleted')
  })
})
