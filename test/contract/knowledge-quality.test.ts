import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const CHECK = '/api/v1/knowledge/quality/check'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lists-'))
  await writeFile(join(folder, 'glossary.txt'), '# terms\nreturn window,return period\n退款,refund\nflux capacitor\n')
  await writeFile(join(folder, 'words.txt'), '[advertising]\nbest in the world\n全国第一\n')
})
afterAll(() => rm(folder, { recursive: true }))

const RETURNS =
  '# Returns\n\nGoods may be sent back within 7 days of delivery. The return window is the same for everyone.'

describe('POST /knowledge/quality/check', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({
      GLOSSARY_FILE: join(folder, 'glossary.txt'),
      SENSITIVE_WORDS_FILES: join(folder, 'words.txt'),
    })
  })
  afterAll(() => test.close())
  const upload = (name: string, content: string) => test.upload(content, name, { register: 'true' })

  it('finds nothing in an empty base', async () => {
    const { status, body } = await test.call('POST', CHECK)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ total_chunks: 0, duplicate_count: 0, duplicate_rate: 0, duplicates: [] },
      ...{ terminology_hit_rate: 0, sensitive_hits: [], conflicts: [] },
    })
    expect(body.checked_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('reports duplicates, terms, sensitive words and conflicts', async () => {
    await upload('returns.md', RETURNS)
    await upload('copy.md', `${RETURNS}\n`)
    await upload(
      'faq.md',
      '# Sending back\n\nGoods may be sent back within 30 days of delivery. A refund takes a while.',
    )
    await upload('advert.md', '# Lamp\n\nOur lamp is the Best in  the World.')
    const { body } = await test.call('POST', CHECK, {})
    expect(body).toMatchObject({ total_chunks: 4, duplicate_count: 1, duplicate_rate: 0.25, passed: false })
    expect(body.duplicates).toEqual([
      {
        chunk_id: expect.any(Number),
        duplicate_of: expect.any(Number),
        source: 'copy.md',
        other_source: 'returns.md',
        doc_id: expect.any(String),
        other_doc_id: expect.any(String),
        text: expect.stringContaining('within 7 days'),
        other_text: expect.stringContaining('within 7 days'),
        similarity: 1,
      },
    ])
    expect(body.terminology).toEqual([
      { term: 'return window', hits: 2 },
      { term: '退款', hits: 1 },
      { term: 'flux capacitor', hits: 0 },
    ])
    expect(body.terminology_hit_rate).toBeCloseTo(2 / 3, 10)
    expect(body.missing_terms).toEqual(['flux capacitor'])
    expect(body.sensitive_hits).toMatchObject([
      {
        source: 'advert.md',
        word: 'best in the world',
        category: 'advertising',
        excerpt: expect.stringContaining('Best in the World'),
      },
    ])
    expect(body.conflicts.length).toBeGreaterThan(0)
    for (const conflict of body.conflicts) {
      expect(conflict.kind).toBe('duration')
      expect([conflict.excerpt_a, conflict.excerpt_b].sort()).toEqual([
        'Goods may be sent back within 30 days of delivery.',
        'Goods may be sent back within 7 days of delivery.',
      ])
      expect(conflict.a).not.toBe(conflict.b)
      expect([conflict.source_a, conflict.source_b]).toContain('faq.md')
    }
  })

  it('leaves out what a person accepted, until they want to see it again', async () => {
    const before = (await test.call('POST', CHECK, {})).body
    const [{ chunk_id: a, duplicate_of: b }] = before.duplicates
    const [conflict] = before.conflicts
    const accept = (pair: { a: number; b: number }, accepted: boolean) =>
      test.call('PUT', '/api/v1/knowledge/quality/accepted', { ...pair, accepted })
    expect((await accept({ a: b, b: a }, true)).body).toEqual({ a: b, b: a, accepted: true })
    await accept({ a: conflict.a, b: conflict.b }, true)
    const after = (await test.call('POST', CHECK, {})).body
    expect(after).toMatchObject({ duplicates: [], duplicate_count: 0 })
    expect(after.accepted_count).toBe(1 + before.conflicts.length - after.conflicts.length)
    expect(after.conflicts).not.toContainEqual(conflict)
    await accept({ a, b }, false)
    await accept({ a: conflict.a, b: conflict.b }, false)
    const again = (await test.call('POST', CHECK, {})).body
    expect({ ...again, checked_at: '' }).toEqual({ ...before, checked_at: '' })
    expect((await accept({ a, b: 999_999 }, true)).status).toBe(404)
  })

  it('looks at what a filter names, against everything else', async () => {
    const { doc_id } = (
      await upload(
        'faq.md',
        '# Sending back\n\nGoods may be sent back within 30 days of delivery. A refund takes a while.',
      )
    ).body
    const ofFaq = (await test.call('POST', CHECK, { source: 'faq.md' })).body
    expect(ofFaq).toMatchObject({ total_chunks: 1, duplicate_count: 0, sensitive_hits: [] })
    expect(ofFaq.conflicts.length).toBeGreaterThan(0)
    expect((await test.call('POST', CHECK, { doc_id })).body).toMatchObject({
      total_chunks: 1,
      conflicts: ofFaq.conflicts,
    })
    const ofOriginal = (await test.call('POST', CHECK, { source: 'returns.md' })).body
    expect(ofOriginal).toMatchObject({ total_chunks: 1, duplicate_count: 1, duplicates: [{ other_source: 'copy.md' }] })
    expect((await test.call('POST', CHECK, { source: 'advert.md' })).body).toMatchObject({
      sensitive_hits: [{}],
      conflicts: [],
    })
    expect((await test.call('POST', CHECK, { source: 'nothing.md' })).body).toMatchObject({
      total_chunks: 0,
      passed: true,
    })
    expect((await test.call('POST', CHECK, { source: 'faq.md', doc_id: 'doc_none' })).body.total_chunks).toBe(0)
  })

  it('sees only what customers can find', async () => {
    const first = (await upload('old.md', '# Old\n\nThis is 全国第一 of all.')).body
    await upload('old.md', '# Old\n\nThis is a plain sentence.')
    await test.upload('# Old\n\nTried: 全国第一 again.', 'old.md', { canary: 'true' })
    expect((await test.call('POST', CHECK, { doc_id: first.doc_id })).body).toMatchObject({
      total_chunks: 1,
      sensitive_hits: [],
    })
  })

  it.each([[{ source: 1 }], [{ doc_id: ['a'] }], [{ doc_id: 'x'.repeat(501) }], [[]]])(
    'answers 422 for %j',
    async (body) => {
      expect((await test.call('POST', CHECK, body)).status).toBe(422)
    },
  )

  it('takes null and an empty filter for none', async () => {
    const whole = (await test.call('POST', CHECK)).body.total_chunks
    expect((await test.call('POST', CHECK, { source: null, doc_id: '' })).body.total_chunks).toBe(whole)
  })
})

