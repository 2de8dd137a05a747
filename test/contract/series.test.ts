import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNamedKeys } from '../support/named-keys.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { trace } from '../support/traces.ts'
import { createWatchPair, type WatchPair } from '../support/watch-app.ts'

const SERIES = '/api/v1/operations/series'
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('the series', () => {
  let pair: WatchPair
  let start: number
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-series-'))
    const prices = join(folder, 'prices.yaml')
    writeFileSync(prices, 'currency: EUR\nmodels:\n  m: { input: 10, output: 20 }\n')
    pair = await createWatchPair({ environment: { PRICES_FILE: prices } })
    start = pair.clock.now()
    pair.clock.advance(20_000)
    happen()
    // Each replica stores what waits in its memory.
    for (const { call } of [pair.one, pair.two]) await call('GET', '/api/v1/monitor/overview')
    await pair.one.call('GET', '/api/v1/observability/token-usage')
    await conversations()
    pair.clock.advance(3 * HOUR)
  })
  afterAll(async () => {
    await pair.close()
    rmSync(folder, { recursive: true })
  })

  const iso = (afterMs: number) => new Date(start + afterMs).toISOString()
  const day = () => `from=${iso(0)}&to=${iso(3 * HOUR)}`
  const get = (path: string, replica = pair.two) => replica.call('GET', `${SERIES}${path}`)
  async function values(metric: string, query = `${day()}&step=1h`): Promise<(number | null)[]> {
    const { status, body } = await get(`?metric=${metric}&${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.points.map(({ value }: { value: number | null }) => value)
  }
  async function behind(metric: string): Promise<string[]> {
    const { body } = await get(`/conversations?metric=${metric}&${day()}`)
    return body.conversations.map(({ session_id }: { session_id: string }) => session_id)
  }

  function happen(): void {
    const turn = (changes: Parameters<typeof trace>[0], afterMs: number, replica = pair.one) =>
      replica.watching.traces.record(trace({ startedAt: start + afterMs, ...changes }))
    turn({ sessionId: 'a', durationMs: 100, confidence: 'sure', cached: true }, 1_000)
    turn({ sessionId: 'b', durationMs: 100, confidence: 'none' }, 61_000, pair.two)
    turn({ sessionId: 'c', durationMs: 4_000, status: 'error', confidence: 'close' }, 2 * HOUR)
    pair.one.watch.usage.onCall({
      agent: 'composer',
      tier: 'standard',
      model: 'm',
      usage: { inputTokens: 1_000_000, outputTokens: 100_000, estimated: false },
      attempts: 1,
      firstTokenMs: 1,
      durationMs: 5,
      outcome: 'ok',
    } as never)
  }

  /** `person`: called after a minute, came after four more, said the first word 30 s later and resolved it. `alone`: rated up. */
  async function conversations(): Promise<void> {
    const { executor } = pair.db
    const session = (id: string, changes: object) =>
      sql`insert into chat_sessions (session_id, user_id, channel, turn_count,
        failed_attempts, updated_at, escalated_at)
      select ${id}, ${`user-${id}`}, 'web', 1, coalesce((s->>'failed')::int, 0), (s->>'at')::timestamptz, (s->>'called')::timestamptz
      from (select ${JSON.stringify(changes)}::jsonb as s) given`.execute(executor)
    await session('person', { at: iso(HOUR), called: iso(60_000) })
    await session('alone', { at: iso(10 * 60_000) })
    await session('rated-down', { at: iso(10 * 60_000) })
    await session('failed', { at: iso(10 * 60_000), failed: 2 })
    const said = (role: string, event: string | null, afterMs: number) =>
      sql`insert into chat_messages (message_id,
        session_id, role, content, details, created_at)
      values (${`m-${role}-${event}-${afterMs}`}, 'person', ${role}, 'x',
        ${event ? JSON.stringify({ event }) : '{}'}::jsonb, ${iso(afterMs)})`.execute(executor)
    await said('user', null, 50_000)
    await said('system', 'handoff', 60_000)
    await said('system', 'accepted', 5 * 60_000)
    await said('agent', null, 5.5 * 60_000)
    await said('agent', null, 6 * 60_000)
    await said('system', 'resolved', HOUR)
    await sql`insert into session_ratings (session_id, resolution, score, created_at)
      values ('person', 1, 4, ${iso(HOUR + 1_000)}), ('alone', 2, 2, ${iso(HOUR + 2_000)})`.execute(executor)
    // Without a call nobody waited; back in the queue somebody does anew.
    await said('system', 'accepted', 1.5 * HOUR)
    await said('agent', null, 1.5 * HOUR + 1_000)
    await said('system', 'released', 1.5 * HOUR + 60_000)
    await said('system', 'accepted', 1.5 * HOUR + 90_000)
    for (const [id, rating] of [
      ['alone', 'up'],
      ['rated-down', 'down'],
    ] as const) {
      await sql`insert into chat_messages (message_id, session_id, role, content, details)
        values (${`reply-${id}`}, ${id}, 'assistant', 'x', ${JSON.stringify({ traceId: `trace-of-${id}` })}::jsonb)`.execute(
        executor,
      )
      await sql`insert into chat_feedback (message_id, session_id, rating, created_at)
        values (${`reply-${id}`}, ${id}, ${rating}, ${iso(10 * 60_000)})`.execute(executor)
    }
  }

  it.each([
    ['ratings', [0, 2, 0]],
    ['rating', [null, 3, null]],
    ['turns', [2, 0, 1]],
    ['answered', [1, 0, 0]],
    ['unsure', [1, 0, 1]],
    ['errors', [0, 0, 1]],
    ['cache_hits', [1, 0, 0]],
    ['handoffs', [1, 0, 0]],
    ['resolved_by_person', [0, 1, 0]],
    // Half an hour after the last message.
    ['resolved_by_assistant', [1, 0, 0]],
    ['waiting_seconds', [240, 30, null]],
    ['first_response_seconds', [270, null, null]],
    ['feedback_up', [1, 0, 0]],
    ['feedback_down', [1, 0, 0]],
    ['cost', [12, 0, 0]],
    ['tokens', [0, 0, 0]],
  ])('of %s are right, from any replica', async (metric, expected) => {
    expect(await values(metric)).toEqual(expected)
  })

  it('of percentiles are right to within 5 %', async () => {
    const [first, none, third] = await values('latency_p95_ms')
    expect((first as number) / 100).toBeCloseTo(1, 1)
    expect(none).toBeNull()
    expect((third as number) / 4_000).toBeCloseTo(1, 1)
  })

  it.each(['1m', '5m', '15m', '1h', '6h', '1d', '1w'])('say the same in steps of %s', async (step) => {
    const query = `from=${iso(0)}&to=${iso(3 * HOUR)}&step=${step}`
    const sum = (all: (number | null)[]) => all.reduce<number>((total, each) => total + (each ?? 0), 0)
    expect(sum(await values('turns', query))).toBe(3)
    expect(sum(await values('handoffs', query))).toBe(1)
  })

  it('come together, each with its number for the whole time and for the time before', async () => {
    const query = `metrics=turns,latency_p50_ms,waiting_seconds,cost&from=${iso(60_000)}&to=${iso(3 * HOUR)}&step=1h`
    const { status, body } = await get(`/several?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ currency: 'EUR', step: '1h', from: iso(60_000), to: iso(3 * HOUR) })
    const [turns, latency, waiting, cost] = body.series
    // A bucket begins at a whole hour, the whole time where it was asked to.
    expect(turns).toMatchObject({ metric: 'turns', unit: 'turns', total: 2, before: null })
    expect(turns.points.map(({ value }: { value: number }) => value)).toEqual([2, 0, 1])
    expect(waiting.total).toBe(135)
    expect(cost).toMatchObject({ unit: 'currency', total: 0 })
    // Half of all values are no more than this; of the points the mean would be 2,050.
    expect((await get(`/several?metrics=latency_p50_ms&${day()}`)).body.series[0].total / 100).toBeCloseTo(1, 1)
    expect(latency.points).toHaveLength(3)

    const compared = await get(
      `/several?metrics=turns,rating&from=${iso(1.5 * HOUR)}&to=${iso(3 * HOUR)}&step=1h&compare=true`,
    )
    expect(compared.body.series).toMatchObject([
      { metric: 'turns', total: 1, before: { total: 2 } },
      { metric: 'rating', total: null, before: { total: 3 } },
    ])
  })

  it('begin days where the place begins them', async () => {
    const { body } = await get(`?metric=turns&from=${iso(0)}&to=${iso(HOUR)}&step=1d&utc_offset_minutes=480`)
    expect(body).toMatchObject({ unit: 'turns', currency: 'EUR', step: '1d', step_seconds: 86_400 })
    expect(body.points).toEqual([{ at: iso(-8 * HOUR), value: 3 }])
  })

  it.each([
    ['turns', ['c', 'b', 'a']],
    ['unsure', ['c', 'b']],
    ['latency_p95_ms', ['c', 'b', 'a']],
    ['handoffs', ['person']],
    ['waiting_seconds', ['person', 'person']],
    ['first_response_seconds', ['person']],
    ['resolved_by_person', ['person']],
    ['resolved_by_assistant', ['alone']],
    ['feedback_down', ['rated-down']],
    ['rating', ['alone', 'person']],
    ['cost', []],
  ])('of %s lead to the conversations behind them', async (metric, expected) => {
    expect(await behind(metric)).toEqual(expected)
  })

  it('lead to them page by page', async () => {
    const found: string[] = []
    let before = ''
    do {
      const { body } = await get(`/conversations?metric=turns&${day()}&limit=1${before && `&before=${before}`}`)
      found.push(...body.conversations.map(({ session_id }: { session_id: string }) => session_id))
      before = body.next ?? ''
    } while (before !== '')
    expect(found).toEqual(['c', 'b', 'a'])
    const { body } = await get(`/conversations?metric=feedback_up&${day()}`)
    expect(body.conversations).toMatchObject([{ session_id: 'alone', trace_id: 'trace-of-alone', value: 1 }])
  })

  it('say who asked what: in the turn that counted, or last before it', async () => {
    const first = async (metric: string) =>
      (await get(`/conversations?metric=${metric}&${day()}`)).body.conversations.at(-1)
    expect(await first('turns')).toMatchObject({ session_id: 'a', user_id: null, question: null })
    expect(await first('handoffs')).toMatchObject({ session_id: 'person', user_id: 'user-person', question: 'x' })
    expect(await first('feedback_up')).toMatchObject({ session_id: 'alone', user_id: 'user-alone', question: null })
  })

  it('lead to traces by filters that count the same', async () => {
    const { metrics } = (await get('/metrics')).body
    const named = metrics.map(({ metric }: { metric: string }) => metric)
    expect(new Set(named).size).toBe(named.length)
    for (const { metric, traces, reading } of metrics) {
      if (traces === null || reading !== 'count') continue
      const found = await pair.one.call('GET', traces)
      const total = (await values(metric)).reduce<number>((sum, each) => sum + (each ?? 0), 0)
      expect(found.body, metric).toHaveLength(total)
    }
  })

  it('say what there is, with units', async () => {
    const { body } = await get('/metrics')
    expect(body.kept).toEqual([
      { step: '1m', days: 3 },
      { step: '1h', days: 92 },
      { step: '1d', days: 1_095 },
    ])
    expect(body.metrics).toContainEqual(
      expect.objectContaining({ metric: 'waiting_seconds', unit: 's', empty: null, traces: null }),
    )
    expect(body.metrics).toContainEqual(expect.objectContaining({ metric: 'errors', empty: 0 }))
  })

  it.each([
    ['', 422, /^metric: is required/],
    ['?metric=odd', 400, /^metric: must be one of/],
    ['?metric=turns&step=2h', 400, /^step: must be one of/],
    ['?metric=turns&step=1m', 422, /^step: 1m makes 144\d points/],
    ['?metric=turns&from=2025-01-01&step=1h', 422, /^step: buckets of 1h are not kept/],
    ['?metric=turns&from=soon', 400, /^from: must be a date/],
    ['?metric=turns&from=2026-01-02&to=2026-01-01', 400, /^to: must be later than from/],
    ['?metric=turns&utc_offset_minutes=900', 422, /^utc_offset_minutes: /],
    ['/several', 422, /^metrics: is required/],
    ['/several?metrics=turns,odd', 422, /^metrics: odd is no metric/],
    ['/several?metrics=turns,', 422, /^metrics: an empty name is no metric/],
    ['/several?metrics=turns&from=2026-01-02&to=2026-01-01', 400, /^to: must be later than from/],
    ['/conversations', 422, /^metric: is required/],
    ['/conversations?metric=turns&before=odd', 422, /^before: /],
    ['/conversations?metric=turns&limit=0', 422, /^limit: /],
    ['/conversations?metric=odd', 400, /^metric: /],
  ])('refuse %s', async (query, status, detail) => {
    const answer = await get(query)
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toMatch(detail)
  })

  it('keep days when minutes and conversations are gone, and count nothing twice', async () => {
    await Promise.all([values('turns'), get(`?metric=turns&${day()}`, pair.one)])
    expect(await values('turns')).toEqual([2, 0, 1])
    pair.clock.advance(100 * DAY)
    await pair.one.watch.series.refresh()
    await sql`delete from traces`.execute(pair.db.executor)
    await pair.two.watch.series.refresh()
    expect((await get(`?metric=turns&${day()}&step=1h`)).status).toBe(422)
    expect(await values('turns', `${day()}&step=1d`)).toEqual([3])
    expect(await values('latency_p95_ms', `${day()}&step=1d`)).toEqual([expect.closeTo(4_000, -3)])
    const { rows } = await sql<{ steps: number[] }>`select array_agg(distinct step_seconds) as steps
      from series_points`.execute(pair.db.executor)
    expect(rows[0]?.steps).toEqual([86_400])
  })
})

