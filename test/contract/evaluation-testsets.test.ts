import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'
import { FACT_CASES, FACTS_DOCUMENT, lines } from './support/facts.ts'

const RUN = '/api/v1/evaluation/run'
const TESTSETS = '/api/v1/evaluation/testsets'

let test: TestApp
let folder: string
const at = (name: string): string => join(folder, name)
const run = (body?: object) => test.call('POST', RUN, body)

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'testsets-')))
  await mkdir(at('in'))
  await writeFile(at('in/facts.jsonl'), lines(FACT_CASES))
  test = await createTestApp({ FILE_ROOTS: at('in') })
  await test.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name)
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
})

function uploadTestset(content: string, fileName: string, fields: Record<string, string> = {}) {
  const { body, contentType } = encodeForm(content, fileName, fields)
  return test.call('POST', TESTSETS, body, { 'content-type': contentType })
}

describe('test sets of one’s own', () => {
  it.each([
    ['facts.json', JSON.stringify({ cases: FACT_CASES })],
    ['facts.ndjson', lines(FACT_CASES)],
    [
      'facts.csv',
      [
        'query,expected_sources,expected_content,category',
        ...FACT_CASES.map((each) =>
          [each.query, each.expected_sources, each.expected_content, each.category].join(','),
        ),
      ].join('\n'),
    ],
  ])('are read from %s', async (name, content) => {
    await writeFile(at(`in/${name}`), content)
    expect(await run({ testset_path: at(`in/${name}`) })).toMatchObject({
      status: 200,
      body: { total_queries: 40, 'recall@1': 1, answer_accuracy: 1 },
    })
  })

  it.each<[string, () => unknown, number, RegExp]>([
    ['a missing file', () => at('in/missing.jsonl'), 400, /^testset_path: does not exist$/],
    ['a folder', () => at('in'), 400, /^testset_path: is no regular file$/],
    [
      'another kind of file',
      () => at('in/notes.txt'),
      400,
      /^testset_path: a test set must be a \.json, \.jsonl or \.csv file$/,
    ],
    ['a file elsewhere', () => at('outside.jsonl'), 400, /^testset_path: lies outside the folders that may be read$/],
    ['a link out', () => at('in/link.jsonl'), 400, /^testset_path: lies outside/],
    ['a way up', () => at('in/../outside.jsonl'), 400, /^testset_path: lies outside/],
    ['a system file', () => '/etc/passwd', 400, /^testset_path: lies outside/],
    ['a malformed line', () => at('in/malformed.jsonl'), 422, /^testset_path: line 2: is not valid JSON$/],
    ['a case without a question', () => at('in/no-query.jsonl'), 422, /^testset_path: line 1: query is required$/],
    ['an empty file', () => at('in/empty.jsonl'), 422, /^testset_path: the test set has no cases$/],
    ['a number for a path', () => 5, 422, /^testset_path: /],
    ['a list for a path', () => ['a'], 422, /^testset_path: /],
    ['a path that is too long', () => 'x'.repeat(5_000), 422, /^testset_path: /],
  ])('refuse %s', async (_, path, status, detail) => {
    await writeFile(at('outside.jsonl'), '{"query":"q"}')
    await writeFile(at('in/notes.txt'), 'notes')
    await writeFile(at('in/malformed.jsonl'), '{"query":"q"}\n{"query":')
    await writeFile(at('in/no-query.jsonl'), '{}')
    await writeFile(at('in/empty.jsonl'), '\n')
    await symlink(at('outside.jsonl'), at('in/link.jsonl')).catch(() => {})
    const { body, ...answer } = await run({ testset_path: path() })
    expect([answer.status, body]).toEqual([status, { detail: expect.stringMatching(detail) }])
  })

  it.each<[unknown, RegExp]>([
    [0, /^top_k: /],
    [51, /^top_k: /],
    [2.5, /^top_k: /],
    ['5', /^top_k: /],
  ])('refuse top_k %j', async (top_k, detail) => {
    expect(await run({ top_k })).toMatchObject({ status: 422, body: { detail: expect.stringMatching(detail) } })
  })

  it('are checked before anything else is said', async () => {
    const keyed = await createTestApp({ API_KEY: 'secret' })
    const answer = await keyed.call('POST', RUN, { testset_path: '/missing.jsonl' }, { 'x-api-key': 'wrong' })
    await keyed.close()
    expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid or missing API key' } })
  })
})

