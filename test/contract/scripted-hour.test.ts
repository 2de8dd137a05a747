import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelCall, RouterTier } from '../../src/ai/model/port.ts'
import type { App } from '../../src/http/server.ts'
import type { Span, Trace } from '../../src/kernel/tracing.ts'
import type { Database } from '../../src/platform/postgres/index.ts'
import { createManualClock, type ManualClock } from '../support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { span, trace } from '../support/traces.ts'
import { createWatchApp, secondDatabase, type WatchApp } from '../support/watch-app.ts'

const TURNS = 300
const QUESTIONS = 12
const MODELS = ['small', 'large']
const CHANNELS = ['web', 'app', 'wechat']

/** What was done, counted beside the service. */
interface Tally {
  hits: number
  misses: number
  responseMs: number[]
  failedRequests: number
  tiers: Record<RouterTier, number>
  traces: Trace[]
  calls: ModelCall[]
  asked: Map<string, number>
}

/** Stands in for the chat: a turn takes the time that the script says, on the test's clock. */
function standIn(app: App, clock: ManualClock): void {
  app.post('/api/v1/chat', async (request) => {
    const { takesMs, fails } = request.body as { takesMs: number; fails: boolean }
    clock.advance(takesMs)
    if (fails) throw new Error('broken')
    return { reply: 'ok' }
  })
}

/** Park and Miller's generator: a fixed sequence, so that the hour is always the same. */
function createDice(): (sides: number) => number {
  let seed = 20_260_101
  return (sides) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % sides
  }
}

async function takeTurn(replica: WatchApp, tally: Tally, number: number, dice: (sides: number) => number) {
  const { watching, clock } = replica
  const question = `Question number ${dice(QUESTIONS)}?`
  const fails = dice(25) === 0
  const claim = await watching.replyCache.claim({ text: question, scope: 'en' })
  const isCached = claim.kind === 'hit'
  tally[isCached ? 'hits' : 'misses'] += 1
  const startedAt = clock.now()
  const takesMs = isCached ? 5 + dice(10) : 100 + dice(2_000)
  const spans: Span[] = [span({ agent: 'router', startedAt, durationMs: 1 })]
  if (!isCached) spans.push(answer(replica, tally, dice, startedAt, takesMs))
  if (claim.kind === 'compute') {
    if (fails) claim.fail()
    else claim.keep({ reply: `answer to ${question}` })
  }
  await replica.call('POST', '/api/v1/chat', { takesMs, fails })
  if (fails) tally.failedRequests += 1
  else tally.responseMs.push(takesMs)
  const made = trace({
    sessionId: `session-${dice(60)}`,
    channel: CHANNELS[dice(3)] as string,
    status: fails ? 'error' : 'ok',
    startedAt,
    durationMs: takesMs,
    escalated: dice(10) === 0,
    confidence: (['sure', 'sure', 'close', 'none'] as const)[dice(4)] as 'sure',
    cached: isCached,
    spans,
  })
  watching.traces.record(made)
  tally.traces.push(made)
  tally.asked.set(question, (tally.asked.get(question) ?? 0) + 1)
  await store(replica.watch.db, made, question, number)
}

/** The knowledge agent's span, with a model's call for three turns of four. */
function answer(
  { watching }: WatchApp,
  tally: Tally,
  dice: (sides: number) => number,
  startedAt: number,
  durationMs: number,
): Span {
  const tier = (['extractive', 'light', 'standard', 'strong'] as const)[dice(4)] as RouterTier
  watching.tiers.count(tier)
  tally.tiers[tier] += 1
  const usage = { inputTokens: 100 + dice(900), outputTokens: 10 + dice(90), estimated: false }
  if (tier !== 'extractive') {
    const model = MODELS[dice(2)] as string
    const timing = { attempts: 1, firstTokenMs: 20, durationMs }
    const call: ModelCall = { agent: 'knowledge', tier, model, usage, ...timing, outcome: 'ok' }
    watching.onCall(call)
    tally.calls.push(call)
  }
  const status = dice(15) === 0 ? 'error' : 'ok'
  return span({ agent: 'knowledge', startedAt, durationMs, status, tokens: tier === 'extractive' ? null : usage })
}

