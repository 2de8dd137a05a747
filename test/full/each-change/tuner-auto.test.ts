import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FACT_CASES, FACTS, FACTS_DOCUMENT, lines } from '../../contract/support/facts.ts'
import { createTestApp, encodeForm, type TestApp } from '../../support/test-app.ts'

const AUTO = '/api/v1/tuner/auto'
const PARAMS = '/api/v1/tuner/params'

/** Nothing is good enough to be an answer: every question is better off with anything else. */
const TOO_SHY = { direct_answer_threshold: 1, clarify_threshold: 1 }

let test: TestApp
const search = (body?: object) => test.call('POST', AUTO, { wait: true, ...body })
const status = async () => (await test.call('GET', AUTO)).body
const params = async () => (await test.call('GET', PARAMS)).body
const store = (of: TestApp, name: string, cases: readonly object[]) => {
  const { body, contentType } = encodeForm(lines(cases), `${name}.jsonl`, {})
  return of.call('POST', '/api/v1/evaluation/testsets', body, { 'content-type': contentType })
}

beforeAll(async () => {
  test = await createTestApp()
  await test.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name)
})
afterAll(() => test.close())
afterEach(() => test.call('POST', '/api/v1/tuner/reset'))

it('a search finds the same with the same seed, and splits anew with another', async () => {
  await store(test, 'facts', FACT_CASES)
  const run = async (seed: number) => (await search({ testset: 'facts', budget: 10, seed })).body
  const [a, b, c] = [await run(3), await run(3), await run(4)]
  expect(a.candidates).toEqual(b.candidates)
  expect(a.candidates).not.toEqual(c.candidates)
})

describe('while a search runs', () => {
  const long = { testset: 'long', budget: 50 }
  const LONG = Array.from({ length: 2 }, () => FACT_CASES).flat()
  const storeLong = (of: TestApp) => store(of, 'long', LONG)
  beforeAll(() => storeLong(test))

  it('a second one is refused, progress shows, customers are answered, and a change by hand wins', async () => {
    await test.call('PUT', PARAMS, TOO_SHY)
    const first = search({ ...long, apply: true })
    await expect.poll(async () => (await status()).running?.done ?? 0, { timeout: 30_000 }).toBeGreaterThan(0)
    expect((await status()).running).toMatchObject({
      testset: 'long',
      total: 52,
      started_at: expect.stringMatching(/Z$/),
    })
    expect(await search()).toMatchObject({ status: 409, body: { detail: 'The automatic tuning is running already' } })
    expect((await test.call('POST', '/api/v1/chat', { message: FACTS[0]?.question })).status).toBe(200)
    const byHand = (await test.call('PUT', PARAMS, { rrf_k: 77 })).body
    const { body } = await first
    expect(body).toMatchObject({ verdict: 'better', applied: false, reason: 'The parameters were changed meanwhile' })
    expect(await params()).toEqual(byHand)
  })

  it('a change of the knowledge base makes it prove nothing', async () => {
    await test.call('PUT', PARAMS, TOO_SHY)
    const first = search({ ...long, apply: true })
    await expect.poll(async () => (await status()).running?.done ?? 0, { timeout: 30_000 }).toBeGreaterThan(0)
    await test.upload('# Parrots\n\nParrots are welcome.', 'parrots.md')
    expect((await first).body).toMatchObject({
      applied: false,
      reason: expect.stringContaining('knowledge base changed'),
    })
    expect((await params()).params).toMatchObject(TOO_SHY)
  })

  it('it ends when the service does, changing nothing', async () => {
    const ending = await createTestApp()
    await ending.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name)
    await storeLong(ending)
    const running = ending.call('POST', AUTO, { ...long, wait: true })
    const done = async () => (await ending.call('GET', AUTO)).body.running?.done ?? 0
    await expect.poll(done, { timeout: 30_000 }).toBeGreaterThan(0)
    await ending.close()
    expect(await running).toMatchObject({
      status: 503,
      body: { detail: 'The automatic tuning was stopped before its end: the service is shutting down' },
    })
  })
})
