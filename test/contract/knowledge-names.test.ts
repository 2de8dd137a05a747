import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const DOCUMENTS = '/api/v1/knowledge/documents'
const SHIPPING =
  '# Shipping\n\nParcels leave our warehouse within two working days, and a tracking number follows by mail.\n'
const SALARIES = '# Dentistry\n\nBrush your teeth twice daily with fluoride paste and visit somebody who checks them.\n'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const detail = async (docId: string) => (await test.call('GET', `${DOCUMENTS}/${docId}`)).body
/** Names of documents with the passages that are found of each. */
async function passages(query: string): Promise<{ source: string; content: string }[]> {
  const { body } = await test.call('POST', '/api/v1/agent/sessions/x/knowledge-recommend', { query })
  return body.chunks
}
const found = async (query: string): Promise<string[]> => (await passages(query)).map(({ source }) => source)

describe('a second upload of the same file name', () => {
  it.each([{ register: 'true' }, {}])(
    'with %j is a version, and a warning where it has little in common',
    async (fields) => {
      const name = `same-${Object.keys(fields).length}.md`
      const first = (await test.upload(SHIPPING, name, fields)).body
      expect(first.errors).toEqual([])
      const revised = (await test.upload(`${SHIPPING}\nExpress takes one day.\n`, name, fields)).body
      expect(revised).toMatchObject({ doc_id: first.doc_id, errors: [] })
      const other = (await test.upload(SALARIES, name, fields)).body
      expect(other).toMatchObject({ doc_id: first.doc_id, status: 'success', source: name })
      const became = fields.register ? `became v3 of the document "${name}"` : `replaced the document "${name}"`
      expect(other.errors).toEqual([expect.stringContaining(`warning: this upload ${became} (${first.doc_id})`)])
      // The same again changes nothing and has nothing to warn of.
      expect((await test.upload(SALARIES, name, fields)).body).toMatchObject({ unchanged: true, errors: [] })
    },
  )

  it.each([{ register: 'true' }, {}])(
    'with %j and on_conflict=reject is refused and stores nothing',
    async (fields) => {
      const name = `reject-${Object.keys(fields).length}.md`
      const ask = { ...fields, on_conflict: 'reject' }
      const first = (await test.upload(SHIPPING, name, ask)).body
      expect(first).toMatchObject({ status: 'success', errors: [] })
      const second = await test.upload(SALARIES, name, ask)
      expect(second).toMatchObject({
        status: 200,
        body: { doc_id: first.doc_id, source: name, status: 'rejected', chunk_count: 0, version: null },
      })
      expect(second.body.errors).toEqual([expect.stringContaining(`"${name}" is there already (${first.doc_id}`)])
      // The first text may be found as well, by what it means.
      const held = (await passages('fluoride paste teeth')).filter(({ source }) => source === name)
      expect(held.filter(({ content }) => content.includes('fluoride'))).toEqual([])
      expect((await test.upload(SHIPPING, name, ask)).body).toMatchObject({ status: 'success', unchanged: true })
    },
  )

  it.each([{ register: 'true' }, {}])('with %j and on_conflict=rename is a document of its own', async (fields) => {
    const name = `rename-${Object.keys(fields).length}.md`
    const ask = { ...fields, on_conflict: 'rename' }
    const first = (await test.upload(SHIPPING, name, ask)).body
    const second = (await test.upload(SALARIES, name, ask)).body
    const renamed = name.replace('.md', ' (2).md')
    expect(second).toMatchObject({ status: 'success', source: renamed, version: first.version })
    expect(second.doc_id).not.toBe(first.doc_id)
    expect(second.errors).toEqual([expect.stringMatching(/^note: .* so this is "rename-\d \(2\)\.md"$/)])
    expect((await test.upload(SALARIES, name, ask)).body).toMatchObject({ source: renamed, unchanged: true })
    expect((await test.upload('# C\n\nA third document.', name, ask)).body.source).toBe(name.replace('.md', ' (3).md'))
    expect(await found('fluoride paste teeth')).toContain(renamed)
    expect(await found('tracking number of parcels')).toContain(name)
  })

  it('takes a name whose document was deleted, and knows no other policy', async () => {
    const { body } = await test.upload(SHIPPING, 'gone.md', { register: 'true' })
    await test.call('DELETE', `${DOCUMENTS}/${body.doc_id}`)
    const again = await test.upload(SALARIES, 'gone.md', { register: 'true', on_conflict: 'reject' })
    expect(again.body).toMatchObject({ status: 'success', doc_id: body.doc_id, version: 'v2' })
    const refused = await test.upload(SALARIES, 'gone.md', { on_conflict: 'overwrite' })
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: 'on_conflict: must be one of version, rename, reject' },
    })
  })
})

