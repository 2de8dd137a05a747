import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const DOCUMENTS = '/api/v1/knowledge/documents'

let test: TestApp
const ids: Record<string, string> = {}
beforeAll(async () => {
  test = await createTestApp()
  const upload = async (name: string, sections: number, fields: Record<string, string>) => {
    const text = Array.from(
      { length: sections },
      (_, i) => `## Part ${i}\n\nPart ${i} of ${name} is about item ${i}${name}.`,
    )
    ids[name] = (await test.upload(`# ${name}\n\n${text.join('\n\n')}`, name, fields)).body.doc_id
  }
  await upload('b.md', 30, { register: 'true' })
  await upload('a.md', 1, { register: 'true', audience: 'staff', url: 'https://shop.example/a' })
  await upload('c.md', 1, { register: 'true' })
  await upload('loose.md', 1, {})
  await upload('loose-staff.md', 1, { audience: 'staff' })
})
afterAll(() => test.close())

const list = async (query: string) => (await test.call('GET', `${DOCUMENTS}?${query}`)).body
const sources = async (query: string): Promise<string[]> =>
  (await list(query)).items.map(({ source }: { source: string }) => source)
const register = (docId: string) => test.call('POST', `${DOCUMENTS}/${docId}/register`)

describe('GET /knowledge/documents', () => {
  it('is sorted and filtered; by default as specified', async () => {
    expect(await sources('')).toEqual(['c.md', 'a.md', 'b.md'])
    expect(await sources('sort=source')).toEqual(['a.md', 'b.md', 'c.md'])
    expect((await sources('sort=chunk_count'))[0]).toBe('b.md')
    expect(await sources('sort=created_at&limit=1&offset=1')).toEqual(['a.md'])
    expect(await sources('audience=staff')).toEqual(['a.md'])
    expect(await sources('audience=customers&q=b')).toEqual(['b.md'])
    expect((await list('audience=staff')).items[0]).toMatchObject({
      ...{ audience: 'staff', registered: true, url: 'https://shop.example/a', current_version: 'v1' },
    })
    for (const [query, status] of Object.entries({ 'sort=size': 400, 'audience=all': 400, 'registered=x': 422 }))
      expect([query, (await test.call('GET', `${DOCUMENTS}?${query}`)).status]).toEqual([query, status])
  })

  it('shows what was uploaded without registering it', async () => {
    expect(await list('registered=false&sort=source')).toMatchObject({
      total: 2,
      items: [
        { source: 'loose-staff.md', registered: false, current_version: null, status: 'active', audience: 'staff' },
        { source: 'loose.md', registered: false, current_version: null, chunk_count: 1 },
      ],
    })
    expect(await sources('registered=false&audience=customers')).toEqual(['loose.md'])
  })

  it('lets these be deleted', async () => {
    const { body } = await test.upload('# Old\n\nThe old ferry timetable.', 'old.md')
    expect(await sources('registered=false&q=old')).toEqual(['old.md'])
    expect((await test.call('DELETE', `${DOCUMENTS}/${body.doc_id}`)).body).toMatchObject({ deleted_chunks: 1 })
    expect(await sources('registered=false&q=old')).toEqual([])
  })
})

describe('POST /knowledge/documents/{doc_id}/register', () => {
  it('keeps versions from then on, with what is there as the first', async () => {
    const docId = ids['loose.md'] as string
    expect((await test.call('GET', `${DOCUMENTS}/${docId}`)).body.status).toBe('not_found')
    expect(await register(docId)).toMatchObject({
      ...{ status: 200, body: { doc_id: docId, registered: true, current_version: 'v1', audience: 'customers' } },
    })
    expect((await register(docId)).status).toBe(200)
    expect((await test.call('GET', `${DOCUMENTS}/${docId}`)).body).toMatchObject({ current_version: 'v1' })
    const next = await test.upload('# Loose\n\nNow it says something else about ferries.', 'loose.md')
    expect(next.body.version).toBe('v2')
    expect((await test.call('GET', `${DOCUMENTS}/${docId}/versions/v1/file`)).status).toBe(200)
    expect(await sources('registered=false')).toEqual(['loose-staff.md'])
  })

  it('answers 404 for what is not there and 401 without the key', async () => {
    expect((await register('doc_none')).status).toBe(404)
    const keyed = await createTestApp({ API_KEY: 'secret' })
    const answer = await keyed.call('POST', `${DOCUMENTS}/x/register`, undefined, { 'x-api-key': 'no' })
    expect(answer.status).toBe(401)
    await keyed.close()
  })

  it('is done once by two who do it at once, also while the file is uploaded again', async () => {
    const docId = ids['loose-staff.md'] as string
    const answers = await Promise.all([
      register(docId),
      register(docId),
      test.upload('# New\n\nAnother text for staff.', 'loose-staff.md', { register: 'true' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { body } = await test.call('GET', `${DOCUMENTS}/${docId}`)
    expect(body.versions.filter(({ status }: { status: string }) => status === 'active')).toHaveLength(1)
  })
})
