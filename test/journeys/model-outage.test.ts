import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { createLog } from '../../src/platform/log.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model/server.ts'
import { encodeForm, testConfig } from '../support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const MANUAL = '# Returns\n\nGoods may be returned within 14 days of delivery. Opened goods are fine as well.\n'
const REPLY = 'Goods may be returned within 14 days of delivery [1].'

describe('an outage of the model', () => {
  let database: TestDatabase
  let model: ScriptedModel
  let app: App
  const clock = createManualClock(Date.now())
  const statuses: number[] = []

  async function call(method: 'GET' | 'POST', url: string, payload?: object | Buffer, headers = {}) {
    const response = await app.inject({ method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) })
    statuses.push(response.statusCode)
    return response.json()
  }
  const ask = async (message: string): Promise<string> => (await call('POST', '/chat', { message })).data.mode
  const breaker = async () => (await call('GET', '/observability/circuit-breakers')).llm.state
  const alerts = async () =>
    (await call('GET', '/observability/alerts?source=circuit_breaker')).map(
      ({ fingerprint, resolved_at }: { fingerprint: string; resolved_at: string | null }) => [
        fingerprint,
        resolved_at !== null,
      ],
    )

  beforeAll(async () => {
    database = await createTestDatabase()
    model = await startScriptedModel()
    const config = testConfig({ LLM_MODEL: 'm', LLM_BASE_URL: model.url })
    app = await createApp(config, database.db, createLog('silent'), clock)
    await app.ready()
    const { body, contentType } = encodeForm(MANUAL, 'returns.md', {})
    await call('POST', '/knowledge/ingest', body, { 'content-type': contentType })
    model.setDefault({ text: REPLY })
  })
  afterAll(async () => {
    await app.close()
    await model.close()
    await database.close()
  })

  it('opens the breaker, alerts, leaves customers with extractive replies, and is over when the model is back', async () => {
    expect(await ask('How many days do I have to return goods?')).toBe('model')
    expect(await alerts()).toEqual([])

    model.setDefault({ status: 503 })
    for (let i = 0; i < 8; i++) {
      expect(['fallback', 'extractive']).toContain(await ask(`May I return opened goods, case ${i}?`))
    }
    expect(await breaker()).toBe('OPEN')
    expect(await alerts()).toEqual([['breaker:llm', false]])
    expect((await call('GET', '/observability/health')).status).toBe('degraded')
    const asked = model.requests.length
    await ask('May I return opened goods, once more?')
    expect(model.requests).toHaveLength(asked)

    clock.advance(31_000)
    await ask('May I return opened goods, while it is still down?')
    expect(await breaker()).toBe('OPEN')
    expect(await alerts()).toEqual([['breaker:llm', false]])

    model.setDefault({ text: REPLY })
    clock.advance(31_000)
    expect(await ask('When may goods be returned?')).toBe('model')
    expect(await breaker()).toBe('CLOSED')
    expect(await alerts()).toEqual([['breaker:llm', true]])
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })
})
