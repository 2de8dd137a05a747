import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trace } from '../support/traces.ts'
import { createWatchApp, createWatchPair, type WatchPair } from '../support/watch-app.ts'

const EXPERIMENTS = '/api/v1/operations/experiments'
const HALVES = { variants: ['usual', 'broad'], traffic_split: { usual: 0.5, broad: 0.5 } }

let pair: WatchPair
let db: WatchPair['db']
let clock: WatchPair['clock']
let one: WatchPair['one']
let two: WatchPair['two']
beforeAll(async () => {
  pair = await createWatchPair()
  ;({ db, clock, one, two } = pair)
})
afterAll(() => pair.close())
beforeEach(() => clock.advance(60_000))

let serial = 0
const create = async (changes: object = {}) => {
  const name = `experiment ${++serial}/ü`
  const answer = await one.call('POST', EXPERIMENTS, { name, ...HALVES, ...changes })
  return { name, path: `${EXPERIMENTS}/${encodeURIComponent(name)}`, answer }
}
const record = (path: string, variant: string, metric: string, value: number, replica = one) =>
  replica.call('POST', `${path}/metrics`, { variant, metric_name: metric, value })

describe('experiments', () => {
  it('are created, listed and replaced, and their metrics cleared', async () => {
    const { name, path, answer } = await create({ description: 'Do more passages help?' })
    const created = {
      name,
      description: 'Do more passages help?',
      ...HALVES,
      variant_params: {},
      created_at: new Date(clock.now()).toISOString(),
      ended_at: null,
      state: 'running',
      metric: null,
      ends_at: null,
      sessions_per_variant: null,
      end_reason: null,
      ended_by: null,
    }
    expect(answer).toMatchObject({ status: 201, body: created })
    await record(path, 'usual', 'csat', 4)
    const find = async () =>
      (await one.call('GET', EXPERIMENTS)).body.find((each: { name: string }) => each.name === name)
    expect(await find()).toEqual({ ...created, samples: 1 })
    await one.call('POST', EXPERIMENTS, { name, variants: ['only'], traffic_split: { only: 1 } })
    expect(await find()).toMatchObject({ variants: ['only'], description: '', samples: 0 })
    expect((await one.call('GET', `${path}/results`)).body.variants).toEqual({
      only: { samples: 0, units: 0, metrics: {} },
    })
  })

  it.each<[object, string]>([
    [{ name: '' }, 'name: must not have fewer than 1 characters'],
    [{ name: undefined }, 'name: is required'],
    [{ variants: [] }, 'variants: must name at least one variant'],
    [{ variants: ['a', 'a'], traffic_split: { a: 1 } }, 'variants: must be distinct'],
    [{ traffic_split: { usual: 1 } }, 'traffic_split: gives no fraction for "broad"'],
    [{ traffic_split: { usual: 0.5, broad: 0.4 } }, 'traffic_split: must sum to 1, but sums to 0.9'],
    [{ traffic_split: { usual: 50, broad: 50 } }, 'traffic_split: "usual" must be between 0 and 1'],
    [{ traffic_split: { usual: 0.5, broad: 0.5, third: 0 } }, 'traffic_split: names "third", which is no variant'],
    [{ traffic_split: { usual: '0.5', broad: 0.5 } }, 'traffic_split.usual: must be number'],
    [{ variant_params: { third: {} } }, 'variant_params: names "third", which is no variant'],
    [
      { variant_params: { broad: { rerank_top_k: 0 } } },
      'variant_params: "broad": rerank_top_k: must be between 1 and 50',
    ],
    [{ variant_params: { broad: { rerank_top_k: '8' } } }, 'variant_params: "broad": rerank_top_k: must be a number'],
  ])('refuse %j', async (changes, detail) => {
    const { answer } = await create(changes)
    expect(answer).toEqual({ status: 422, headers: expect.anything(), body: { detail } })
  })

  it.each(['no_such', 'cache_ttl_seconds', 'cache_max_entries'])(
    'refuse %s, which no turn reads',
    async (parameter) => {
      const { answer } = await create({ variant_params: { broad: { rerank_top_k: 8, [parameter]: 1 } } })
      expect(answer).toMatchObject({ status: 400 })
      expect((answer.body as { detail: string }).detail).toMatch(
        new RegExp(
          `^variant_params: "broad": no turn reads ${parameter}; an experiment can change .*max_context_tokens`,
        ),
      )
    },
  )

  it('record any metric with 204, also of an unknown experiment or variant', async () => {
    const { path } = await create()
    for (const target of [path, `${EXPERIMENTS}/nobody-knows-it`]) {
      const answer = await record(target, 'usual', 'any name at all', -1.5)
      expect(answer).toMatchObject({ status: 204, body: '' })
    }
    expect((await record(path, 'unknown', 'csat', 1)).status).toBe(204)
    expect((await one.call('GET', `${path}/results`)).body.variants).toMatchObject({
      usual: { samples: 1, metrics: { 'any name at all': { mean: -1.5, count: 1, stddev: null, ci95: null } } },
      broad: { samples: 0 },
    })
    expect((await one.call('GET', `${EXPERIMENTS}/nobody-knows-it/results`)).status).toBe(404)
  })

  it.each([
    [{ metric_name: 'm', value: 1 }, 'variant: is required'],
    [{ variant: 'usual', value: 1 }, 'metric_name: is required'],
    [{ variant: 'usual', metric_name: 'm' }, 'value: is required'],
    [{ variant: 'usual', metric_name: 'm', value: '1' }, 'value: must be number'],
    [{ variant: 'usual', metric_name: 'm', value: 1e16 }, 'value: must be <= 1000000000000000'],
  ])('refuse the record %j', async (body, detail) => {
    const { path } = await create()
    expect(await one.call('POST', `${path}/metrics`, body)).toMatchObject({ status: 422, body: { detail } })
  })

  it('compare variants by Welch’s test', async () => {
    const { name, path } = await create()
    // R's documented t.test(extra ~ group, data = sleep): t = -1.8608, df = 17.776, p = 0.07939.
    const samples = {
      usual: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
      broad: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    }
    for (const [variant, values] of Object.entries(samples)) {
      await Promise.all(values.map((value, i) => record(path, variant, 'extra', value, i % 2 ? one : two)))
    }
    await record(path, 'broad', 'only here', 1)
    const { body } = await two.call('GET', `${path}/results`)
    expect(body.name).toBe(name)
    expect(body.variants.usual).toMatchObject({ samples: 10, metrics: { extra: { count: 10 } } })
    expect(body.variants.usual.metrics.extra.mean).toBeCloseTo(0.75, 10)
    expect(body.variants.usual.metrics.extra.stddev).toBeCloseTo(1.78901, 5)
    expect(body.variants.broad.metrics.extra.ci95[0]).toBeCloseTo(0.8976775, 5)
    expect(body.variants.broad.metrics.extra.ci95[1]).toBeCloseTo(3.7623225, 5)
    expect(body.comparison).toEqual([
      {
        metric: 'extra',
        baseline: 'usual',
        variant: 'broad',
        difference: expect.closeTo(1.58, 10),
        p_value: expect.closeTo(0.07939, 5),
      },
    ])
  })

  it('assign a unit the same variant on every replica, by the split', async () => {
    const { path, name } = await create({ traffic_split: { usual: 0.8, broad: 0.2 } })
    let broad = 0
    for (let i = 0; i < 300; i++) {
      const answers = await Promise.all([one, two].map((each) => each.call('GET', `${path}/assignment?unit=s%20${i}`)))
      expect(answers[0]?.body).toEqual(answers[1]?.body)
      expect(answers[0]?.body).toMatchObject({ name, unit: `s ${i}` })
      broad += Number(answers[0]?.body.variant === 'broad')
    }
    // Five standard deviations of a binomial distribution.
    expect(Math.abs(broad - 60)).toBeLessThan(5 * Math.sqrt(300 * 0.2 * 0.8))
    expect((await one.call('GET', `${EXPERIMENTS}/nope/assignment?unit=x`)).status).toBe(404)
    expect((await one.call('GET', `${path}/assignment`)).status).toBe(422)
    expect((await one.call('GET', `${path}/assignment?unit=`)).status).toBe(422)
  })

  it('change parameters for their share, and record what came of it', async () => {
    const { path } = await create({ variant_params: { broad: { rerank_top_k: 9, min_score: 0.1 } } })
    const units = Array.from({ length: 40 }, (_, i) => `unit ${i}`)
    const chosen = new Map<string, string>()
    for (const unit of units) chosen.set(unit, (await one.call('GET', `${path}/assignment?unit=${unit}`)).body.variant)
    for (const [unit, variant] of chosen) {
      const expected = variant === 'broad' ? { rerank_top_k: 9, min_score: 0.1 } : {}
      expect(one.watching.experiments.parametersFor(unit)).toEqual(expected)
    }
    const [usual] = [...chosen].find(([, variant]) => variant === 'usual') ?? ['']
    const [broad] = [...chosen].find(([, variant]) => variant === 'broad') ?? ['']
    one.watching.traces.record(trace({ sessionId: usual, durationMs: 100, confidence: 'sure' }))
    one.watching.traces.record(trace({ sessionId: usual, durationMs: 300, confidence: 'close', escalated: true }))
    one.watching.traces.record(trace({ sessionId: broad, durationMs: 50, confidence: 'sure' }))
    one.watching.experiments.feedback(broad, 'up')
    one.watching.experiments.feedback(broad, 'down')
    const { variants } = (await one.call('GET', `${path}/results`)).body
    const means = (variant: 'usual' | 'broad') =>
      Object.fromEntries(
        Object.entries(variants[variant].metrics as Record<string, { mean: number; count: number }>).map(
          ([metric, { mean, count }]) => [metric, [mean, count]],
        ),
      )
    expect(means('usual')).toEqual({ response_time_ms: [200, 2], escalated: [0.5, 2], confident: [0.5, 2] })
    expect([variants.usual.units, variants.broad.units]).toEqual([1, 1])
    expect(means('broad')).toEqual({
      response_time_ms: [50, 1],
      escalated: [0, 1],
      confident: [1, 1],
      feedback: [0.5, 2],
    })
    // Parameters that a tuning made wrong are left out.
    await one.call('POST', EXPERIMENTS, {
      name: 'clash',
      variants: ['a'],
      traffic_split: { a: 1 },
      variant_params: { a: { clarify_threshold: 0.35 } },
    })
    expect(one.watching.experiments.parametersFor(usual)).toEqual({ clarify_threshold: 0.35 })
    await one.call('PUT', '/api/v1/tuner/params', { direct_answer_threshold: 0.3 })
    expect(one.watching.experiments.parametersFor(usual)).toEqual({})
    await one.call('POST', '/api/v1/tuner/reset')
  })

  it('count nothing of an experiment that was replaced meanwhile', async () => {
    const params = { variant_params: { broad: { rerank_top_k: 9 }, usual: { rerank_top_k: 5 } } }
    const { name, path } = await create(params)
    one.watching.traces.record(trace({ sessionId: 'a', durationMs: 100 }))
    await two.call('POST', EXPERIMENTS, { name, ...HALVES, ...params })
    const { variants } = (await one.call('GET', `${path}/results`)).body
    expect(variants).toEqual({
      usual: { samples: 0, units: 0, metrics: {} },
      broad: { samples: 0, units: 0, metrics: {} },
    })
  })

  it('are the same on every replica at once, and after a restart', async () => {
    const { path } = await create({ variant_params: { broad: { rerank_top_k: 9 }, usual: { rerank_top_k: 9 } } })
    await waitUntil(() => two.watching.experiments.parametersFor('anyone').rerank_top_k === 9)
    await record(path, 'usual', 'csat', 3)
    const restarted = await createWatchApp(db, { clock })
    expect(restarted.watching.experiments.parametersFor('anyone')).toMatchObject({ rerank_top_k: 9 })
    expect((await restarted.call('GET', `${path}/results`)).body.variants.usual.samples).toBe(1)
    await restarted.close()
  })
})

