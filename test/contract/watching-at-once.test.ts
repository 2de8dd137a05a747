import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/postgres/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { span, trace } from '../support/traces.ts'
import { createWatchApp, type WatchApp } from '../support/watch-app.ts'

const REPLICAS = 4
const ROUNDS = 15
const AGENTS = ['router', 'knowledge', 'business', 'chitchat', 'escalation', 'composer']
const METRICS = '/api/v1/operations/experiments/race/metrics'

/** Replicas that write at the same moment: on a server over connections of their own, embedded one after the other. */
describe('replicas that write the same rows at once', () => {
  let database: TestDatabase
  const opened: Database[] = []
  const replicas: WatchApp[] = []
  const clock = createManualClock()
  beforeAll(async () => {
    database = await createTestDatabase()
    const shared = database.db
    for (let i = 0; i < REPLICAS; i++) {
      const db = database.db.kind === 'server' && i > 0 ? await database.reopen() : shared
      opened.push(db)
      replicas.push(await createWatchApp(db, { clock }))
    }
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.close()
    await database.close()
  })

  /** Each replica touches the rows in another order. */
  async function work(replica: WatchApp, index: number): Promise<number[]> {
    const { watch, watching } = replica
    const order = [...AGENTS.slice(index), ...AGENTS.slice(0, index)]
    const tiers = index % 2 ? (['light', 'strong'] as const) : (['strong', 'light'] as const)
    const statuses: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const spans = order.map((agent) => span({ agent, durationMs: 2, startedAt: clock.now() }))
      watching.traces.record(trace({ spans, startedAt: clock.now(), sessionId: `s-${index}` }))
      for (const tier of tiers) watching.tiers.count(tier)
      watch.alerts.raise({ fingerprint: 'race', level: 'warn', source: 'race', message: 'x', details: {} })
      const value = index * ROUNDS + round
      const answers = await Promise.all([
        replica.call('POST', METRICS, { variant: round % 2 ? 'a' : 'b', metric_name: 'm', value }),
        replica.call('GET', '/api/v1/monitor/agents'),
        replica.call('GET', '/api/v1/performance/metrics'),
        replica.call('GET', '/api/v1/observability/alerts'),
      ])
      statuses.push(...answers.map(({ status }) => status))
    }
    return statuses
  }

  it('lose nothing and wait for nobody for ever', async () => {
    const [first] = replicas as [WatchApp]
    const variants = { variants: ['a', 'b'], traffic_split: { a: 0.5, b: 0.5 } }
    await first.call('POST', '/api/v1/operations/experiments', { name: 'race', ...variants })
    const statuses = (await Promise.all(replicas.map(work))).flat()
    expect(new Set(statuses)).toEqual(new Set([200, 204]))
    const total = REPLICAS * ROUNDS
    const get = async (path: string) => (await first.call('GET', `/api/v1${path}`)).body
    for (const agent of await get('/monitor/agents'))
      expect(agent).toMatchObject({ call_count: total, avg_duration_ms: 2 })
    expect((await get('/performance/metrics')).metrics.model_router_stats).toMatchObject({
      light: total,
      strong: total,
    })
    expect(await get('/observability/alerts')).toMatchObject([{ fingerprint: 'race', count: total }])
    const { variants: measured } = await get('/operations/experiments/race/results')
    expect(measured.a.samples + measured.b.samples).toBe(total)
    const mean =
      (measured.a.metrics.m.mean * measured.a.samples + measured.b.metrics.m.mean * measured.b.samples) / total
    expect(mean).toBeCloseTo((total - 1) / 2, 9)
  })
})
