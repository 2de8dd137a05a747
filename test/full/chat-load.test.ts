import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model/server.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const MANUAL = `# Returns

Goods may be returned within 14 days of delivery. Opened goods are fine as well. The refund takes three working days.
Bring the receipt to the counter, or print the label with the parcel number and drop it at any post office.
`
const QUESTION = 'Until when may I return goods?'
const LEAVERS = 1_000
const STREAMS = 200

describe('many customers at once', () => {
  let test: TestApp
  let model: ScriptedModel
  let base: string

  beforeAll(async () => {
    model = await startScriptedModel()
    test = await createTestApp({ LLM_MODEL: 'm', LLM_BASE_URL: model.url })
    base = await test.app.listen({ port: 0, host: '127.0.0.1' })
    // Every question is to reach the model, also one that was asked before.
    await test.call('PUT', '/api/v1/tuner/params', { cache_ttl_seconds: 0 })
    await test.upload(MANUAL, 'returns.md')
  })
  afterAll(async () => {
    await test.close()
    await model.close()
  })

  const ask = (body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${base}/api/v1/chat/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })

  it(`ends the model calls of ${LEAVERS} clients that leave in the middle`, async () => {
    model.setDefault({
      text: 'Goods may be returned within 14 days [1]. Opened goods are fine as well.',
      tokenDelayMs: 1_500,
    })
    const clients = Array.from({ length: LEAVERS }, () => new AbortController())
    const streams = clients.map(({ signal }) =>
      ask({ message: QUESTION }, signal)
        .then((r) => r.text())
        .catch(() => {}),
    )
    await expect.poll(() => model.activeRequests(), { timeout: 240_000, interval: 200 }).toBeGreaterThan(0)
    // In waves: a client leaves once its own call has reached the model.
    for (const client of clients) client.abort()
    const left = performance.now()
    await Promise.all(streams)
    await expect.poll(() => model.activeRequests(), { timeout: 60_000, interval: 20 }).toBe(0)
    console.log(`${LEAVERS} clients left; the last model call ended ${Math.round(performance.now() - left)} ms later`)
    const { body } = await test.call('GET', '/api/v1/observability/circuit-breakers')
    expect(body.llm).toMatchObject({ state: 'CLOSED', failure_count: 0 })
  })

  it(`keeps ${STREAMS} concurrent streams apart, and two messages of one session in order`, async () => {
    model.clear()
    model.addRule((request) => {
      const mark = /parcel number (\d+)/.exec(JSON.stringify(request.body))?.[1]
      return mark === undefined
        ? undefined
        : { text: `Parcel number ${mark} may be returned within 14 days [1].`, tokenDelayMs: 2 }
    })
    const sessions = Array.from({ length: STREAMS }, (_, i) => i)
    const question = (i: number): object => ({
      message: `Until when may I return goods of parcel number ${i}?`,
      session_id: `load-${i}`,
    })
    await Promise.all(sessions.flatMap((i) => [ask(question(i)), ask(question(i))]).map(async (r) => (await r).text()))
    for (const i of sessions) {
      const { body } = await test.call('GET', `/api/v1/chat/sessions/load-${i}/messages`)
      expect(body.messages.map((m: { role: string }) => m.role)).toEqual(['user', 'assistant', 'user', 'assistant'])
      for (const m of [body.messages[1], body.messages[3]]) expect(m.content).toContain(`number ${i} `)
    }
  })
})
