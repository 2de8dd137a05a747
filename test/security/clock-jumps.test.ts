import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { createLog } from '../../src/platform/log.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type StubServer, startStubServer } from '../support/stub-server.ts'
import { encodeForm, testConfig } from '../support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** The machine's clock is set: a leap of hours, years, back to 1970. Nothing fails by it, and nothing waits until the time has come again. */

const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR
const MANUAL = '# Returns\n\nGoods may be returned within 14 days of delivery.\n'
const QUESTION = 'Within how many days may goods be returned?'

describe('when the clock is set', () => {
  let database: TestDatabase
  let app: App
  let model: StubServer
  let isModelBroken = false
  const clock = createManualClock(Date.now())
  const failures: string[] = []
  let count = 0

  async function call(method: 'GET' | 'POST', path: string, payload?: object | Buffer, headers = {}) {
    const response = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload ? { payload } : {}) })
    if (response.statusCode >= 500) failures.push(`${method} ${path}: ${response.statusCode} ${response.body}`)
    return response.json()
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    model = await startStubServer(({ method }) => {
      if (isModelBroken || method === 'POST') return { status: 500, body: 'broken' }
      return { body: '{"data":[]}' }
    })
    const config = testConfig({ LLM_MODEL: 'm', LLM_BASE_URL: `${model.origin}/v1` })
    app = await createApp(config, database.db, createLog('silent'), clock)
    await app.ready()
    const { body, contentType } = encodeForm(MANUAL, 'returns.md', {})
    await call('POST', '/knowledge/ingest', body, { 'content-type': contentType })
  })
  afterAll(async () => {
    await app.close()
    await model.close()
    await database.close()
  })

  /** What a day brings: every group of endpoints is used, and a session that began long ago goes on. */
  async function useEverything(): Promise<void> {
    const session_id = `waits-${++count}`
    const answers = await call('POST', '/chat', { message: QUESTION, session_id: 'long-lived' })
    expect(answers.reply).toContain('14 days')
    expect(answers.data.turn_count).toBe(count)
    await call('POST', '/gateway', { channel: 'app', user_id: 'u', message: QUESTION, message_id: 'the same' })
    await call('POST', '/chat', { message: 'I want to talk to a human agent', session_id })
    const at = `/agent/sessions/${session_id}`
    expect((await call('POST', `${at}/accept`, {})).agent_status).toBe('assigned')
    expect(await call('POST', `${at}/messages`, { content: 'Hello' })).toHaveProperty('message_id')
    expect((await call('POST', `${at}/resolve`, {})).agent_status).toBe('resolved')
    const roles = (await call('GET', at)).history.map(({ role }: { role: string }) => role)
    expect(roles.filter((role: string) => role !== 'system')).toEqual(['user', 'assistant', 'agent'])
    for (const path of [
      ...['/health', '/performance/metrics', '/performance/cache/stats', '/observability/health'],
      ...['/observability/circuit-breakers', '/observability/alerts', '/observability/token-usage?window=day'],
      ...['/monitor/overview', '/monitor/traces', '/monitor/agents', '/monitor/sessions', '/operations/dashboard'],
      ...['/operations/release-checklist', '/knowledge/documents', '/evaluation/reports', '/mining/status'],
    ]) {
      await call('GET', path)
    }
  }

  it.each([
    ['not at all', 0],
    ['by an hour', HOUR],
    ['back by an hour', -HOUR],
    ['by ten years', 10 * YEAR],
    ['back by thirty', -30 * YEAR],
    ['back to 1970 or so', -20 * YEAR],
    ['to today', 40 * YEAR],
  ])('%s, everything answers, and sessions go on in their order', async (_, jump) => {
    clock.advance(jump)
    await useEverything()
    expect(failures).toEqual([])
  })

  it('back, the dashboard does not stay at what it was', async () => {
    const read = async () => (await call('GET', '/operations/dashboard')).total_sessions
    const before = await read()
    clock.advance(-YEAR)
    await call('POST', '/chat', { message: QUESTION, session_id: 'one more' })
    expect(await read()).toBe(before + 1)
  })

  it('back, a breaker that is open does not stay so until the time has come again', async () => {
    isModelBroken = true
    for (let i = 0; i < 8; i++) await call('POST', '/chat', { message: `May goods be returned, case ${i}?` })
    const state = async () => (await call('GET', '/observability/circuit-breakers')).llm
    expect((await state()).state).toBe('OPEN')
    const { rejected_count } = await state()
    clock.advance(-YEAR)
    await call('POST', '/chat', { message: 'May goods be returned, one more?' })
    const after = await state()
    // It was asked again, and failed again: its time is the new one.
    expect(Date.parse(after.last_failure_time)).toBe(clock.now())
    expect(after.rejected_count).toBeGreaterThanOrEqual(rejected_count)
  })
})