describe('without lists of its own', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.close())

  it('asks for no terms, and knows words that no answer should hold', async () => {
    await test.upload('# Fun\n\nVisit our online casino. 参与网络赌博。', 'fun.md', { register: 'true' })
    const { body } = await test.call('POST', CHECK)
    expect(body).toMatchObject({ terminology_hit_rate: null, terminology: [], missing_terms: [], passed: false })
    expect(body.sensitive_hits.map(({ category }: { category: string }) => category)).toContain('gambling')
  })
})

describe('validate_quality of /knowledge/ingest', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ SENSITIVE_WORDS_FILES: join(folder, 'words.txt') })
    await test.upload(RETURNS, 'returns.md', { register: 'true' })
  })
  afterAll(() => test.close())
  const validate = (name: string, content: string, fields: Record<string, string> = {}) =>
    test.upload(content, name, { register: 'true', validate_quality: 'true', ...fields })

  it('publishes what is clean without a word', async () => {
    expect(await validate('clean.md', '# Wood\n\nThe table is made of oak.')).toMatchObject({
      status: 200,
      body: { status: 'success', chunk_count: 1, errors: [] },
    })
  })

  it('warns of what repeats or contradicts another document, and publishes it', async () => {
    const copy = (await validate('copy.md', RETURNS)).body
    expect(copy).toMatchObject({ status: 'success', version: 'v1' })
    expect(copy.errors).toEqual([
      expect.stringMatching(/^warning: .*almost the same as a passage of returns\.md \(similarity 1\.00\)$/),
    ])
    const other = (await validate('other.md', '# Returns\n\nGoods may be sent back within 60 days of delivery.')).body
    expect(other.status).toBe('success')
    expect(other.errors[0]).toMatch(/^warning: another duration than in \S+\.md: ".*60 days.*" against ".*7 days.*"$/)
  })

  it('rejects sensitive words and publishes nothing', async () => {
    const { status, body } = await validate('advert.md', '# Lamp\n\n我们的台灯全国第一。')
    expect([status, body.status, body.chunk_count, body.version]).toEqual([200, 'rejected', 0, null])
    expect(body.errors).toEqual([expect.stringMatching(/^error: the sensitive word "全国第一" \(advertising\) in /)])
    expect((await test.call('GET', `/api/v1/knowledge/documents/${body.doc_id}`)).body.status).toBe('not_found')
  })

  it('leaves the version before a rejected one active', async () => {
    await validate('lamp.md', '# Lamp\n\nThe lamp is bright.')
    expect((await validate('lamp.md', '# Lamp\n\nThe lamp is the best in the world.')).body.status).toBe('rejected')
    const listed = (await test.call('GET', '/api/v1/knowledge/documents?q=lamp.md')).body.items
    expect(listed).toMatchObject([{ current_version: 'v1', status: 'active', chunk_count: 1 }])
  })

  it('does not compare an upload with the version that it replaces', async () => {
    await validate('fees.md', '# Fees\n\nGift wrapping costs 4 euros in every shop.')
    expect((await validate('fees.md', '# Fees\n\nGift wrapping costs 5 euros in every shop.')).body).toMatchObject({
      version: 'v2',
      errors: [],
    })
  })

  it('checks what is there already, and what goes to canary', async () => {
    await test.upload('# Bold\n\nWe are the best in the world.', 'bold.md', { register: 'true' })
    expect((await validate('bold.md', '# Bold\n\nWe are the best in the world.')).body.status).toBe('rejected')
    const canary = (await validate('bold.md', '# Bold\n\nStill the best in the world.', { canary: 'true' })).body
    expect(canary).toMatchObject({ status: 'rejected', version: null })
  })

  it('is not done when nobody asks for it', async () => {
    expect((await test.upload('# X\n\nBest in the world.', 'plain.md')).body).toMatchObject({
      status: 'success',
      errors: [],
    })
    expect((await test.upload('# X\n\nText.', 'x.md', { validate_quality: 'maybe' })).status).toBe(422)
  })
})
