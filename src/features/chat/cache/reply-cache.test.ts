import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { type Claim, createReplyCache, type ReplyCacheOptions } from './reply-cache.ts'

type Reply = { text: string }

function setUp(options: Partial<ReplyCacheOptions<Reply>> = {}) {
  const clock = createManualClock()
  const counts = { hit: 0, miss: 0, eviction: 0 }
  const state = { version: '1', limits: { ttlSeconds: 60, maxEntries: 100 } }
  const cache = createReplyCache<Reply>({
    limits: () => state.limits,
    version: async () => state.version,
    keyOf: (text) => text.toLowerCase(),
    isPersonal: (text) => text.includes('@'),
    textOf: ({ text }) => text,
    count: (event) => {
      counts[event] += 1
    },
    clock,
    ...options,
  })
  const claim = (text: string, scope = 'en') => cache.claim({ text, scope })
  const ask = async (text: string, answer = `to ${text}`, scope = 'en'): Promise<string> => {
    const claimed = await claim(text, scope)
    if (claimed.kind === 'hit') return `cached ${claimed.reply.text}`
    if (claimed.kind === 'compute') claimed.keep({ text: answer })
    return answer
  }
  return { cache, clock, counts, state, claim, ask }
}

function holder(claim: Claim<Reply>): Extract<Claim<Reply>, { kind: 'compute' }> {
  if (claim.kind !== 'compute') throw new Error(`expected to compute, got ${claim.kind}`)
  return claim
}

