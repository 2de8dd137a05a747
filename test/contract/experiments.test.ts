// Own process: it counts the calls of a module that others have loaded already.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as trafficSplit from '../../src/features/experiments/traffic-split.ts'
import { trace } from '../support/traces.ts'
import { createWatchApp, createWatchPair, type WatchPair } from '../support/watch-app.ts'

vi.mock('../../src/features/experiments/traffic-split.ts', { spy: true })

const EXPERIMENTS = '/api/v1/operations/experiments'
const HALVES = { variants: ['usual', 'broad'], traffic_split: { usual: 0.5, broad: 0.5 } }
const ALL = { variants: ['all'], traffic_split: { all: 1 } }
const GUARDED = { ...ALL, variant_params: { all: { min_score: 1 } } }
const API_KEY = 'a secret of 24 characters'
const KEY = { 'x-api-key': API_KEY }
const REFUSAL = { status: 401, body: { detail: 'Invalid or missing API key' } }

let pair: WatchPair
let db: WatchPair['db']
let clock: WatchPair['clock']
let one: WatchPair['one']
let two: WatchPair['two']
beforeAll(async () => {
  pair = await createWatchPair({ environment: { API_KEY } })
  ;({ db, clock, one, two } = pair)
})
afterAll(() => pair.close())
beforeEach(async () => {
  clock.advance(60_000)
  for (const { name } of (await one.call('GET', EXPERIMENTS, undefined, KEY)).body) {
    await one.call('DELETE', pathOf(name), undefined, KEY)
  }
  await until(() => two.watching.experiments.parametersFor('s').min_score === undefined)
})

const pathOf = (name: string) => `${EXPERIMENTS}/${encodeURIComponent(name)}`
const post = (body: object, headers: Record<string, string> = {}) => one.call('POST', EXPERIMENTS, body, headers)
const results = async (name: string, headers: Record<string, string> = {}) =>
  (await one.call('GET', `${pathOf(name)}/results`, undefined, headers)).body
const list = async (headers: Record<string, string> = {}) =>
  (await one.call('GET', EXPERIMENTS, undefined, headers)).body as { name: string; variant_params: object }[]
const record = (name: string, metric_name: string, value: number, headers = {}, more = {}) =>
  one.call('POST', `${pathOf(name)}/metrics`, { variant: 'all', metric_name, value, ...more }, headers)
const turn = (sessionId: string) => one.watching.traces.record(trace({ sessionId, confidence: 'sure' }))

describe('without the key', () => {
  it('nobody makes an experiment that changes replies', async () => {
    expect(await post({ name: 'x', ...GUARDED })).toMatchObject(REFUSAL)
    expect(await post({ name: 'x', ...ALL, variant_params: { all: {} } })).toMatchObject(REFUSAL)
    expect(await list(KEY)).toEqual([])
    expect(one.watching.experiments.parametersFor('s')).toEqual({})
    expect((await post({ name: 'x', ...GUARDED }, KEY)).status).toBe(201)
    expect(one.watching.experiments.parametersFor('s')).toEqual({ min_score: 1 })
  })

  it('a plain one is made, overwritten and measured as specified, also with the parameters that it is shown with', async () => {
    expect((await post({ name: 'plain', ...ALL, variant_params: {} })).status).toBe(201)
    expect((await record('plain', 'csat', 4)).status).toBe(204)
    expect((await results('plain')).variants.all).toMatchObject({ samples: 1 })
    expect((await post({ name: 'plain', ...HALVES })).status).toBe(201)
    expect((await results('plain')).variants).toMatchObject({ usual: { samples: 0 }, broad: { samples: 0 } })
  })

  it('one of the same name neither ends nor clears one that changes replies, and is overwritten by itself', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    await record('x', 'csat', 5, KEY)
    expect(await post({ name: 'x', description: 'mine', ...HALVES })).toMatchObject({
      status: 201,
      body: { name: 'x', description: 'mine', variants: HALVES.variants },
    })
    for (const replica of [one, two]) {
      await until(() => replica.watching.experiments.parametersFor('s').min_score === 1)
    }
    expect((await results('x', KEY)).variants).toMatchObject({ all: { samples: 1 } })
    // To whoever made it, it is the only one of its name.
    expect(await list()).toMatchObject([{ name: 'x', description: 'mine', samples: 0 }])
    expect((await results('x')).variants).toMatchObject({ usual: { samples: 0 }, broad: { samples: 0 } })
    const assigned = await one.call('GET', `${pathOf('x')}/assignment?unit=u`)
    expect(HALVES.variants).toContain(assigned.body.variant)
    expect((await list(KEY)).map(({ variant_params }) => variant_params)).toEqual([GUARDED.variant_params, {}])
    // With the key the name is replaced as a whole.
    await post({ name: 'x', ...ALL }, KEY)
    expect(await list(KEY)).toHaveLength(1)
    expect(one.watching.experiments.parametersFor('s')).toEqual({})
  })

  it('nobody mixes words of their own with what the service measures', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    turn('s')
    expect((await record('x', 'response_time_ms', 1e9)).status).toBe(204)
    expect((await record('x', 'csat', 3)).status).toBe(204)
    const { metrics } = (await results('x')).variants.all
    expect(metrics).toMatchObject({ response_time_ms: { mean: 100, count: 1 }, csat: { mean: 3 } })
  })

  it('nobody ends or removes one, or says by whom it was measured', async () => {
    await post({ name: 'plain', ...ALL })
    expect(await one.call('POST', `${pathOf('plain')}/end`)).toMatchObject(REFUSAL)
    expect(await one.call('DELETE', pathOf('plain'))).toMatchObject(REFUSAL)
    expect(await record('plain', 'csat', 1, {}, { unit: 'u' })).toMatchObject(REFUSAL)
    expect((await results('plain')).variants.all.samples).toBe(0)
  })
})

