import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'
import { FACTS, FACTS_DOCUMENT } from './support/facts.ts'

const PARAMS = '/api/v1/tuner/params'
const RESET = '/api/v1/tuner/reset'
const HISTORY = '/api/v1/tuner/history'

/** Name → range and default, as the contract has them. */
const CONTRACT: Record<string, { min: number; max: number; value?: number }> = {
  vector_weight: { min: 0, max: 1 },
  lexical_top_k: { min: 1, max: 200 },
  vector_top_k: { min: 1, max: 200 },
  rerank_top_k: { min: 1, max: 50, value: 5 },
  rrf_k: { min: 1, max: 1_000 },
  min_score: { min: 0, max: 1 },
  direct_answer_threshold: { min: 0, max: 1 },
  clarify_threshold: { min: 0, max: 1 },
  title_weight: { min: 0, max: 1 },
  recency_half_life_days: { min: 0, max: 3_650, value: 0 },
  max_context_tokens: { min: 200, max: 32_000 },
  escalate_after_failures: { min: 1, max: 10 },
  anger_threshold: { min: -1, max: 0 },
  cache_ttl_seconds: { min: 0, max: 86_400 },
  cache_max_entries: { min: 0, max: 100_000 },
}
const NAMES = Object.keys(CONTRACT)

let test: TestApp
const params = async () => (await test.call('GET', PARAMS)).body
const put = (changes: object) => test.call('PUT', PARAMS, changes)

beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())
afterEach(() => test.call('POST', RESET))

describe('the parameters', () => {
  it('are those of the contract, with its ranges and defaults', async () => {
    const { status, body } = await test.call('GET', PARAMS)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['defaults', 'params', 'ranges', 'updated_at', 'version'])
    for (const group of [body.params, body.defaults, body.ranges])
      expect(Object.keys(group).sort()).toEqual(NAMES.toSorted())
    for (const [name, { min, max, value }] of Object.entries(CONTRACT)) {
      expect(body.ranges[name], name).toMatchObject({ min, max })
      if (value !== undefined) expect(body.defaults[name], name).toBe(value)
    }
    expect(body.params).toEqual(body.defaults)
    expect(body.updated_at).toMatch(/Z$/)
  })

  it.each(Object.entries(CONTRACT))(
    '%s takes both ends of its range and nothing beyond',
    async (name, { min, max }) => {
      // The thresholds hold each other in order.
      const along = (value: number): object =>
        name === 'clarify_threshold'
          ? { direct_answer_threshold: 1 }
          : name === 'direct_answer_threshold' && value < 1
            ? { clarify_threshold: 0 }
            : {}
      for (const value of [min, max]) {
        const { status, body } = await put({ ...along(value), [name]: value })
        expect([status, body.params?.[name]]).toEqual([200, value])
      }
      for (const value of [min - 1, max + 1, min - 0.001]) {
        const { status, body } = await put({ [name]: value })
        expect([status, body.detail]).toEqual([422, expect.stringMatching(new RegExp(`^${name}: must be `))])
      }
    },
  )

  it.each(['text', '1', true, [1], { value: 1 }])('are numbers, not %j', async (value) => {
    const { status, body } = await put({ rrf_k: value })
    expect([status, body]).toEqual([422, { detail: 'rrf_k: must be a number' }])
  })

  it('change together or not at all, and every problem is named', async () => {
    const before = await params()
    const { status, body } = await put({ rrf_k: 10, min_score: 7, no_such: 1, rerank_top_k: 2.5 })
    expect(status).toBe(422)
    expect(body).toEqual({
      detail: 'min_score: must be between 0 and 1; no_such: no such parameter; rerank_top_k: must be an integer',
    })
    expect(await params()).toEqual(before)
  })

  it('take any subset, and nothing at all', async () => {
    const before = await params()
    expect((await put({})).body).toEqual(before)
    const { body } = await put({ rrf_k: 10 })
    expect(body).toMatchObject({ version: before.version + 1, params: { ...before.params, rrf_k: 10 } })
    expect(body).toEqual(await params())
    // The same values again are no change.
    expect((await put({ rrf_k: 10 })).body).toEqual(body)
  })

  it('go back to their defaults by a reset', async () => {
    await put({ rrf_k: 10, min_score: 0.5 })
    const { status, body } = await test.call('POST', RESET)
    expect(status).toBe(200)
    expect(body.params).toEqual(body.defaults)
    expect(body).toEqual(await params())
  })

  it('keep both of two changes at once', async () => {
    await Promise.all([put({ rrf_k: 11 }), put({ min_score: 0.11 }), put({ title_weight: 0.11 })])
    expect((await params()).params).toMatchObject({ rrf_k: 11, min_score: 0.11, title_weight: 0.11 })
  })
})

describe('the history', () => {
  it('tells every change, newest first, from and to', async () => {
    const before = await params()
    await put({ rrf_k: 10 })
    await put({ rrf_k: 20, min_score: 0.1 })
    await test.call('POST', RESET)
    const { status, body } = await test.call('GET', `${HISTORY}?limit=3`)
    expect(status).toBe(200)
    const from = before.params
    expect(body.items).toEqual([
      {
        version: before.version + 3,
        action: 'reset',
        changes: { rrf_k: { from: 20, to: from.rrf_k }, min_score: { from: 0.1, to: from.min_score } },
        created_at: expect.stringMatching(/Z$/),
      },
      {
        version: before.version + 2,
        action: 'update',
        changes: { rrf_k: { from: 10, to: 20 }, min_score: { from: from.min_score, to: 0.1 } },
        created_at: expect.stringMatching(/Z$/),
      },
      {
        version: before.version + 1,
        action: 'update',
        changes: { rrf_k: { from: from.rrf_k, to: 10 } },
        created_at: expect.stringMatching(/Z$/),
      },
    ])
  })

  it.each(['limit=0', 'limit=201', 'limit=x'])('refuses %s', async (query) => {
    expect(await test.call('GET', `${HISTORY}?${query}`)).toMatchObject({ status: 422 })
  })
})

describe('a change takes effect at once', () => {
  const ask = async () => (await test.call('POST', '/api/v1/chat', { message: FACTS[0]?.question })).body
  beforeAll(() => test.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name))

  it('on how sure an answer must be', async () => {
    expect((await ask()).reply).toContain(FACTS[0]?.answer)
    await put({ direct_answer_threshold: 1, clarify_threshold: 1 })
    expect((await ask()).reply).not.toContain(FACTS[0]?.answer)
    await test.call('POST', RESET)
    expect((await ask()).reply).toContain(FACTS[0]?.answer)
  })

  it('on how many passages are found', async () => {
    const found = async () => (await test.call('POST', '/api/v1/evaluation/run')).body.cases[0].retrieved.length
    await put({ rerank_top_k: 1, min_score: 0 })
    expect(await found()).toBeLessThanOrEqual(1)
    await put({ min_score: 1 })
    expect(await found()).toBe(0)
  })
})

describe('after a restart', () => {
  it('the parameters and their history are as they were', async () => {
    const first = await createTestApp()
    const { body } = await first.call('PUT', PARAMS, { rrf_k: 33 })
    await first.app.close()
    const again = await createApp(testConfig(), await first.database.reopen(), first.app.log)
    expect((await again.inject(PARAMS)).json()).toEqual(body)
    expect((await again.inject(HISTORY)).json().items).toMatchObject([
      { version: body.version, changes: { rrf_k: { to: 33 } } },
    ])
    await again.close()
    await first.database.close()
  })
})