/** Lets everything that can go on go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the reply cache', () => {
  it('keeps a reply for the same question in the same scope', async () => {
    const { ask, cache, counts } = setUp()
    expect(await ask('Question')).toBe('to Question')
    expect(await ask('QUESTION')).toBe('cached to Question')
    expect(await ask('Question', 'auf Deutsch', 'de')).toBe('auf Deutsch')
    expect(await ask('Other')).toBe('to Other')
    expect(counts).toEqual({ hit: 1, miss: 3, eviction: 0 })
    expect(cache.entries()).toBe(3)
  })

  it('forgets after the time to live, to the millisecond', async () => {
    const { ask, clock, cache } = setUp()
    await ask('q')
    clock.advance(60_000)
    expect(await ask('q')).toBe('cached to q')
    clock.advance(1)
    expect(cache.entries()).toBe(0)
    expect(await ask('q', 'new')).toBe('new')
  })

  it('pushes out what was not asked for longest, and counts it', async () => {
    const { ask, state, counts, cache } = setUp()
    state.limits = { ttlSeconds: 60, maxEntries: 2 }
    await ask('a')
    await ask('b')
    await ask('a')
    await ask('c')
    expect(counts.eviction).toBe(1)
    expect(cache.entries()).toBe(2)
    expect(await ask('a')).toBe('cached to a')
    expect(await ask('b', 'anew')).toBe('anew')
  })

  it.each([
    { ttlSeconds: 0, maxEntries: 10 },
    { ttlSeconds: 60, maxEntries: 0 },
  ])('is off with %j', async (limits) => {
    const { claim, state, counts } = setUp()
    state.limits = limits
    expect(await claim('q')).toEqual({ kind: 'bypass' })
    expect(counts).toEqual({ hit: 0, miss: 0, eviction: 0 })
  })

  it('never keeps personal data, in a question or in a reply', async () => {
    const { ask, cache, counts } = setUp()
    await ask('I am a@b.example')
    expect(counts.miss).toBe(0)
    await ask('who', 'write to a@b.example')
    expect(await ask('who', 'still computed')).toBe('still computed')
    cache.clear()
    expect(cache.entries()).toBe(0)
  })

  it('serves nothing of another state of the knowledge base', async () => {
    const { ask, state } = setUp()
    await ask('q')
    state.version = '2'
    expect(await ask('q', 'of state 2')).toBe('of state 2')
    expect(await ask('q')).toBe('cached of state 2')
  })

  it('does not serve what was computed before a change, though it was finished after it', async () => {
    const { claim, ask, state } = setUp()
    const early = holder(await claim('q'))
    state.version = '2'
    early.keep({ text: 'old' })
    expect(await ask('q', 'new')).toBe('new')
  })

  it('passes by when the state cannot be read', async () => {
    const { cache } = setUp({ version: () => Promise.reject(new Error('away')) })
    expect(await cache.claim({ text: 'q', scope: '' })).toEqual({ kind: 'bypass' })
  })

  it('clears everything, also what is being computed', async () => {
    const { cache, claim, ask } = setUp()
    await ask('a')
    await ask('b')
    const under = holder(await claim('c'))
    expect(cache.clear()).toBe(2)
    under.keep({ text: 'of before' })
    expect(cache.entries()).toBe(0)
    expect(await ask('c', 'anew')).toBe('anew')
    expect(cache.clear()).toBe(1)
    expect(cache.clear()).toBe(0)
  })

  it('sweeps out what rests on another state, and nothing else', async () => {
    const { ask, cache, state } = setUp()
    await ask('old')
    state.version = '2'
    await ask('new')
    await cache.sweep()
    expect(cache.entries()).toBe(1)
    expect(await ask('new')).toBe('cached to new')
  })

  it('does not take a reply that is out of all proportion', async () => {
    const { ask, cache } = setUp()
    await ask('q', 'x'.repeat(300_000))
    expect(cache.entries()).toBe(0)
  })
})

describe('equal questions at the same time', () => {
  it('are computed once', async () => {
    const { claim, counts } = setUp()
    const first = holder(await claim('q'))
    const others = Array.from({ length: 50 }, () => claim('q'))
    await settle()
    first.keep({ text: 'once' })
    for (const other of await Promise.all(others)) expect(other).toEqual({ kind: 'hit', reply: { text: 'once' } })
    expect(counts).toEqual({ hit: 50, miss: 1, eviction: 0 })
  })

  it('are taken over one by one as long as they fail', async () => {
    const { claim, counts } = setUp()
    const first = holder(await claim('q'))
    const others = [claim('q'), claim('q'), claim('q')]
    await settle()
    first.fail()
    const second = holder(await others[0]!)
    await settle()
    second.fail()
    const third = holder(await others[1]!)
    third.keep({ text: 'at last' })
    expect(await others[2]!).toEqual({ kind: 'hit', reply: { text: 'at last' } })
    expect(counts).toEqual({ hit: 1, miss: 3, eviction: 0 })
  })

  it('are all computed at once when the reply may not be kept', async () => {
    const { claim, counts } = setUp()
    const first = holder(await claim('q'))
    const others = [claim('q'), claim('q')]
    await settle()
    first.discard()
    expect(await Promise.all(others)).toEqual([{ kind: 'bypass' }, { kind: 'bypass' }])
    expect(counts.miss).toBe(3)
  })

  it('only the first end of a computation counts', async () => {
    const { claim, ask } = setUp()
    const first = holder(await claim('q'))
    first.discard()
    first.keep({ text: 'too late' })
    expect(await ask('q', 'own')).toBe('own')
  })

  it('let a customer leave while waiting', async () => {
    const { cache, claim } = setUp()
    const first = holder(await claim('q'))
    const controller = new AbortController()
    const waiting = cache.claim({ text: 'q', scope: 'en' }, controller.signal)
    await settle()
    controller.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    first.keep({ text: 'kept all the same' })
    expect(cache.entries()).toBe(1)
  })

  it('do not wait for ever for one that is lost', async () => {
    const { claim } = setUp({ maxWaitMs: 5 })
    await claim('q')
    expect(await claim('q')).toEqual({ kind: 'bypass' })
    expect((await claim('q')).kind).toBe('compute')
  })

  it('do not share an answer across a change of the knowledge base', async () => {
    const { claim, state } = setUp()
    const before = holder(await claim('q'))
    state.version = '2'
    const after = holder(await claim('q'))
    before.keep({ text: 'old' })
    after.keep({ text: 'new' })
    expect(await claim('q')).toEqual({ kind: 'hit', reply: { text: 'new' } })
  })

  it('do not share an answer across a clearing', async () => {
    const { claim, cache } = setUp()
    holder(await claim('q'))
    cache.clear()
    expect((await claim('q')).kind).toBe('compute')
  })
})
