import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeNamedKeys } from '../support/named-keys.ts'
import { logInAs } from '../support/people.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { trace } from '../support/traces.ts'
import { createWatchPair, type WatchPair } from '../support/watch-app.ts'

const EXPERIMENTS = '/api/v1/operations/experiments'
const HALVES = { variants: ['usual', 'broad'], traffic_split: { usual: 0.5, broad: 0.5 } }
const GUARDED = { ...HALVES, variant_params: { broad: { min_score: 0.5 } } }

describe('an experiment with a plan', () => {
  let pair: WatchPair
  beforeAll(async () => {
    pair = await createWatchPair()
  })
  afterAll(() => pair.close())
  beforeEach(async () => {
    pair.clock.advance(60_000)
    await pair.one.call('DELETE', `${EXPERIMENTS}/x`)
  })

  const make = (more: object) => pair.one.call('POST', EXPERIMENTS, { name: 'x', ...GUARDED, ...more })
  const shown = async (replica = pair.two) =>
    (await replica.call('GET', EXPERIMENTS)).body.find(({ name }: { name: string }) => name === 'x')
  const results = async () => (await pair.two.call('GET', `${EXPERIMENTS}/x/results`)).body
  const tick = () => Promise.all([pair.one.watching.experiments.settle(), pair.two.watching.experiments.settle()])
  const at = (afterMs: number) => new Date(pair.clock.now() + afterMs).toISOString()
  async function record(variant: string, metric_name: string, values: number[]): Promise<void> {
    for (const value of values) await pair.one.call('POST', `${EXPERIMENTS}/x/metrics`, { variant, metric_name, value })
  }

  it('says its plan and its state', async () => {
    const ends_at = at(60_000)
    const made = await make({ metric: 'resolved', ends_at, sessions_per_variant: 50 })
    expect(made).toMatchObject({
      status: 201,
      body: {
        state: 'running',
        metric: 'resolved',
        ends_at,
        sessions_per_variant: 50,
        end_reason: null,
        ended_by: null,
      },
    })
    expect(await shown()).toMatchObject({ state: 'running', ends_at })
    expect((await make({})).body).toMatchObject({ metric: 'handoff', ends_at: null, sessions_per_variant: null })
    await pair.one.call('DELETE', `${EXPERIMENTS}/x`)
    expect((await pair.one.call('POST', EXPERIMENTS, { name: 'x', ...HALVES })).body.metric).toBeNull()
    expect((await results()).judgement).toBeNull()
  })

  it('ends when its time is over, on whichever replica looks first', async () => {
    await make({ ends_at: at(60_000) })
    await tick()
    expect((await shown()).state).toBe('running')
    pair.clock.advance(60_000)
    await tick()
    expect(await shown()).toMatchObject({ state: 'ended', ended_at: at(0), end_reason: 'time', ended_by: null })
    await expect.poll(() => pair.one.watching.experiments.parametersFor('anybody')).toEqual({})
  })

  it('ends when each variant was measured by so many sessions', async () => {
    await make({ sessions_per_variant: 20 })
    const turns = (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        pair.one.watching.traces.record(trace({ sessionId: `s-${i}`, startedAt: pair.clock.now() }))
      }
    }
    turns(0, 20)
    await results()
    await pair.one.call('GET', `${EXPERIMENTS}/x/results`)
    await tick()
    expect((await shown()).state).toBe('running')
    turns(20, 80)
    await pair.one.call('GET', `${EXPERIMENTS}/x/results`)
    await tick()
    expect(await shown()).toMatchObject({ state: 'ended', end_reason: 'sessions' })
    const { variants } = await results()
    for (const variant of HALVES.variants) expect(variants[variant].units).toBeGreaterThanOrEqual(20)
  })

  it('is judged by what it says, in words and numbers, and stays so when it has ended', async () => {
    await make({ metric: 'rating' })
    await record(
      'usual',
      'rating',
      Array.from({ length: 40 }, (_, i) => 2 + (i % 3)),
    )
    await record(
      'broad',
      'rating',
      Array.from({ length: 40 }, (_, i) => 3 + (i % 3)),
    )
    await record('broad', 'confident', [1, 1, 1])
    const running = await results()
    expect(running).toMatchObject({ state: 'running', judgement: { judged_by: 'rating', is_final: false } })
    expect((await pair.one.call('POST', `${EXPERIMENTS}/x/end`)).body).toMatchObject({
      state: 'ended',
      end_reason: 'by_hand',
      ended_by: null,
    })
    const { state, judgement } = await results()
    expect(state).toBe('ended')
    expect(judgement).toMatchObject({ judged_by: 'rating', metric: 'rating', is_final: true })
    expect(judgement.comparisons).toMatchObject([
      {
        baseline: 'usual',
        variant: 'broad',
        difference: expect.closeTo(1, 6),
        verdict: 'better',
        confidence_level: 0.95,
        words: { en: '"broad" is better than "usual": the rating after a conversation is 1.00 points higher.' },
      },
    ])
    await record('usual', 'rating', [5, 5, 5])
    expect((await results()).judgement).toEqual(judgement)
  })

  it('of whose metric nothing is known says so', async () => {
    await make({ metric: 'feedback' })
    expect((await results()).judgement.comparisons).toMatchObject([{ verdict: 'no_data', difference: null }])
  })

  it.each([
    [{ metric: 'confident' }, 422, /^metric: must be one of rating, feedback, handoff, resolved, evaluation/],
    [{ ends_at: '2020-01-01' }, 422, /^ends_at: must be a time to come/],
    [{ ends_at: 'soon' }, 422, /^ends_at: must be a time/],
    [{ sessions_per_variant: 0 }, 422, /^sessions_per_variant: /],
    [{ sessions_per_variant: 1.5 }, 422, /^sessions_per_variant: /],
  ])('with %j is refused, and nothing is made', async (more, status, detail) => {
    const answer = await make(more)
    expect(answer.status).toBe(status)
    expect(answer.body.detail).toMatch(detail)
    expect(await shown()).toBeUndefined()
  })
})

describe('who ends an experiment', () => {
  let test: TestApp
  let keys: ReturnType<typeof writeNamedKeys>
  beforeAll(async () => {
    keys = writeNamedKeys(['read'], ['admin'])
    test = await createTestApp({ API_KEY: 'key', API_KEYS_FILE: keys.path })
    await test.call('POST', EXPERIMENTS, { name: 'x', ...GUARDED })
  })
  afterAll(async () => {
    await test.close()
    keys.remove()
  })

  it('needs the key and its scope, and is named to those who have it', async () => {
    const end = async (headers: Record<string, string>) =>
      (await test.app.inject({ method: 'POST', url: `${EXPERIMENTS}/x/end`, headers })).statusCode
    expect(await end({})).toBe(401)
    expect(await end(keys.headersOf('read'))).toBe(403)
    const boss = await logInAs(test, 'boss', 'admin')
    expect((await boss.call('POST', `${EXPERIMENTS}/x/end`)).body).toMatchObject({ state: 'ended', ended_by: 'boss' })
    expect((await test.call('POST', `${EXPERIMENTS}/x/end`)).body.ended_by).toBe('boss')
    const open = (await test.app.inject({ method: 'GET', url: EXPERIMENTS })).json()
    expect(open[0].ended_by).toBe('')
    expect((await test.call('POST', `${EXPERIMENTS}/nobody/end`)).status).toBe(404)
  })
})
