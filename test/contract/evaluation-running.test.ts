import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, encodeForm, type TestApp } from '../support/test-app.ts'
import { FACT_CASES, FACTS, FACTS_DOCUMENT, lines } from './support/facts.ts'

const RUN = '/api/v1/evaluation/run'
const STATUS = '/api/v1/evaluation/status'

/** Takes long enough to look at while it runs. */
const LONG = Array.from({ length: 8 }, () => FACT_CASES).flat()

let test: TestApp
const run = (body?: object) => test.call('POST', RUN, body)

async function createAppWithLongSet(): Promise<TestApp> {
  const app = await createTestApp()
  await app.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name)
  const { body, contentType } = encodeForm(lines(LONG), 'long.jsonl', {})
  await app.call('POST', '/api/v1/evaluation/testsets', body, { 'content-type': contentType })
  return app
}

beforeAll(async () => {
  test = await createAppWithLongSet()
})
afterAll(() => test.close())

describe('one run at a time', () => {
  afterEach(async () => {
    await expect.poll(async () => (await test.call('GET', STATUS)).body.running, { timeout: 30_000 }).toBeNull()
  })

  it('refuses a second one and shows how far the first is', async () => {
    const first = run({ testset: 'long' })
    await expect.poll(async () => (await test.call('GET', STATUS)).body.running?.done ?? 0).toBeGreaterThan(0)
    const { running } = (await test.call('GET', STATUS)).body
    expect(running).toMatchObject({ testset: 'long', total: LONG.length, started_at: expect.stringMatching(/Z$/) })
    expect(await run()).toMatchObject({ status: 409, body: { detail: 'The evaluation is running already' } })
    // What is wrong with the request comes first.
    expect(await run({ top_k: 0 })).toMatchObject({ status: 422 })
    expect(await run({ testset: 'missing' })).toMatchObject({ status: 404 })
    expect(await first).toMatchObject({ status: 200, body: { total_queries: LONG.length } })
  })

  it('answers customers meanwhile', async () => {
    const first = run({ testset: 'long' })
    const { status, body } = await test.call('POST', '/api/v1/chat', { message: FACTS[3]?.question })
    expect([status, body.reply]).toEqual([200, expect.stringContaining(FACTS[3]?.answer ?? '')])
    expect((await test.call('GET', STATUS)).body.running).toMatchObject({ testset: 'long' })
    await first
  })

  it('goes on when the caller leaves, and keeps the report', async () => {
    const address = await test.app.listen({ port: 0, host: '127.0.0.1' })
    const before = (await test.call('GET', STATUS)).body.last_report.report_id
    const leaving = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const request = fetch(`${address}${RUN}`, {
      method: 'POST',
      headers,
      body: '{"testset":"long"}',
      signal: leaving.signal,
    })
    request.catch(() => {})
    await expect.poll(async () => (await test.call('GET', STATUS)).body.running?.done ?? 0).toBeGreaterThan(0)
    leaving.abort()
    await expect(request).rejects.toThrow()
    const last = async () => (await test.call('GET', STATUS)).body.last_report
    await expect.poll(async () => (await last()).report_id, { timeout: 30_000 }).not.toBe(before)
    expect(await last()).toMatchObject({ testset: 'long', total_queries: LONG.length })
  })

  it('ends when the service does', async () => {
    const ending = await createAppWithLongSet()
    const running = ending.call('POST', RUN, { testset: 'long' })
    await expect.poll(async () => (await ending.call('GET', STATUS)).body.running?.done ?? 0).toBeGreaterThan(0)
    await ending.close()
    const { status, body, headers } = await running
    expect([status, body]).toEqual([
      503,
      { detail: 'The evaluation was stopped before its end: the service is shutting down' },
    ])
    expect(headers).toHaveProperty('retry-after')
  })
})