/** What the chat would store of the turn. */
async function store(db: Database, { sessionId, escalated = false, startedAt }: Trace, question: string, n: number) {
  const at = new Date(startedAt)
  await sql`insert into chat_sessions as s (session_id, channel, turn_count, updated_at, escalated_at, agent_status)
    values (${sessionId}, 'web', 1, ${at}, ${escalated ? at : null}, ${escalated ? 'resolved' : null})
    on conflict (session_id) do update set turn_count = s.turn_count + 1, updated_at = excluded.updated_at,
      escalated_at = coalesce(s.escalated_at, excluded.escalated_at),
      agent_status = coalesce(s.agent_status, excluded.agent_status)`.execute(db.executor)
  await sql`insert into chat_messages (message_id, session_id, role, content)
    values (${`message-${n}`}, ${sessionId}, 'user', ${question})`.execute(db.executor)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** PERCENTILE.INC: linear between the two closest ranks. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const rank = share * (sorted.length - 1)
  const low = sorted[Math.floor(rank)] as number
  return low + (rank % 1) * ((sorted[Math.ceil(rank)] as number) - low)
}

describe('after an hour of traffic over two replicas, every endpoint reports exactly what was done', () => {
  let database: TestDatabase
  let db: Database
  let clock: ManualClock
  const replicas: WatchApp[] = []
  const tally: Tally = {
    hits: 0,
    misses: 0,
    responseMs: [],
    failedRequests: 0,
    tiers: { extractive: 0, light: 0, standard: 0, strong: 0 },
    traces: [],
    calls: [],
    asked: new Map(),
  }

  beforeAll(async () => {
    database = await createTestDatabase()
    db = database.db
    clock = createManualClock()
    const environment = {
      ALERT_ERROR_RATE_PERCENT: '0',
      ALERT_LOW_CONFIDENCE_RATE_PERCENT: '30',
      ALERT_LATENCY_MS: '500',
      ALERT_FREE_DISK_PERCENT: '0',
    }
    for (const own of [db, await secondDatabase(database)]) {
      replicas.push(await createWatchApp(own, { clock, environment, register: standIn }))
    }
    const dice = createDice()
    const end = clock.now() + 3_590_000
    for (let turn = 0; turn < TURNS; turn++) {
      await takeTurn(replicas[dice(2)] as WatchApp, tally, turn, dice)
      clock.advance(Math.max(0, Math.min(dice(20_000), end - clock.now())))
    }
    clock.advance(Math.max(0, end - clock.now()))
    for (const replica of replicas) await get(replica, '/monitor/overview')
    for (const replica of replicas) await get(replica, '/performance/metrics')
    for (const replica of replicas) await get(replica, '/observability/token-usage')
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.close()
    await database.close()
  })

  const get = async (replica: WatchApp, path: string) => (await replica.call('GET', `/api/v1${path}`)).body

  async function expectTruth(replica: WatchApp): Promise<void> {
    expect((await get(replica, '/performance/metrics')).metrics).toEqual({
      cache_hit_rate: tally.hits / TURNS,
      concurrent_requests: 0,
      model_router_stats: tally.tiers,
      avg_response_ms: expect.closeTo(sum(tally.responseMs) / tally.responseMs.length, 6),
      window_seconds: 3_600,
    })
    const { hits, misses, hit_rate } = await get(replica, '/performance/cache/stats')
    expect({ hits, misses, hit_rate }).toEqual({ ...pick(tally), hit_rate: tally.hits / TURNS })
    await expectTurns(replica)
    await expectUsage(replica)
    await expectDashboard(replica)
  }

  async function expectTurns(replica: WatchApp): Promise<void> {
    const durations = tally.traces.map(({ durationMs }) => durationMs)
    const active = new Set(
      tally.traces.filter(({ startedAt }) => startedAt > clock.now() - 30 * 60_000).map(({ sessionId }) => sessionId),
    )
    const failed = tally.traces.filter(({ status }) => status === 'error').length
    expect(await get(replica, '/monitor/overview')).toEqual({
      total_traces: TURNS,
      success_rate: (TURNS - failed) / TURNS,
      avg_duration_ms: expect.closeTo(sum(durations) / TURNS, 6),
      p95_duration_ms: expect.closeTo(percentile(durations, 0.95), 6),
      active_sessions: active.size,
    })
    expect(await get(replica, '/monitor/sessions')).toHaveLength(active.size)
    const listed = await get(replica, '/monitor/traces?limit=200')
    const newest = tally.traces.toReversed().slice(0, 200)
    expect(listed.map(({ trace_id }: { trace_id: string }) => trace_id)).toEqual(newest.map(({ traceId }) => traceId))
    const spans = tally.traces.flatMap((made) => made.spans)
    for (const agent of await get(replica, '/monitor/agents')) {
      const own = spans.filter((each) => each.agent === agent.agent)
      expect(agent).toMatchObject({
        call_count: own.length,
        error_count: own.filter(({ status }) => status === 'error').length,
        avg_duration_ms: expect.closeTo(own.length ? sum(own.map(({ durationMs }) => durationMs)) / own.length : 0, 6),
      })
    }
  }

  async function expectUsage(replica: WatchApp): Promise<void> {
    const { total, by_model, by_agent } = await get(replica, '/observability/token-usage?window=hour')
    const sums = (calls: readonly ModelCall[]) => {
      const input_tokens = sum(calls.map(({ usage }) => usage.inputTokens))
      const output_tokens = sum(calls.map(({ usage }) => usage.outputTokens))
      return {
        input_tokens,
        output_tokens,
        total_tokens: input_tokens + output_tokens,
        calls: calls.length,
        cost: null,
      }
    }
    expect(total).toEqual(sums(tally.calls))
    expect(by_agent).toEqual({ knowledge: sums(tally.calls) })
    const models = MODELS.map((model) => [model, sums(tally.calls.filter((call) => call.model === model))])
    expect(by_model).toEqual(Object.fromEntries(models))
  }

  async function expectDashboard(replica: WatchApp): Promise<void> {
    const sessions = new Set(tally.traces.map(({ sessionId }) => sessionId))
    const escalated = new Set(tally.traces.filter((made) => made.escalated).map(({ sessionId }) => sessionId))
    const dashboard = await get(replica, '/operations/dashboard?force_refresh=true')
    expect(dashboard).toMatchObject({
      total_sessions: sessions.size,
      escalation_rate: escalated.size / sessions.size,
      resolution_rate: 1,
      avg_response_time_ms: expect.closeTo(sum(tally.traces.map(({ durationMs }) => durationMs)) / TURNS, 6),
    })
    const counts = [...tally.asked.values()].sort((a, b) => b - a).slice(0, 10)
    expect(dashboard.hot_questions.map(({ count }: { count: number }) => count)).toEqual(counts)
    for (const { question, count } of dashboard.hot_questions) expect(tally.asked.get(question)).toBe(count)
  }

  it('was an hour worth looking at', () => {
    expect(tally.hits).toBeGreaterThan(30)
    expect(tally.failedRequests).toBeGreaterThan(3)
    for (const count of Object.values(tally.tiers)) expect(count).toBeGreaterThan(5)
    expect(tally.misses + tally.hits).toBe(TURNS)
  })

  it('on the first replica', () => expectTruth(replicas[0] as WatchApp))

  it('on the second replica', () => expectTruth(replicas[1] as WatchApp))

  it('after a restart', async () => {
    const restarted = await createWatchApp(db, { clock })
    await expectTruth(restarted)
    await restarted.close()
  })

  it('and raises the alerts that follow from it, with its numbers', async () => {
    const recent = tally.traces.filter(({ startedAt }) => startedAt > clock.now() - 15 * 60_000)
    const share = (isCounted: (made: Trace) => boolean) =>
      Math.round((recent.filter(isCounted).length / recent.length) * 1_000) / 1_000
    await (replicas[0] as WatchApp).watching.evaluate()
    const alerts = await get(replicas[1] as WatchApp, '/observability/alerts')
    const details = Object.fromEntries(
      alerts.map((alert: { fingerprint: string; details: object }) => [alert.fingerprint, alert.details]),
    )
    expect(details).toMatchObject({
      'error_rate:turns': { rate: share(({ status }) => status === 'error'), of: recent.length },
      low_confidence: { rate: share(({ confidence }) => confidence !== 'sure'), of: recent.length },
      latency: {
        p95_ms: Math.round(
          percentile(
            recent.map(({ durationMs }) => durationMs),
            0.95,
          ),
        ),
      },
    })
    expect(Object.keys(details).sort()).toEqual([
      'error_rate:requests',
      'error_rate:turns',
      'latency',
      'low_confidence',
    ])
  })
})

function pick({ hits, misses }: Tally) {
  return { hits, misses }
}