describe('the dashboard', () => {
  const DASHBOARD = '/api/v1/operations/dashboard'
  const read = async (query = '', replica = one) => (await replica.call('GET', `${DASHBOARD}${query}`)).body

  async function session(id: string, state: { escalated?: boolean; status?: string; failed?: number; turns?: number }) {
    const escalatedAt = state.escalated ? new Date(clock.now()) : null
    await sql`insert into chat_sessions (session_id, channel, turn_count, failed_attempts, agent_status, escalated_at)
      values (${id}, 'web', ${state.turns ?? 2}, ${state.failed ?? 0}, ${state.status ?? null}, ${escalatedAt})`.execute(
      db.executor,
    )
  }
  async function say(sessionId: string, role: string, content: string, intent: string | null = null) {
    await sql`insert into chat_messages (message_id, session_id, role, content, intent)
      values (${`m-${++serial}`}, ${sessionId}, ${role}, ${content}, ${intent})`.execute(db.executor)
  }

  it('is empty before any session', async () => {
    for (const replica of [one, two]) await replica.watch.monitoring.flush()
    await sql`delete from traces`.execute(db.executor)
    expect(await read('?force_refresh=true')).toEqual({
      total_sessions: 0,
      escalation_rate: 0,
      resolution_rate: 0,
      avg_response_time_ms: 0,
      hot_questions: [],
      collected_at: new Date(clock.now()).toISOString(),
    })
  })

  it('says what the sessions came to, what was asked most, and hides who asked', async () => {
    await session('answered', {})
    await session('unanswered', { failed: 1 })
    await session('waiting', { escalated: true, status: 'pending' })
    await session('solved', { escalated: true, status: 'resolved' })
    await session('silent', { turns: 0 })
    for (const question of ['How do I return an item?', 'how do i return an item', 'Where is my parcel?']) {
      await say('answered', 'user', question)
      await say('answered', 'assistant', 'So.', 'faq')
    }
    await say('unanswered', 'user', 'How do I return an item?')
    await say('unanswered', 'assistant', 'So.', 'faq')
    await say('unanswered', 'user', 'My number is 13812345678')
    await say('unanswered', 'assistant', 'Fine.', 'faq')
    for (let i = 0; i < 9; i++) {
      await say('answered', 'user', 'hello')
      await say('answered', 'assistant', 'Hello!', 'chitchat')
    }
    one.watching.traces.record(trace({ durationMs: 100 }))
    one.watching.traces.record(trace({ durationMs: 200 }))
    // Whatever waits to be stored counts already.
    const dashboard = await read('?force_refresh=true')
    expect(dashboard).toMatchObject({
      total_sessions: 5,
      escalation_rate: 2 / 5,
      resolution_rate: 2 / 5,
      avg_response_time_ms: 150,
    })
    expect(dashboard.hot_questions.slice(0, 2)).toEqual([
      { question: 'How do I return an item?', count: 3 },
      expect.objectContaining({ count: 1 }),
    ])
    const texts = dashboard.hot_questions.map(({ question }: { question: string }) => question).join('\n')
    expect(texts).not.toMatch(/13812345678|hello/)
    expect(texts).toContain('Where is my parcel?')
  })

  it('is cached for 30 seconds, unless forced', async () => {
    const first = await read('?force_refresh=true')
    await session('another', {})
    clock.advance(29_999)
    expect(await read()).toEqual(first)
    expect(await read('?force_refresh=false')).toEqual(first)
    expect((await read('?force_refresh=true')).total_sessions).toBe(first.total_sessions + 1)
    await session('yet another', {})
    clock.advance(30_000)
    expect((await read()).total_sessions).toBe(first.total_sessions + 2)
    expect((await one.call('GET', `${DASHBOARD}?force_refresh=maybe`)).status).toBe(422)
  })
})

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
