import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Privacy } from '../../src/features/customers/index.ts'
import type { Trace } from '../../src/kernel/tracing.ts'
import { openCustomers } from '../../src/modules/customers.ts'
import { testConfig } from '../support/test-app.ts'
import { silentLog } from '../support/test-database.ts'
import { span, trace } from '../support/traces.ts'
import { createWatchApp, createWatchPair, type WatchApp, type WatchPair } from '../support/watch-app.ts'

const MONITOR = '/api/v1/monitor'
const AGENTS = ['router', 'knowledge', 'business', 'chitchat', 'escalation', 'composer']

type Counts = Record<string, { calls: number; errors: number; ms: number }>

function tally(counts: Counts, each: { agent: string; type: string; status: string; durationMs: number }): void {
  const own = counts[each.agent]
  if (each.type !== 'agent' || !own) return
  own.calls += 1
  own.errors += Number(each.status === 'error')
  own.ms += each.durationMs
}

describe('the monitor endpoints', () => {
  let pair: WatchPair
  let database: WatchPair['database']
  let db: WatchPair['db']
  let clock: WatchPair['clock']
  let one: WatchPair['one']
  let two: WatchPair['two']
  let keeping: Privacy
  beforeAll(async () => {
    pair = await createWatchPair()
    ;({ database, db, clock, one, two } = pair)
    const config = testConfig({ TRACE_MAX_COUNT: '100' })
    keeping = (await openCustomers({ config, db, clock, log: silentLog }, { forget() {} })).service
  })
  afterAll(async () => {
    await keeping.close()
    await pair.close()
  })
  beforeEach(async () => {
    // Old enough to be pruned, so that each test begins with no traces and no active sessions.
    clock.advance(15 * 86_400_000)
    await keeping.prune()
  })

  const get = async (path: string, replica = one) => (await replica.call('GET', `${MONITOR}${path}`)).body
  const record = (changes: Partial<Trace> = {}, replica = one): Trace => {
    const made = trace({ startedAt: clock.now(), ...changes })
    replica.watching.traces.record(made)
    return made
  }

  it('list every agent before any call', async () => {
    const agents = await get('/agents')
    expect(agents.map(({ agent }: { agent: string }) => agent)).toEqual(AGENTS)
    for (const agent of agents) {
      expect(agent).toMatchObject({ status: 'idle', call_count: 0, error_count: 0, last_called_at: null })
      expect(agent.description.length).toBeGreaterThan(20)
    }
  })

  it('are empty before any turn', async () => {
    expect(await get('/overview')).toEqual({
      total_traces: 0,
      success_rate: 0,
      avg_duration_ms: 0,
      p95_duration_ms: 0,
      active_sessions: 0,
    })
    expect(await get('/traces')).toEqual([])
    expect(await get('/sessions')).toEqual([])
  })

  it('sum up turns of all replicas', async () => {
    const durations = Array.from({ length: 20 }, (_, i) => (i + 1) * 10)
    for (const [i, durationMs] of durations.entries()) {
      const status = i < 3 ? 'error' : i === 3 ? 'interrupted' : 'ok'
      record({ durationMs, status }, i % 2 === 0 ? one : two)
    }
    await get('/overview', two)
    expect(await get('/overview')).toEqual({
      total_traces: 20,
      success_rate: 17 / 20,
      avg_duration_ms: 105,
      // Between the 19th and the 20th of 20, as PERCENTILE.INC has it.
      p95_duration_ms: expect.closeTo(190.5, 6),
      active_sessions: 0,
    })
  })

  it('list traces newest first, without their steps, as many as asked for', async () => {
    for (let i = 0; i < 60; i++) {
      clock.advance(1_000)
      record({ traceId: `listed-${i}`, spans: [span()] })
    }
    const listed = await get('/traces')
    expect(listed).toHaveLength(50)
    expect(listed[0]).toEqual({
      trace_id: 'listed-59',
      session_id: 'session-1',
      message_id: null,
      question: '',
      channel: 'web',
      status: 'ok',
      intent: 'faq',
      started_at: new Date(clock.now()).toISOString(),
      duration_ms: 100,
      tokens: { input_tokens: 0, output_tokens: 0, total_tokens: 0, estimated: false },
      error: null,
      escalated: false,
      confidence: null,
      cached: false,
    })
    const ids = listed.map((each: { trace_id: string }) => each.trace_id)
    expect(ids).toEqual(Array.from({ length: 50 }, (_, i) => `listed-${59 - i}`))
    expect(await get('/traces?limit=1')).toHaveLength(1)
    expect(await get('/traces?limit=200')).toHaveLength(60)
  })

  it('list the turns of one session, or those that went one way', async () => {
    for (const sessionId of ['one', 'two', 'one']) record({ sessionId, status: sessionId === 'two' ? 'error' : 'ok' })
    const found = async (query: string) =>
      (await get(`/traces?${query}`)).map(({ session_id }: { session_id: string }) => session_id)
    expect(await found('session_id=one')).toEqual(['one', 'one'])
    expect(await found('session_id=one&limit=1')).toEqual(['one'])
    expect(await found('session_id=three')).toEqual([])
    expect(await found('status=error')).toEqual(['two'])
    expect(await found('status=error&session_id=one')).toEqual([])
    expect((await one.call('GET', `${MONITOR}/traces?status=odd`)).status).toBe(400)
    expect((await one.call('GET', `${MONITOR}/traces?session_id=`)).status).toBe(422)
  })

  it.each(['0', '201', '-1', '1.5', 'many', ''])('refuse the limit %j', async (limit) => {
    expect((await one.call('GET', `${MONITOR}/traces?limit=${limit}`)).status).toBe(422)
  })

  it('show a trace with its steps and sub-tasks, masked, from any replica', async () => {
    const model = {
      type: 'model' as const,
      name: 'light',
      tokens: { inputTokens: 7, outputTokens: 3, estimated: true },
    }
    const outer = span({
      agent: 'composer',
      input: 'mail jane.doe@mail.example',
      startedAt: clock.now(),
      durationMs: 80,
    })
    const inner = span({ ...model, agent: 'composer', parentId: outer.spanId, status: 'error', error: 'timeout' })
    const { traceId } = record({
      spans: [outer, inner],
      subTasks: [{ taskId: 't-1', question: 'call 13812345678', agent: 'knowledge', status: 'done' }],
      escalated: true,
      confidence: 'close',
      cached: true,
    })
    await get('/overview')
    const shown = await get(`/traces/${traceId}`, two)
    expect(shown).toMatchObject({
      trace_id: traceId,
      tokens: { input_tokens: 7, output_tokens: 3, total_tokens: 10, estimated: true },
      escalated: true,
      confidence: 'close',
      cached: true,
      sub_tasks: [{ task_id: 't-1', question: 'call 138****5678', agent: 'knowledge', status: 'done' }],
    })
    expect(shown.steps).toEqual([
      {
        step_id: outer.spanId,
        parent_id: null,
        agent: 'composer',
        type: 'agent',
        name: 'knowledge',
        status: 'ok',
        started_at: new Date(clock.now()).toISOString(),
        duration_ms: 80,
        input: expect.not.stringContaining('jane.doe'),
        output: 'out',
        tokens: null,
        error: null,
      },
      expect.objectContaining({
        step_id: inner.spanId,
        parent_id: outer.spanId,
        type: 'model',
        status: 'error',
        error: 'timeout',
        tokens: { input_tokens: 7, output_tokens: 3, total_tokens: 10, estimated: true },
      }),
    ])
  })

  it('do not know an unknown trace', async () => {
    const answer = await one.call('GET', `${MONITOR}/traces/nope`)
    expect(answer).toMatchObject({ status: 404, body: { detail: 'No trace has the trace_id nope' } })
    expect((await one.call('GET', `${MONITOR}/traces/${'x'.repeat(201)}`)).status).toBe(422)
  })

  it('count a trace once, however often it is written', async () => {
    const again = record({ spans: [span({ agent: 'business', startedAt: clock.now() })] })
    await get('/overview')
    const before = await get('/agents')
    record(again, two)
    await get('/overview', two)
    expect(await get('/agents')).toEqual(before)
    expect((await get('/overview')).total_traces).toBe(1)
    record(again, two)
    record({ spans: [span({ agent: 'business', startedAt: clock.now() })] }, two)
    await get('/overview', two)
    const countOf = (agents: { agent: string; call_count: number }[]) =>
      agents.find(({ agent }) => agent === 'business')?.call_count ?? 0
    expect(countOf(await get('/agents'))).toBe(countOf(before) + 1)
  })

  it('keep traces for 14 days and in bounded number, and forget no call of an agent', async () => {
    const callsOf = async () =>
      (await get('/agents'))
        .map(({ call_count }: { call_count: number }) => call_count)
        .reduce((a: number, b: number) => a + b)
    const before = await callsOf()
    for (let i = 0; i < 130; i++) {
      clock.advance(1_000)
      record({ traceId: `kept-${i}`, spans: [span({ startedAt: clock.now() })] }, i % 2 ? one : two)
    }
    await get('/overview', two)
    expect((await get('/overview')).total_traces).toBe(130)
    expect((await keeping.prune()).traces).toBe(30)
    expect((await get('/overview')).total_traces).toBe(100)
    expect((await get('/traces?limit=200')).at(-1).trace_id).toBe('kept-30')
    clock.advance(14 * 86_400_000 - 40_000)
    expect((await keeping.prune()).traces).toBe(59)
    expect((await get('/traces?limit=200')).at(-1).trace_id).toBe('kept-89')
    expect(await callsOf()).toBe(before + 130)
  })

  it('count what agents do exactly, over random traces and two replicas, also after a restart', async () => {
    const anySpan = fc.record({
      agent: fc.constantFrom(...AGENTS),
      type: fc.constantFrom('agent', 'agent', 'model'),
      status: fc.constantFrom('ok' as const, 'error' as const, 'aborted' as const),
      durationMs: fc.nat({ max: 1_000 }),
    })
    const read = async (replica: WatchApp): Promise<Counts> => {
      const agents = await get('/agents', replica)
      return Object.fromEntries(
        agents.map((each: { agent: string; call_count: number; error_count: number; avg_duration_ms: number }) => [
          each.agent,
          { calls: each.call_count, errors: each.error_count, ms: each.call_count * each.avg_duration_ms },
        ]),
      )
    }
    const expected = await read(one)
    const property = fc.asyncProperty(
      fc.array(fc.array(anySpan, { maxLength: 6 }), { maxLength: 10 }),
      async (turns) => {
        for (const [i, spans] of turns.entries()) {
          clock.advance(10)
          record({ spans: spans.map((each) => span({ ...each, startedAt: clock.now() })) }, i % 2 ? one : two)
          for (const each of spans) tally(expected, each)
        }
        await read(two)
        const exact = Object.entries(expected).map(([agent, { ms, ...rest }]) => [
          agent,
          { ...rest, ms: expect.closeTo(ms, 3) },
        ])
        expect(await read(one)).toEqual(Object.fromEntries(exact))
      },
    )
    await fc.assert(property, { numRuns: 20 })
    const restarted = await createWatchApp(db, { clock })
    expect(await read(restarted)).toEqual(await read(one))
    await restarted.close()
  })

  it('tell which agent works, fails or rests', async () => {
    record({ spans: [span({ agent: 'router', startedAt: clock.now() })] })
    record({ spans: [span({ agent: 'business', startedAt: clock.now(), status: 'error' })] })
    const statusOf = async (agent: string) =>
      (await get('/agents')).find((each: { agent: string }) => each.agent === agent).status
    expect([await statusOf('router'), await statusOf('business'), await statusOf('chitchat')]).toEqual([
      'active',
      'failing',
      'idle',
    ])
    clock.advance(1_000)
    record({ spans: [span({ agent: 'business', startedAt: clock.now() })] })
    // An older trace that arrives late changes nothing of what was last.
    record({ spans: [span({ agent: 'business', startedAt: clock.now() - 5_000, status: 'error' })] }, two)
    await get('/overview', two)
    expect(await statusOf('business')).toBe('active')
    clock.advance(5 * 60_000 + 1)
    expect(await statusOf('business')).toBe('idle')
  })

  it('list active sessions, the last active first, with no personal data', async () => {
    const seen = (id: string, minutesAgo: number, userId = '') =>
      sql`insert into chat_sessions (session_id, user_id, channel, turn_count, agent_status, updated_at)
        values (${id}, ${userId}, 'web', 3, 'pending', ${new Date(clock.now() - minutesAgo * 60_000)})`.execute(
        database.db.executor,
      )
    await seen('older', 20)
    await seen('newest', 1, '13812345678')
    await seen('newer', 5, 'customer-1')
    await sql`update chat_sessions set agent_status = null where session_id = 'older'`.execute(database.db.executor)
    await seen('gone', 31)
    const sessions = await get('/sessions')
    expect(sessions.map((each: { session_id: string }) => each.session_id)).toEqual(['newest', 'newer', 'older'])
    expect(sessions[0]).toEqual({
      session_id: 'newest',
      user_id: '138****5678',
      channel: 'web',
      turn_count: 3,
      agent_status: 'pending',
      last_active_at: new Date(clock.now() - 60_000).toISOString(),
    })
    expect(sessions[2]).toMatchObject({ agent_status: 'none' })
    expect((await get('/overview')).active_sessions).toBe(3)
    await sql`delete from chat_sessions`.execute(database.db.executor)
  })
})
