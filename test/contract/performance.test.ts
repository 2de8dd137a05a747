import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/server.ts'
import type { ManualClock } from '../support/manual-clock.ts'
import { createWatchApp, createWatchPair, type WatchApp, type WatchPair } from '../support/watch-app.ts'

const METRICS = '/api/v1/performance/metrics'
const STATS = '/api/v1/performance/cache/stats'
const INVALIDATE = '/api/v1/performance/cache/invalidate'

/** Stands in for the rest of the service: each route takes the time that the test says. */
function standIns(app: App, clock: ManualClock): void {
  app.post('/api/v1/chat', async (request) => {
    const { takesMs, fails } = request.body as { takesMs: number; fails?: boolean }
    clock.advance(takesMs)
    if (fails) throw new Error('broken')
    return { reply: 'ok' }
  })
  app.post('/api/v1/knowledge/ingest', async () => {
    clock.advance(60_000)
    return {}
  })
  app.post('/api/v1/gateway', async (request) => {
    await (request.body as never as { wait?: Promise<void> }).wait
    const metrics = await app.inject(METRICS)
    return metrics.json()
  })
}

describe('the performance endpoints', () => {
  let pair: WatchPair
  let db: WatchPair['db']
  let clock: WatchPair['clock']
  let one: WatchPair['one']
  let two: WatchPair['two']
  beforeAll(async () => {
    pair = await createWatchPair({ register: standIns })
    ;({ db, clock, one, two } = pair)
  })
  afterAll(() => pair.close())
  // Everything of the test before is out of the window.
  beforeEach(() => clock.advance(2 * 3_600_000))

  const metrics = async (replica = one) => (await replica.call('GET', METRICS)).body.metrics

  async function ask(replica: WatchApp, text: string, reply = `to ${text}`): Promise<string> {
    const claim = await replica.watching.replyCache.claim({ text, scope: 'en' })
    if (claim.kind === 'hit') return claim.reply.reply
    if (claim.kind === 'compute') claim.keep({ reply })
    return reply
  }

  it('show numbers before anything happened', async () => {
    expect(await metrics()).toEqual({
      cache_hit_rate: 0,
      concurrent_requests: 0,
      model_router_stats: { extractive: 0, light: 0, standard: 0, strong: 0 },
      avg_response_ms: 0,
      window_seconds: 3_600,
    })
    expect((await one.call('GET', STATS)).body).toEqual({
      hits: 0,
      misses: 0,
      hit_rate: 0,
      entries: 0,
      capacity: 1_000,
      evictions: 0,
      ttl_seconds: 300,
    })
  })

  it('average over what answered customers, on all replicas, within the window', async () => {
    await one.call('POST', '/api/v1/chat', { takesMs: 100 })
    await two.call('POST', '/api/v1/chat', { takesMs: 300 })
    await one.call('POST', '/api/v1/knowledge/ingest', {})
    await one.call('POST', '/api/v1/chat', { takesMs: 9_000, fails: true })
    await two.call('GET', STATS)
    await two.call('GET', METRICS)
    expect((await metrics()).avg_response_ms).toBe(200)
    clock.advance(3_600_000 - 80_000)
    expect((await metrics()).avg_response_ms).toBe(200)
    clock.advance(90_000)
    expect((await metrics()).avg_response_ms).toBe(0)
  })

  it('count requests under way, without themselves', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => one.call('POST', '/api/v1/gateway', {})))
    const seen = answers.map(({ body }) => body.metrics.concurrent_requests)
    expect(Math.max(...seen)).toBe(3)
    expect((await metrics()).concurrent_requests).toBe(0)
    await one.call('POST', '/api/v1/chat', { takesMs: 1, fails: true })
    await one.call('POST', '/api/v1/nowhere', {})
    expect((await metrics()).concurrent_requests).toBe(0)
  })

  it('count what the router chose, on all replicas', async () => {
    for (const tier of ['extractive', 'extractive', 'strong'] as const) one.watching.tiers.count(tier)
    two.watching.tiers.count('light')
    await metrics(two)
    expect((await metrics()).model_router_stats).toEqual({ extractive: 2, light: 1, standard: 0, strong: 1 })
  })

  it('tell hits from misses, and the same after a restart', async () => {
    const before = (await one.call('GET', STATS)).body
    for (const text of ['How do I return it?', 'how do i RETURN it', 'Where are you?']) await ask(one, text)
    await ask(two, 'Where are you?')
    // Each replica has stored what it counted when it is asked; otherwise within a second.
    await metrics(one)
    expect(await metrics(two)).toMatchObject({ cache_hit_rate: 1 / 4 })
    const after = (await one.call('GET', STATS)).body
    expect([after.hits - before.hits, after.misses - before.misses, after.entries]).toEqual([1, 3, 2])
    expect(after.hit_rate).toBe(after.hits / (after.hits + after.misses))
    const again = await createWatchApp(db, { clock })
    expect((await again.call('GET', STATS)).body).toMatchObject({ hits: after.hits, misses: after.misses, entries: 0 })
    await again.close()
  })

  it('follow the tuner: capacity, evictions, time to live, off', async () => {
    await one.call('PUT', '/api/v1/tuner/params', { cache_max_entries: 2, cache_ttl_seconds: 60 })
    const before = (await one.call('GET', STATS)).body
    for (const text of ['first', 'second', 'third']) await ask(one, text)
    const after = (await one.call('GET', STATS)).body
    expect(after).toMatchObject({ entries: 2, capacity: 2, ttl_seconds: 60 })
    expect(after.evictions - before.evictions).toBe(1)
    clock.advance(60_001)
    expect((await one.call('GET', STATS)).body.entries).toBe(0)
    await one.call('PUT', '/api/v1/tuner/params', { cache_ttl_seconds: 0 })
    await ask(one, 'first')
    expect((await one.call('GET', STATS)).body).toMatchObject({ entries: 0, ttl_seconds: 0 })
    await one.call('POST', '/api/v1/tuner/reset')
  })

  it('drop every reply on every replica', async () => {
    await one.call('POST', INVALIDATE)
    for (const text of ['a question', 'another question']) await ask(one, text, 'of before')
    await ask(two, 'a question', 'of before')
    expect((await one.call('POST', INVALIDATE)).body).toEqual({
      success: true,
      cleared: 2,
      message: '2 cached replies were dropped',
    })
    await waitUntil(async () => (await two.call('GET', STATS)).body.entries === 0)
    expect(await ask(two, 'a question', 'of after')).toBe('of after')
    expect((await two.call('POST', INVALIDATE)).body.message).toBe('1 cached reply was dropped')
    expect((await two.call('POST', INVALIDATE)).body).toMatchObject({ success: true, cleared: 0 })
  })

  it('drop what a change of the tuner makes stale, on every replica', async () => {
    await ask(one, 'tuned question', 'of before')
    await ask(two, 'tuned question', 'of before')
    await one.call('PUT', '/api/v1/tuner/params', { rerank_top_k: 9 })
    expect(await ask(one, 'tuned question', 'of after')).toBe('of after')
    await waitUntil(async () => (await two.call('GET', '/api/v1/tuner/params')).body.params.rerank_top_k === 9)
    expect(await ask(two, 'tuned question', 'of after')).toBe('of after')
    await one.call('POST', '/api/v1/tuner/reset')
  })
})

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}