describe('the series of the running service', () => {
  let test: TestApp
  let keys: ReturnType<typeof writeNamedKeys>
  beforeAll(async () => {
    keys = writeNamedKeys(['read'], ['agent'])
    test = await createTestApp({ API_KEY: 'key', API_KEYS_FILE: keys.path })
    await test.upload('# Returns\n\nYou may return goods within 14 days.', 'returns.md')
  })
  afterAll(async () => {
    await test.close()
    keys.remove()
  })

  it('follow a conversation to a person and back', async () => {
    const say = async (message: string, session_id = '') =>
      (await test.call('POST', '/api/v1/chat', { message, session_id })).body
    const { session_id } = await say('How long may I return goods?')
    await say('I want to talk to a human agent now', session_id)
    const agent = (action: string, body: object) =>
      test.call('POST', `/api/v1/agent/sessions/${session_id}/${action}`, body)
    expect((await agent('accept', { agent_id: 'ann' })).status).toBe(200)
    expect((await agent('messages', { content: 'Hello, I am Ann' })).status).toBe(200)
    expect((await agent('resolve', {})).status).toBe(200)
    const sum = async (metric: string) => {
      const { body } = await test.call('GET', `${SERIES}?metric=${metric}`)
      return body.points.reduce((total: number, { value }: { value: number | null }) => total + (value ?? 0), 0)
    }
    expect(await sum('turns')).toBe(2)
    const { conversations } = (await test.call('GET', `${SERIES}/conversations?metric=turns`)).body
    expect(conversations.at(-1).question).toBe('How long may I return goods?')
    for (const metric of ['handoffs', 'resolved_by_person', 'answered']) expect(await sum(metric), metric).toBe(1)
    for (const metric of ['waiting_seconds', 'first_response_seconds']) {
      const { body } = await test.call('GET', `${SERIES}/conversations?metric=${metric}`)
      expect(body.conversations, metric).toMatchObject([{ session_id }])
    }
  })

  it('are for all, the conversations for those who answer customers', async () => {
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await test.app.inject({ method: 'GET', url: `${SERIES}${path}`, headers })).statusCode
    expect(await ask('?metric=turns')).toBe(200)
    expect(await ask('/several?metrics=turns')).toBe(200)
    expect(await ask('/metrics')).toBe(200)
    expect(await ask('/conversations?metric=turns')).toBe(401)
    expect(await ask('/conversations?metric=turns', keys.headersOf('read'))).toBe(403)
    expect(await ask('/conversations?metric=turns', keys.headersOf('agent'))).toBe(200)
  })
})
