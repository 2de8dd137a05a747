import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { FACT_CASES, FACTS, FACTS_DOCUMENT, lines } from './support/facts.ts'

const AUTO = '/api/v1/tuner/auto'
const PARAMS = '/api/v1/tuner/params'

/** Nothing is good enough to be an answer: every question is better off with anything else. */
const TOO_SHY = { direct_answer_threshold: 1, clarify_threshold: 1 }

/** Searches that are interfered with: `test/full/each-change/tuner-auto.test.ts`. */
let test: TestApp
let folder: string
const at = (name: string): string => join(folder, name)
const search = (body?: object) => test.call('POST', AUTO, { wait: true, ...body })
const status = async () => (await test.call('GET', AUTO)).body
const params = async () => (await test.call('GET', PARAMS)).body

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tuner-auto-')))
  await writeFile(at('facts.jsonl'), lines(FACT_CASES))
  await writeFile(at('few.jsonl'), lines(FACT_CASES.slice(0, 19)))
  await writeFile(at('repeated.jsonl'), lines(Array.from({ length: 30 }, () => FACT_CASES[0] as object)))
  await writeFile(at('malformed.jsonl'), '{"query":"q"}\n{')
  test = await createTestApp({ FILE_ROOTS: folder })
  await test.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name)
})
afterAll(async () => {
  await test.close()
  await rm(folder, { recursive: true })
})
afterEach(() => test.call('POST', '/api/v1/tuner/reset'))

describe('before any search', () => {
  it('nothing runs and nothing was found', async () => {
    expect(await test.call('GET', AUTO)).toMatchObject({ status: 200, body: { running: null, last: null } })
  })
})

describe('a search', () => {
  it('reports what it tried, what it found and how that is proven, and changes nothing unless told to', async () => {
    await test.call('PUT', PARAMS, TOO_SHY)
    const before = await params()
    const { status: code, body } = await search({ testset_path: at('facts.jsonl'), budget: 20 })
    expect(code).toBe(200)
    expect(body).toMatchObject({
      testset: at('facts.jsonl'),
      seed: 1,
      train_cases: 24,
      held_out_cases: 16,
      current: { params: before.params, held_out: { score: expect.closeTo(0.625, 9), mrr: 1, answer_accuracy: 0 } },
      best: { held_out: { mrr: 1, answer_accuracy: 1 } },
      verdict: 'better',
      applied: false,
      reason: expect.stringContaining('"apply" was not set'),
      tuner_version: before.version,
    })
    expect(body.candidates_tried).toBe(body.candidates.length)
    expect(body.candidates_tried).toBeLessThanOrEqual(20)
    expect(body.candidates[0]).toEqual({ changes: {}, score: body.current.train.score })
    expect(Math.max(...body.candidates.map(({ score }: { score: number }) => score))).toBe(body.best.train.score)
    expect(body.best.changes.clarify_threshold).toMatchObject({ from: 1 })
    const { mean, low, high } = body.difference
    expect(mean).toBeCloseTo(body.best.held_out.score - body.current.held_out.score, 9)
    expect(low).toBeGreaterThan(0)
    expect(mean).toBeLessThanOrEqual(high)
    expect(await params()).toEqual(before)
    expect((await status()).last).toEqual(body)
  })

  it('puts what is proven into force when told to, on record', async () => {
    await test.call('PUT', PARAMS, TOO_SHY)
    const before = await params()
    const { body } = await search({ testset_path: at('facts.jsonl'), budget: 20, apply: true })
    expect(body).toMatchObject({ verdict: 'better', applied: true, tuner_version: before.version + 1 })
    const after = await params()
    expect(after.version).toBe(before.version + 1)
    for (const [name, { to }] of Object.entries<{ to: number }>(body.best.changes)) expect(after.params[name]).toBe(to)
    const [entry] = (await test.call('GET', '/api/v1/tuner/history?limit=1')).body.items
    expect(entry).toMatchObject({ version: after.version, action: 'auto', changes: body.best.changes })
    const { reply } = (await test.call('POST', '/api/v1/chat', { message: FACTS[0]?.question })).body
    expect(reply).toContain(FACTS[0]?.answer)
  })

  it('applies nothing that may be chance', async () => {
    const before = await params()
    const { body } = await search({ testset_path: at('facts.jsonl'), budget: 12, apply: true })
    expect(body).toMatchObject({ verdict: 'not_significant', applied: false, tuner_version: before.version })
    expect(body.difference.low).toBeLessThanOrEqual(0)
    expect(await params()).toEqual(before)
  })

  it('goes by the built-in cases unless told otherwise, also when their documents are missing', async () => {
    const { status: code, body } = await search({ budget: 10 })
    expect([code, body.testset, body.train_cases + body.held_out_cases]).toEqual([200, 'builtin', 30])
    expect(body.verdict).not.toBe('better')
  })

  it.each<[string, object, number, RegExp]>([
    ['too few cases', { testset_path: 'few.jsonl' }, 422, /^testset: 19 cases are too few/],
    [
      'one question over and over',
      { testset_path: 'repeated.jsonl' },
      422,
      /^testset: 30 cases are too few .*different/,
    ],
    ['a malformed file', { testset_path: 'malformed.jsonl' }, 422, /^testset_path: line 2: is not valid JSON$/],
    ['a missing file', { testset_path: 'missing.jsonl' }, 400, /^testset_path: does not exist$/],
    ['an unknown set', { testset: 'missing' }, 404, /^No test set has the name missing$/],
    ['a budget that is too small', { budget: 9 }, 422, /^budget: /],
    ['a budget that is too large', { budget: 501 }, 422, /^budget: /],
    ['half a budget', { budget: 10.5 }, 422, /^budget: /],
    ['text for apply', { apply: 'true' }, 422, /^apply: /],
    ['a negative seed', { seed: -1 }, 422, /^seed: /],
  ])('refuses %s', async (_, body, code, detail) => {
    const { testset_path: name, ...rest } = body as { testset_path?: string }
    const answer = await search({ ...rest, ...(name ? { testset_path: at(name) } : {}) })
    expect([answer.status, answer.body]).toEqual([code, { detail: expect.stringMatching(detail) }])
  })

  it('needs the key', async () => {
    const keyed = await createTestApp({ API_KEY: 'secret' })
    const answers = [
      await keyed.call('POST', AUTO, {}, { 'x-api-key': '' }),
      await keyed.call('GET', AUTO, undefined, { 'x-api-key': 'wrong' }),
    ]
    await keyed.close()
    expect(answers.map((answer) => answer.status)).toEqual([401, 401])
  })
})

describe('a search that nobody waits for', () => {
  it('is answered once it runs, and found by asking', async () => {
    const before = (await status()).last?.search_id
    const answer = await test.call('POST', AUTO, { testset_path: at('facts.jsonl'), budget: 10 })
    expect(answer).toMatchObject({ status: 202, body: { running: { testset: at('facts.jsonl') } } })
    expect(answer.body.last?.search_id).toBe(before)
    await expect.poll(async () => (await status()).running, { timeout: 30_000 }).toBeNull()
    const { last } = await status()
    expect(last).toMatchObject({ testset: at('facts.jsonl'), train_cases: 24 })
    expect(last.search_id).not.toBe(before)
  })

  it('is refused as one that is waited for', async () => {
    const refused = await test.call('POST', AUTO, { testset_path: at('few.jsonl') })
    expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining('too few') } })
    expect((await test.call('POST', AUTO)).status).toBe(202)
    expect((await test.call('POST', AUTO, {})).status).toBe(409)
    await expect.poll(async () => (await status()).running, { timeout: 30_000 }).toBeNull()
  })
})