describe('stored test sets', () => {
  it('are uploaded, listed, run by name, replaced and deleted', async () => {
    const saved = await uploadTestset(lines(FACT_CASES), 'weights.jsonl')
    expect(saved).toMatchObject({ status: 200, body: { name: 'weights', cases: 40, replaced: false } })
    const report = await run({ testset: 'weights' })
    expect(report).toMatchObject({ status: 200, body: { testset: 'weights', total_queries: 40, 'recall@1': 1 } })

    const again = await uploadTestset(lines(FACT_CASES.slice(0, 2)), 'other.jsonl', { name: 'weights' })
    expect(again.body).toEqual({ name: 'weights', cases: 2, replaced: true })
    const { status, body } = await test.call('GET', TESTSETS)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        name: 'builtin',
        cases: 30,
        categories: ['direct', 'follow_up', 'paraphrase', 'unanswerable'],
        created_at: null,
        updated_at: null,
      },
      {
        name: 'weights',
        cases: 2,
        categories: ['even', 'odd'],
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ])

    expect(await test.call('DELETE', `${TESTSETS}/weights`)).toMatchObject({
      status: 200,
      body: { name: 'weights', success: true },
    })
    expect(await test.call('DELETE', `${TESTSETS}/weights`)).toMatchObject({ status: 404 })
    expect(await run({ testset: 'weights' })).toMatchObject({
      status: 404,
      body: { detail: 'No test set has the name weights' },
    })
  })

  it.each<[string, () => Promise<{ status: number; body: unknown }>, number, RegExp]>([
    ['a broken file', () => uploadTestset('{', 'a.json'), 422, /^file: is not valid JSON$/],
    ['an empty set', () => uploadTestset('[]', 'a.json'), 422, /^file: the test set has no cases$/],
    ['another kind of file', () => uploadTestset('x', 'a.pdf'), 400, /^file: a test set must be/],
    ['a name like a path', () => uploadTestset('[{"query":"q"}]', 'a.json', { name: '../a' }), 422, /^name: /],
    [
      'a name that is too long',
      () => uploadTestset('[{"query":"q"}]', 'a.json', { name: 'x'.repeat(101) }),
      422,
      /^name: /,
    ],
    [
      'the built-in name',
      () => uploadTestset('[{"query":"q"}]', 'builtin.json'),
      409,
      /^The test set builtin cannot be changed$/,
    ],
    ['JSON in place of a form', () => test.call('POST', TESTSETS, { cases: [] }), 415, /multipart\/form-data/],
    ['the end of the built-in one', () => test.call('DELETE', `${TESTSETS}/builtin`), 409, /cannot be changed$/],
    ['a path and a name at once', () => run({ testset: 'builtin', testset_path: at('in/facts.jsonl') }), 422, /either/],
  ])('refuse %s', async (_, send, status, detail) => {
    const answer = await send()
    expect([answer.status, answer.body]).toEqual([status, { detail: expect.stringMatching(detail) }])
  })

  it('grow with the solutions that people approve', async () => {
    const solution = {
      session_id: 's1',
      question: 'Can I bring my parrot?',
      solution: 'Parrots are welcome in every shop.',
      intent: 'faq',
    }
    const { solution_id } = (await test.call('POST', '/api/v1/escalation/solution', solution)).body
    expect(await test.call('POST', `/api/v1/escalation/solutions/${solution_id}/approve`)).toMatchObject({
      status: 200,
    })
    const listed = (await test.call('GET', TESTSETS)).body.find(
      ({ name }: { name: string }) => name === 'approved-solutions',
    )
    expect(listed).toMatchObject({ cases: 1, categories: ['faq'] })
    const { body } = await run({ testset: 'approved-solutions' })
    expect(body).toMatchObject({ total_queries: 1, 'recall@1': 1, answer_accuracy: 1 })
    expect(body.cases[0]).toMatchObject({ query: 'Can I bring my parrot?', category: 'faq' })
  })
})

describe('a case that is added', () => {
  const add = (name: string, body: object) => test.call('POST', `${TESTSETS}/${encodeURIComponent(name)}/cases`, body)

  it('makes the set, and replaces a case with the same question', async () => {
    const query = 'How tall is the tower?'
    expect(await add('from-questions', { query })).toMatchObject({
      status: 200,
      body: { name: 'from-questions', cases: 1 },
    })
    const again = { query, expected_sources: ['towers.md'], category: 'towers' }
    expect(await add('from-questions', again)).toMatchObject({ status: 200, body: { cases: 1 } })
    expect(await add('from-questions', { query: 'Another?' })).toMatchObject({ status: 200, body: { cases: 2 } })
    const list = (await test.call('GET', TESTSETS)).body as { name: string }[]
    expect(list.find(({ name }) => name === 'from-questions')).toMatchObject({ cases: 2 })
    expect(await run({ testset: 'from-questions' })).toMatchObject({ status: 200, body: { total_queries: 2 } })
  })

  it.each([
    ['builtin', { query: 'A question' }, 409],
    ['a/b', { query: 'A question' }, 422],
    ['mine', { query: '  ' }, 422],
    ['mine', {}, 422],
    ['mine', { query: 'A question', expected_sources: [''] }, 422],
  ])('is refused for %s with %j', async (name, body, status) => {
    expect((await add(name, body)).status).toBe(status)
  })
})
