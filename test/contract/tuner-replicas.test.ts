import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'
import { FACTS, FACTS_DOCUMENT } from './support/facts.ts'

const PARAMS = '/api/v1/tuner/params'

/** Two programs over one schema, as behind a load balancer. An embedded database belongs to one process alone. */
describe.runIf(process.env.TEST_DATABASE_URL)('on two replicas', () => {
  let first: TestApp
  let second: App
  beforeAll(async () => {
    first = await createTestApp()
    second = await createApp(testConfig(), await first.database.reopen(), first.app.log)
    await first.upload(FACTS_DOCUMENT.content, FACTS_DOCUMENT.name)
  })
  afterAll(async () => {
    await second.close()
    await first.close()
  })

  const onSecond = async () => (await second.inject(PARAMS)).json()
  const askSecond = async (): Promise<string> =>
    (await second.inject({ method: 'POST', url: '/api/v1/chat', payload: { message: FACTS[1]?.question } })).json()
      .reply

  it('a change of one is a change of the other', async () => {
    const { body } = await first.call('PUT', PARAMS, { rrf_k: 10, vector_weight: 0.25 })
    await expect.poll(onSecond).toEqual(body)
    const reset = (await second.inject({ method: 'POST', url: '/api/v1/tuner/reset' })).json()
    await expect.poll(async () => (await first.call('GET', PARAMS)).body).toEqual(reset)
  })

  it('and so is what customers are answered', async () => {
    const answer = FACTS[1]?.answer
    await expect.poll(askSecond).toContain(answer)
    await first.call('PUT', PARAMS, { direct_answer_threshold: 1, clarify_threshold: 1 })
    await expect.poll(askSecond).not.toContain(answer)
    await first.call('POST', '/api/v1/tuner/reset')
    await expect.poll(askSecond).toContain(answer)
  })

  it('changes on both at once are all kept, and both replicas agree', async () => {
    const change = (app: App, payload: object) => app.inject({ method: 'PUT', url: PARAMS, payload })
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        Promise.all([change(first.app, { rrf_k: 100 + i }), change(second, { max_context_tokens: 1_000 + i })]),
      ),
    )
    const versions = async () => [(await first.call('GET', PARAMS)).body.version, (await onSecond()).version]
    // Each knows its own last change by now, so that the same version on both is the last of all.
    await expect.poll(async () => new Set(await versions()).size).toBe(1)
    const { params } = await onSecond()
    expect(params.rrf_k).toBeGreaterThanOrEqual(100)
    expect(params.max_context_tokens).toBeGreaterThanOrEqual(1_000)
    expect((await first.call('GET', PARAMS)).body.params).toEqual(params)
    await first.call('POST', '/api/v1/tuner/reset')
  })

  it('one search and one evaluation run at a time over both', async () => {
    const start = (path: string) => first.call('POST', path)
    for (const [path, status, code] of [
      ['/api/v1/evaluation/run', '/api/v1/evaluation/status', 200],
      ['/api/v1/tuner/auto', '/api/v1/tuner/auto', 202],
    ] as const) {
      const running = start(path)
      await expect
        .poll(async () => (await second.inject(status)).json().running, { interval: 5 })
        .toMatchObject({ testset: 'builtin' })
      const refused = await second.inject({ method: 'POST', url: path })
      expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining('is running already')])
      expect((await running).status).toBe(code)
      await expect.poll(async () => (await second.inject(status)).json().running, { timeout: 60_000 }).toBeNull()
    }
  })
})
