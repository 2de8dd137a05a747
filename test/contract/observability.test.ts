import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ModelCall } from '../../src/ai/model/port.ts'
import type { App } from '../../src/http/server.ts'
import type { Database } from '../../src/platform/postgres/index.ts'
import { createManualClock, type ManualClock } from '../support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { trace } from '../support/traces.ts'
import { createWatchApp, secondDatabase, type WatchApp } from '../support/watch-app.ts'

const OBSERVABILITY = '/api/v1/observability'
const BREAKERS = ['llm', 'embedding', 'rerank', 'business', 'database', 'wechat', 'dingtalk']

function standIns(app: App): void {
  app.post('/api/v1/chat', async () => {
    throw new Error('broken')
  })
}

describe('the observability endpoints', () => {
  let database: TestDatabase
  let db: Database
  let clock: ManualClock
  let one: WatchApp
  let two: WatchApp
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-prices-'))
    const prices = join(folder, 'prices.yaml')
    writeFileSync(prices, 'currency: EUR\nmodels:\n  careful: {input: 2, output: 8}\n')
    database = await createTestDatabase()
    db = database.db
    clock = createManualClock()
    const environment = { PRICES_FILE: prices, DAILY_TOKEN_BUDGET: '1000', ALERT_FREE_DISK_PERCENT: '0' }
    one = await createWatchApp(db, { clock, environment, register: standIns })
    two = await createWatchApp(await secondDatabase(database), { clock, environment, register: standIns })
  })
  afterAll(async () => {
    await one.close()
    await two.close()
    await database.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => clock.advance(3 * 86_400_000))

  const get = async (path: string, replica = one) => (await replica.call('GET', `${OBSERVABILITY}${path}`)).body
  const now = () => new Date(clock.now()).toISOString()
  const openBreaker = async (name: string, replica = one) => {
    const breaker = replica.watch.breakers.get(name)
    const fail = () => breaker.run(() => Promise.reject(new Error('secret inside'))).catch(() => {})
    for (let i = 0; i < 5; i++) await fail()
  }

  describe('circuit breakers', () => {
    it('are there before any call', async () => {
      const breakers = await get('/circuit-breakers')
      expect(Object.keys(breakers)).toEqual(BREAKERS)
      expect(breakers.llm).toEqual({
        // Nobody has set a model up.
        configured: false,
        state: 'CLOSED',
        failure_count: 0,
        success_count: 0,
        rejected_count: 0,
        failure_threshold: 5,
        recovery_timeout_seconds: 30,
        last_failure_time: null,
        last_error: null,
        opened_at: null,
        next_attempt_at: null,
      })
    })

    it('open, alert, are reset by hand on every replica, and the alert is over', async () => {
      await openBreaker('llm', one)
      await openBreaker('llm', two)
      const breakers = await get('/circuit-breakers')
      expect(breakers.llm).toMatchObject({ state: 'OPEN', failure_count: 5, opened_at: now(), last_error: 'Error' })
      await get('/alerts', two)
      const [alert] = await get('/alerts?source=circuit_breaker')
      expect(alert).toEqual({
        alert_id: expect.stringMatching(/^alert_/),
        level: 'error',
        source: 'circuit_breaker',
        message: 'llm fails and is left alone for a while',
        details: { breaker: 'llm', last_error: 'Error' },
        fingerprint: 'breaker:llm',
        count: 2,
        created_at: now(),
        last_seen_at: now(),
        resolved_at: null,
        state: 'firing',
        acknowledged: null,
        silenced: null,
      })
      const reset = await one.call('POST', `${OBSERVABILITY}/circuit-breakers/llm/reset`)
      expect(reset).toMatchObject({ status: 200, body: { name: 'llm', state: 'CLOSED', failure_count: 0 } })
      await waitUntil(async () => (await get('/circuit-breakers', two)).llm.state === 'CLOSED')
      expect((await get('/alerts?source=circuit_breaker'))[0]).toMatchObject({ resolved_at: now(), count: 2 })
    })

    it.each(['nope', 'LLM', ' llm', '__proto__', 'a%2Fb'])('do not know %j', async (name) => {
      const answer = await one.call('POST', `${OBSERVABILITY}/circuit-breakers/${name}/reset`)
      expect(answer.status).toBe(404)
      expect(answer.body.detail).toContain('No circuit breaker has the name')
    })
  })

  describe('alerts', () => {
    it('are filtered by level, source and time', async () => {
      const source = 'filtering'
      const since = now()
      for (const level of ['info', 'warn', 'error', 'critical'] as const) {
        clock.advance(1_000)
        one.watch.alerts.raise({ fingerprint: `filter ${level}`, level, source, message: level, details: {} })
      }
      const levels = async (query: string) =>
        (await get(`/alerts?source=${source}&${query}`)).map(({ level }: { level: string }) => level)
      expect(await levels('')).toEqual(['critical', 'error', 'warn', 'info'])
      expect(await levels('level=warn')).toEqual(['warn'])
      expect(await levels(`since=${now()}`)).toEqual(['critical'])
      expect(await levels(`since=${since}`)).toHaveLength(4)
      expect(await levels(`since=${since.replace('.000Z', '+00:00')}`)).toHaveLength(4)
      expect(await levels(`since=${encodeURIComponent(now().replace('Z', '+08:00'))}`)).toHaveLength(4)
      expect(await levels(`since=${since.slice(0, 10)}`)).toHaveLength(4)
      expect(await levels('limit=2')).toEqual(['critical', 'error'])
      expect(await get('/alerts?source=nobody')).toEqual([])
    })

    it.each([
      'level=fatal',
      'level=',
      'level=WARN',
      'since=yesterday',
      'since=2026-02-30',
      'since=',
      'since=1767225600',
      'since=2026-01-01T25:00:00Z',
    ])('refuse %s as a bad request', async (query) => {
      const answer = await one.call('GET', `${OBSERVABILITY}/alerts?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toContain(query.split('=')[0])
    })

    it('come from rules over what all replicas did, and end with their cause', async () => {
      for (let i = 0; i < 20; i++) await (i % 2 ? one : two).call('POST', '/api/v1/chat', {})
      for (let i = 0; i < 30; i++) {
        const late = { status: 'error' as const, durationMs: 60_000, escalated: i < 20, confidence: 'none' as const }
        one.watching.traces.record(trace({ sessionId: `s-${i}`, startedAt: clock.now(), ...late }))
      }
      one.watching.onCall(call({ inputTokens: 600, outputTokens: 300, estimated: false }))
      const waitingSince = new Date(clock.now() - 1_200_000)
      await sql`insert into chat_sessions (session_id, channel, agent_status, escalated_at)
        values ('waits', 'web', 'pending', ${waitingSince})`.execute(database.db.executor)
      await two.call('GET', '/api/v1/performance/metrics')
      await one.watching.evaluate()
      const open = async () =>
        Object.fromEntries(
          (await get('/alerts'))
            .filter(
              (each: { resolved_at: unknown; source: string }) => !each.resolved_at && each.source !== 'filtering',
            )
            .map((each: { fingerprint: string; level: string; count: number }) => [
              each.fingerprint,
              [each.level, each.count],
            ]),
        )
      const raised = {
        'error_rate:requests': ['error', 1],
        'error_rate:turns': ['error', 1],
        latency: ['warn', 1],
        escalation_rate: ['warn', 1],
        low_confidence: ['warn', 1],
        queue_age: ['warn', 1],
        token_budget: ['warn', 1],
      }
      expect(await open()).toEqual(raised)
      // The other replica finds that they were judged a moment ago.
      await two.watching.evaluate()
      expect(await open()).toEqual(raised)
      clock.advance(60_000)
      await two.watching.evaluate()
      expect((await open()).latency).toEqual(['warn', 2])
      await sql`delete from chat_sessions`.execute(database.db.executor)
      clock.advance(86_400_000)
      await one.watching.evaluate()
      expect(await open()).toEqual({})
    })

    it('of a breaker live as long as somewhere one is open, and no longer', async () => {
      await openBreaker('rerank', two)
      const isOpen = async () => {
        await two.watch.alerts.flush()
        return (await get('/alerts?source=circuit_breaker'))[0].resolved_at === null
      }
      expect(await isOpen()).toBe(true)
      for (let minute = 0; minute < 6; minute++) {
        clock.advance(60_000)
        await two.watching.evaluate()
        await one.watching.evaluate()
      }
      expect(await isOpen()).toBe(true)
      // The second replica dies without a word.
      for (let minute = 0; minute < 4; minute++) {
        clock.advance(60_000)
        await one.watching.evaluate()
      }
      expect(await isOpen()).toBe(false)
      two.watch.breakers.reset('rerank')
    })

    it('of messages that were not delivered are one for each channel, until none was lost for a while', async () => {
      const lost = { channel: 'wechat', sessionId: 's', attempts: 1, code: 'wechat_unsubscribed' }
      one.watch.alerts.deliveryLost({ ...lost, isPlatformsFault: false })
      one.watch.alerts.deliveryLost({ ...lost, attempts: 6, code: 'platform_unavailable', isPlatformsFault: true })
      await one.watch.alerts.flush()
      two.watch.alerts.deliveryLost({ ...lost, channel: 'dingtalk', isPlatformsFault: false })
      await two.watch.alerts.flush()
      const found = async () => {
        const alerts: Record<string, unknown>[] = await get('/alerts?source=delivery')
        return alerts.map(({ fingerprint, level, count, resolved_at }) => [
          fingerprint,
          level,
          count,
          resolved_at !== null,
        ])
      }
      expect(await found()).toEqual([
        ['delivery:dingtalk', 'warn', 1, false],
        ['delivery:wechat', 'error', 2, false],
      ])
      clock.advance(14 * 60_000)
      one.watch.alerts.deliveryLost({ ...lost, isPlatformsFault: false })
      clock.advance(2 * 60_000)
      await one.watching.evaluate()
      expect(await found()).toEqual([
        ['delivery:dingtalk', 'warn', 1, true],
        ['delivery:wechat', 'warn', 3, false],
      ])
      clock.advance(14 * 60_000)
      await two.watching.evaluate()
      expect((await found())[1]).toEqual(['delivery:wechat', 'warn', 3, true])
    })
  })

  describe('health', () => {
    it('names every check', async () => {
      const health = await get('/health')
      const names = health.checks.map(({ name }: { name: string }) => name)
      expect(names).toEqual([
        'database',
        'migrations',
        'extensions',
        'embedding',
        'llm',
        'rerank',
        'business',
        'disk',
        'event_loop',
      ])
      expect(health.checked_at).toBe(now())
      for (const check of health.checks) {
        expect(check).toEqual({
          name: expect.any(String),
          words: { en: check.message, zh: expect.any(String) },
          status: expect.stringMatching(/^(?:healthy|degraded|unhealthy|not_configured)$/),
          latency_ms: expect.any(Number),
          critical: expect.any(Boolean),
          message: expect.stringMatching(/\S/),
        })
      }
      const byName = Object.fromEntries(health.checks.map((check: { name: string }) => [check.name, check]))
      expect(byName.database).toMatchObject({ status: 'healthy', critical: true })
      expect(byName.llm).toMatchObject({ status: 'not_configured', critical: false })
    })

    it('is degraded while a breaker is open, and whole again', async () => {
      const statusOf = async (name: string) => {
        const { status, checks } = await get('/health')
        return [status, checks.find((check: { name: string }) => check.name === name).status]
      }
      await openBreaker('business')
      expect(await statusOf('business')).toEqual(['degraded', 'unhealthy'])
      one.watch.breakers.reset('business')
      expect((await statusOf('business'))[1]).toBe('healthy')
    })
  })

  describe('token usage', () => {
    it('is empty before any call', async () => {
      expect(await get('/token-usage')).toEqual({
        window: 'hour',
        from: new Date(clock.now() - 3_600_000).toISOString(),
        to: now(),
        total: { input_tokens: 0, output_tokens: 0, total_tokens: 0, calls: 0, cost: null },
        by_model: {},
        by_agent: {},
        estimated: false,
        currency: 'EUR',
        unpriced_models: [],
      })
    })

    it('is by model and by agent, with costs, within the window, from all replicas', async () => {
      const early = { model: 'careful', agent: 'composer' }
      two.watching.onCall(call({ inputTokens: 1_000, outputTokens: 100, estimated: false }, early))
      clock.advance(1_800_000)
      one.watching.onCall(
        call({ inputTokens: 500, outputTokens: 50, estimated: true }, { model: 'cheap', agent: 'router' }),
      )
      one.watching.onCall(call({ inputTokens: 0, outputTokens: 0, estimated: false }, { ...early, attempts: 0 }))
      await get('/token-usage', two)
      const careful = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100, calls: 1, cost: 0.0028 }
      const cheap = { input_tokens: 500, output_tokens: 50, total_tokens: 550, calls: 1, cost: null }
      expect(await get('/token-usage?window=hour')).toMatchObject({
        window: 'hour',
        total: { input_tokens: 1_500, output_tokens: 150, total_tokens: 1_650, calls: 2, cost: 0.0028 },
        by_model: { careful, cheap },
        by_agent: { composer: careful, router: cheap },
        estimated: true,
        unpriced_models: ['cheap'],
      })
      expect((await get('/token-usage?window=minute')).total).toEqual(cheap)
      clock.advance(3_600_000)
      expect((await get('/token-usage')).total.calls).toBe(0)
      expect((await get('/token-usage?window=day')).total.calls).toBe(2)
    })

    it.each(['week', '', 'Hour', '60'])('refuses the window %j as a bad request', async (window) => {
      const answer = await one.call('GET', `${OBSERVABILITY}/token-usage?window=${window}`)
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toMatch(/^window: must be one of minute, hour, day/)
    })
  })

  it('GET /metrics is for Prometheus', async () => {
    one.watching.traces.record(trace({ channel: 'dingtalk' }))
    const { status, headers, body } = await one.call('GET', '/metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain; version=0.0.4')
    expect(body).toContain('frontdesk_turns_total{channel="dingtalk",status="ok",cached="false",escalated="false"} 1')
    expect(body).toContain('frontdesk_breaker_state{name="llm"} 0')
    expect(body).toContain(`route="${OBSERVABILITY}/health",status="200"`)
  })
})

function call(usage: ModelCall['usage'], changes: Partial<ModelCall> = {}): ModelCall {
  const timing = { attempts: 1, firstTokenMs: 20, durationMs: 90 }
  return { agent: 'composer', tier: 'standard', model: 'careful', usage, ...timing, outcome: 'ok', ...changes }
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}