describe('experiments', () => {
  it('are bounded in number, and leave room for who has the key', async () => {
    await sql`insert into experiments (name, experiment_id, description, variants, traffic_split, variant_params, created_at)
      select 'many ' || n, 'many-' || n, '', '["all"]', '{"all": 1}', '{}', now() from generate_series(1, 200) n`.execute(
      db.executor,
    )
    expect(await post({ name: 'one more', ...ALL })).toMatchObject({
      status: 422,
      body: { detail: 'name: there are 200 experiments already; remove one first' },
    })
    expect((await post({ name: 'many 7', ...HALVES })).status).toBe(201)
    expect((await post({ name: 'one more', ...ALL }, KEY)).status).toBe(201)
  })

  it('have so many metrics a variant, and leave room for who has the key and for the service itself', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    await sql`insert into experiment_metrics select experiment_id, 'all', 'metric ' || n, 1, 1, 0
      from experiments, generate_series(1, 100) n`.execute(db.executor)
    expect(await record('x', 'another', 1)).toMatchObject({
      status: 422,
      body: { detail: 'metric_name: a variant has at most 100 metrics, and this one has them' },
    })
    expect((await record('x', 'metric 5', 3)).status).toBe(204)
    expect((await record('x', 'another', 1, KEY)).status).toBe(204)
    turn('s')
    const { metrics } = (await results('x')).variants.all
    expect(metrics).toMatchObject({ 'metric 5': { mean: 2, count: 2 }, another: { count: 1 }, escalated: { count: 1 } })
  })

  it('that change nothing cost a turn nothing, however many there are', async () => {
    await post({ name: 'guarded', ...GUARDED }, KEY)
    const looks = () => {
      vi.mocked(trafficSplit.assignVariant).mockClear()
      one.watching.experiments.parametersFor('s')
      turn('s')
      return vi.mocked(trafficSplit.assignVariant).mock.calls.length
    }
    const alone = looks()
    expect(alone).toBeGreaterThan(0)
    for (let i = 0; i < 30; i++) await post({ name: `plain ${i}`, ...ALL })
    expect(looks()).toBe(alone)
  })

  it('keep their results when they end, change nothing and record nothing more', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    turn('s')
    const { body } = await two.call('POST', `${pathOf('x')}/end`, undefined, KEY)
    await until(() => one.watching.experiments.parametersFor('s').min_score === undefined)
    const before = await results('x', KEY)
    const { ended_at } = body
    expect(ended_at).toBe(new Date(clock.now()).toISOString())
    turn('s')
    expect((await record('x', 'csat', 1, KEY)).status).toBe(204)
    expect(await results('x', KEY)).toEqual(before)
    clock.advance(1_000)
    expect(await one.call('POST', `${pathOf('x')}/end`, undefined, KEY)).toMatchObject({
      status: 200,
      body: { ended_at },
    })
    expect((await one.call('POST', `${pathOf('nobody')}/end`, undefined, KEY)).status).toBe(404)
    const restarted = await createWatchApp(db, { clock })
    expect(restarted.watching.experiments.parametersFor('s')).toEqual({})
    await restarted.close()
  })

  it('are removed with their results, on every replica', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    await until(() => two.watching.experiments.parametersFor('s').min_score === 1)
    expect((await one.call('DELETE', pathOf('x'), undefined, KEY)).status).toBe(204)
    await until(() => two.watching.experiments.parametersFor('s').min_score === undefined)
    expect((await one.call('DELETE', pathOf('x'), undefined, KEY)).status).toBe(404)
    expect((await one.call('GET', `${pathOf('x')}/results`)).status).toBe(404)
    const left = await sql`select 1 from experiment_metrics union all select 1 from experiment_units`.execute(
      db.executor,
    )
    expect(left.rows).toEqual([])
  })

  it('count whom they measured, each once', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    for (const session of ['a', 'b', 'a', 'c', 'a']) turn(session)
    one.watching.experiments.feedback('b', 'up')
    await record('x', 'csat', 1, KEY, { unit: 'customer' })
    await record('x', 'csat', 1)
    expect((await results('x', KEY)).variants.all).toMatchObject({ units: 4 })
  })

  it('count many by the smallest hashes alone', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    for (let i = 0; i < 5_000; i++) {
      turn(`session ${i}`)
      // No more than the writer holds.
      if (i % 1_000 === 999) await results('x', KEY)
    }
    const { units } = (await results('x', KEY)).variants.all
    // More than four standard errors, which are 2.2 %.
    expect(Math.abs(units / 5_000 - 1)).toBeLessThan(0.1)
    const stored = await sql<{ count: number }>`select count(*) as count from experiment_units`.execute(db.executor)
    expect(stored.rows[0]?.count).toBeLessThanOrEqual(2_000)
  }, 60_000)

  it('resolve a session by facts alone, once it is over', async () => {
    await post({ name: 'x', ...GUARDED }, KEY)
    clock.advance(60_000)
    const session = (id: string, hadPerson: boolean, at = clock.now()) =>
      sql`insert into chat_sessions (session_id, channel, turn_count, updated_at, escalated_at)
        values (${id}, 'web', 1, ${new Date(at)}, ${hadPerson ? new Date(at) : null})`.execute(db.executor)
    const rate = async (id: string, ...ratings: string[]) => {
      for (const [i, rating] of ratings.entries()) {
        await sql`insert into chat_messages (message_id, session_id, role, content) values (${`${id}-${i}`}, ${id}, 'assistant', '.')`.execute(
          db.executor,
        )
        await sql`insert into chat_feedback (message_id, session_id, rating, created_at)
          values (${`${id}-${i}`}, ${id}, ${rating}, ${new Date(clock.now() + i)})`.execute(db.executor)
      }
    }
    for (const id of ['confident but silent', 'pleased', 'displeased', 'changed their mind']) await session(id, false)
    await session('needed a person', true)
    await rate('pleased', 'up')
    await rate('displeased', 'down')
    await rate('changed their mind', 'up', 'down')
    await rate('needed a person', 'up')
    await session('goes on', false, clock.now() + 60_000)
    turn('confident but silent')
    const metrics = async () => (await results('x', KEY)).variants.all.metrics
    await one.watching.experiments.settle()
    expect(await metrics()).not.toHaveProperty('resolved')
    clock.advance(30 * 60_000)
    for (const replica of [one, two, one]) await replica.watching.experiments.settle()
    expect(await metrics()).toMatchObject({
      confident: { mean: 1, count: 1 },
      contained: { mean: 4 / 5, count: 5 },
      resolved: { mean: 1 / 4, count: 4 },
    })
    clock.advance(60_000)
    await two.watching.experiments.settle()
    expect(await metrics()).toMatchObject({ contained: { count: 6 }, resolved: { count: 4 } })
  })
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
