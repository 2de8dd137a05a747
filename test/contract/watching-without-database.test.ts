import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import type { Database } from '../../src/platform/postgres/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { span, trace } from '../support/traces.ts'
import { createWatchApp, type WatchApp } from '../support/watch-app.ts'

const READS = [
  '/performance/metrics',
  '/performance/cache/stats',
  '/observability/alerts',
  '/observability/token-usage',
  '/monitor/overview',
  '/monitor/traces',
  '/monitor/traces/x',
  '/monitor/agents',
  '/monitor/sessions',
  '/operations/experiments',
  '/operations/experiments/x/results',
  '/operations/experiments/x/assignment?unit=u',
  '/operations/dashboard?force_refresh=true',
]

/** The same database, which can be taken away. */
function removable(db: Database): { db: Database; take(): void; giveBack(): void } {
  let isAway = false
  const executor = new Proxy(db.executor, {
    get(target, property) {
      if (isAway && property === 'getExecutor') throw new AppError('unavailable', 'database_unavailable', 'It is away')
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    db: { ...db, executor },
    take: () => {
      isAway = true
    },
    giveBack: () => {
      isAway = false
    },
  }
}

describe('while the database is away', () => {
  let database: TestDatabase
  let replica: WatchApp
  const clock = createManualClock()
  let away: ReturnType<typeof removable>
  beforeAll(async () => {
    database = await createTestDatabase()
    away = removable(database.db)
    replica = await createWatchApp(away.db, { clock })
    away.take()
  })
  afterAll(async () => {
    await replica.close()
    await database.close()
  })

  it.each(READS)('GET %s is 503, never 500', async (path) => {
    expect(await replica.call('GET', `/api/v1${path}`)).toMatchObject({ status: 503, body: { detail: 'It is away' } })
  })

  it('what needs no database is answered, and says that it is away', async () => {
    const { status, body } = await replica.call('GET', '/api/v1/observability/health')
    expect([status, body.status]).toEqual([200, 'unhealthy'])
    expect(body.checks[0]).toMatchObject({ name: 'database', status: 'unhealthy', message: 'It is away' })
    expect((await replica.call('GET', '/api/v1/observability/circuit-breakers')).status).toBe(200)
    expect((await replica.call('GET', '/metrics')).status).toBe(200)
    const checklist = await replica.call('GET', '/api/v1/operations/release-checklist')
    expect(checklist.status).toBe(200)
    expect(checklist.body.checks[0]).toMatchObject({ name: 'database', status: 'failed', error: 'It is away' })
  })

  it('replies are computed, not served from a cache that cannot be checked', async () => {
    expect(await replica.watching.replyCache.claim({ text: 'q', scope: '' })).toEqual({ kind: 'bypass' })
  })

  it('nothing that happens meanwhile is lost', async () => {
    for (let i = 0; i < 3; i++) {
      replica.watching.traces.record(trace({ startedAt: clock.now(), spans: [span({ startedAt: clock.now() })] }))
      replica.watching.tiers.count('light')
      const usage = { inputTokens: 10, outputTokens: 1, estimated: false }
      const timing = { attempts: 1, firstTokenMs: null, durationMs: 1, outcome: 'ok' as const }
      replica.watching.onCall({ agent: 'a', tier: 'light', model: 'm', usage, ...timing })
    }
    const breaker = replica.watch.breakers.get('llm')
    for (let i = 0; i < 5; i++) await breaker.run(() => Promise.reject(new Error('down'))).catch(() => {})
    await replica.watch.monitoring.flush()
    away.giveBack()
    const read = async (path: string) => (await replica.call('GET', `/api/v1${path}`)).body
    expect((await read('/monitor/overview')).total_traces).toBe(3)
    expect((await read('/performance/metrics')).metrics.model_router_stats.light).toBe(3)
    expect((await read('/observability/token-usage')).total).toMatchObject({ calls: 3, total_tokens: 33 })
    expect(await read('/observability/alerts')).toMatchObject([{ fingerprint: 'breaker:llm', count: 1 }])
  })
})