describe('at the same time', () => {
  const texts = Array.from({ length: 6 }, (_, i) => `# Race\n\nThe text of runner number ${i} in this race.\n`)

  it('uploads of one name get consecutive versions, a rollback among them', async () => {
    const { doc_id } = (await test.upload('# Race\n\nBefore the race.', 'race.md', { register: 'true' })).body
    const rollback = test.call('POST', `${DOCUMENTS}/${doc_id}/rollback`, { target_version: 'v1' })
    const uploads = await Promise.all(texts.map((text) => test.upload(text, 'race.md', { register: 'true' })))
    expect((await rollback).status).toBe(200)
    expect(uploads.map(({ body }) => body.version).sort()).toEqual(['v2', 'v3', 'v4', 'v5', 'v6', 'v7'])
    const { versions, current_version } = await detail(doc_id)
    expect(versions.map(({ version }: { version: string }) => version)).toEqual([
      'v1',
      'v2',
      'v3',
      'v4',
      'v5',
      'v6',
      'v7',
    ])
    const active = versions.filter(({ status }: { status: string }) => status === 'active')
    expect(active.map(({ version }: { version: string }) => version)).toEqual([current_version])
  })

  it('uploads that want a name of their own get one each', async () => {
    const uploads = await Promise.all(texts.map((text) => test.upload(text, 'own.md', { on_conflict: 'rename' })))
    const names = uploads.map(({ body }) => body.source).sort()
    expect(names).toEqual(['own (2).md', 'own (3).md', 'own (4).md', 'own (5).md', 'own (6).md', 'own.md'])
    expect(new Set(uploads.map(({ body }) => body.doc_id)).size).toBe(6)
  })

  it('of uploads that accept no other, one gets the name', async () => {
    const uploads = await Promise.all(texts.map((text) => test.upload(text, 'first.md', { on_conflict: 'reject' })))
    expect(uploads.map(({ body }) => body.status).sort()).toEqual([...Array(5).fill('rejected'), 'success'])
  })

  it('a deletion and an upload leave all of a version or nothing', async () => {
    for (const [i, text] of texts.entries()) {
      const { doc_id } = (await test.upload(`# D\n\nBefore ${i}.`, `deleted-${i}.md`, { register: 'true' })).body
      const [removed, uploaded] = await Promise.all([
        test.call('DELETE', `${DOCUMENTS}/${doc_id}`),
        test.upload(text, `deleted-${i}.md`, { register: 'true' }),
      ])
      expect([removed.status, uploaded.status]).toEqual([200, 200])
      const { status, current_version, versions } = await detail(doc_id)
      const held = versions.filter(({ chunk_count }: { chunk_count: number }) => chunk_count > 0)
      if (status === 'deleted') expect([current_version, held]).toEqual(['', []])
      else expect(current_version).toBe('v2')
    }
  })
})

describe('the name of an upload', () => {
  it.each([
    ['faq\u202Ecod.md', 'faqcod.md'],
    ['\u200Bfaq\u200B\u2066z.md', 'faqz.md'],
    ['a\u0007b\u0085c.md', 'abc.md'],
    ['tag\u{E0041}\u{E0042}s.md', 'tags.md'],
    ['line\u2028break.md', 'linebreak.md'],
    ['../../etc/passwd.md', 'passwd.md'],
    ['C:\\Users\\x\\guide.md', 'guide.md'],
    ['CON.md', 'CON.md'],
    ['nul', 'nul'],
    ['\u1112\u1161\u11AB.md', '\uD55C.md'],
  ])('%j is the label %j', async (given, source) => {
    expect((await test.upload('# L\n\nA label.', given)).body).toMatchObject({ source, status: 'success' })
  })

  it.each([
    ['\u200B\u202E', 'needs a file name'],
    ['..', 'needs a file name'],
    [`${'x'.repeat(253)}.md`, 'the file name is longer than 255 characters'],
    ['solution:sol_1', 'the file name must not begin with "solution:": approved solutions do'],
  ])('%j is refused', async (given, reason) => {
    const { status, body } = await test.upload('# L\n\nA label.', given)
    expect([status, body.detail]).toEqual([422, `file: ${reason}`])
  })
})
