import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { AppError } from '../kernel/errors.ts'
import { type BreakerChange, createBreaker, createBreakerRegistry, isCircuitOpen, type Permit } from './breaker.ts'

const threshold = 3
const recoveryMs = 1_000

function setUp() {
  const clock = createManualClock()
  const changes: BreakerChange[] = []
  const breaker = createBreaker({
    name: 'llm',
    failureThreshold: threshold,
    recoveryTimeoutMs: recoveryMs,
    clock,
    onChange: (change) => changes.push(change),
  })
  return { clock, breaker, changes }
}

const failing = () => Promise.reject(new Error('down'))

async function open(breaker: ReturnType<typeof setUp>['breaker']) {
  for (let i = 0; i < threshold; i += 1) await breaker.run(failing).catch(() => {})
}

describe('a breaker', () => {
  it('opens at the threshold of failures in a row and refuses without calling', async () => {
    const { breaker, changes } = setUp()
    await breaker.run(failing).catch(() => {})
    await breaker.run(async () => 'fine')
    await open(breaker)
    let called = false
    const refused = await breaker
      .run(async () => {
        called = true
      })
      .catch((error: unknown) => error)
    expect(isCircuitOpen(refused)).toBe(true)
    expect(refused).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
    expect(called).toBe(false)
    expect(changes.map((change) => change.to)).toEqual(['OPEN'])
  })

  it('shows the record of the contract', async () => {
    const { breaker, clock } = setUp()
    await open(breaker)
    clock.advance(400)
    await breaker.run(async () => 1).catch(() => {})
    expect(breaker.stats()).toEqual({
      state: 'OPEN',
      failure_count: 3,
      success_count: 0,
      rejected_count: 1,
      failure_threshold: 3,
      recovery_timeout_seconds: 1,
      last_failure_time: '2026-01-01T00:00:00.000Z',
      last_error: 'Error',
      opened_at: '2026-01-01T00:00:00.000Z',
      next_attempt_at: '2026-01-01T00:00:01.000Z',
    })
  })

  it('lets exactly one probe through after the recovery time and closes on its success', async () => {
    const { breaker, clock, changes } = setUp()
    await open(breaker)
    clock.advance(recoveryMs)
    const probe = breaker.acquire()
    expect(() => breaker.acquire()).toThrow(AppError)
    probe.succeed()
    expect(breaker.state()).toBe('CLOSED')
    expect(changes.map((change) => change.to)).toEqual(['OPEN', 'HALF_OPEN', 'CLOSED'])
  })

  it('opens again when the probe fails, and waits the whole recovery time again', async () => {
    const { breaker, clock } = setUp()
    await open(breaker)
    clock.advance(recoveryMs)
    await breaker.run(failing).catch(() => {})
    clock.advance(recoveryMs - 1)
    expect(() => breaker.acquire()).toThrow(AppError)
    clock.advance(1)
    expect(() => breaker.acquire()).not.toThrow()
  })

  it('gives the next caller the probe when the first one leaves', async () => {
    const { breaker, clock } = setUp()
    await open(breaker)
    clock.advance(recoveryMs)
    const controller = new AbortController()
    const left = breaker.run(
      async () => {
        controller.abort()
        throw new Error('socket closed')
      },
      { signal: controller.signal },
    )
    await expect(left).rejects.toThrow('socket closed')
    expect(breaker.state()).toBe('HALF_OPEN')
    await breaker.run(async () => 'fine')
    expect(breaker.state()).toBe('CLOSED')
  })

  it('is unmoved by callers who leave', async () => {
    const { breaker } = setUp()
    for (let i = 0; i < 20; i += 1) {
      await breaker.run(() => Promise.reject(new DOMException('gone', 'AbortError'))).catch(() => {})
    }
    expect(breaker.stats()).toMatchObject({ state: 'CLOSED', failure_count: 0, success_count: 0, last_error: null })
  })

  it('takes the word of a judge for errors that show a working dependency', async () => {
    const { breaker } = setUp()
    for (let i = 0; i < 5; i += 1) await breaker.run(failing, { judge: () => 'success' }).catch(() => {})
    expect(breaker.stats()).toMatchObject({ state: 'CLOSED', success_count: 5 })
  })

  it('ignores what calls from before a reset say about the state', async () => {
    const { breaker } = setUp()
    const old = [breaker.acquire(), breaker.acquire(), breaker.acquire()]
    breaker.reset()
    for (const permit of old) permit.fail(new Error('late'))
    expect(breaker.stats()).toMatchObject({ state: 'CLOSED', failure_count: 0, last_error: 'Error' })
  })

  it('keeps private texts out of the statistics', async () => {
    const { breaker } = setUp()
    const secret = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443 key=sk-123'), { code: 'ECONNREFUSED' })
    await breaker.run(() => Promise.reject(secret)).catch(() => {})
    expect(breaker.stats().last_error).toBe('ECONNREFUSED')
    await breaker.run(() => Promise.reject(new AppError('unavailable', 'x', 'The shop is down'))).catch(() => {})
    expect(breaker.stats().last_error).toBe('The shop is down')
  })
})

describe('the registry', () => {
  it('knows the breakers of every dependency from the start and resets by name', async () => {
    const registry = createBreakerRegistry({ clock: createManualClock(), failureThreshold: 1 })
    expect(Object.keys(registry.stats())).toEqual([
      'llm',
      'embedding',
      'rerank',
      'business',
      'database',
      'wechat',
      'dingtalk',
    ])
    await registry
      .get('llm')
      .run(failing)
      .catch(() => {})
    expect(registry.stats().llm?.state).toBe('OPEN')
    expect(registry.stats().rerank?.state).toBe('CLOSED')
    expect(registry.reset('llm')).toBe(true)
    expect(registry.get('llm').state()).toBe('CLOSED')
    expect(registry.reset('nothing')).toBe(false)
    expect(registry.get('nothing')).toBe(registry.get('nothing'))
  })
})

/**
 * The reference: the same rules over a log of everything that happened, without counters or eras.
 * A permit counts while no transition has happened since it was given out.
 */
function createReference() {
  const model = {
    state: 'CLOSED' as 'CLOSED' | 'OPEN' | 'HALF_OPEN',
    now: 0,
    openedAt: 0,
    streak: [] as string[],
    successes: 0,
    rejections: 0,
    current: new Set<number>(),
  }
  const goTo = (state: typeof model.state) => {
    model.state = state
    model.current.clear()
    if (state === 'OPEN') model.openedAt = model.now
    if (state === 'CLOSED') model.streak = []
  }
  return {
    model,
    acquire(id: number): boolean {
      if (model.state === 'OPEN' && model.now - model.openedAt >= recoveryMs) goTo('HALF_OPEN')
      const admitted = model.state === 'CLOSED' || (model.state === 'HALF_OPEN' && model.current.size === 0)
      if (admitted) model.current.add(id)
      else model.rejections += 1
      return admitted
    },
    settle(id: number, how: 'succeed' | 'fail' | 'release') {
      if (how === 'succeed') model.successes += 1
      if (!model.current.delete(id) || how === 'release') return
      if (how === 'succeed') {
        model.streak = []
        if (model.state === 'HALF_OPEN') goTo('CLOSED')
        return
      }
      model.streak.push('failure')
      if (model.state === 'HALF_OPEN' || model.streak.length >= threshold) goTo('OPEN')
    },
    reset: () => goTo('CLOSED'),
  }
}

type Step =
  | { do: 'acquire' }
  | { do: 'settle'; pick: number; how: 'succeed' | 'fail' | 'release' }
  | { do: 'advance'; ms: number }
  | { do: 'reset' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Step>({ do: 'acquire' }) },
  {
    weight: 8,
    arbitrary: fc.record<Step & { do: 'settle' }>({
      do: fc.constant('settle'),
      pick: fc.nat(1_000),
      how: fc.constantFrom('fail', 'fail', 'succeed', 'release'),
    }),
  },
  { weight: 3, arbitrary: fc.record<Step & { do: 'advance' }>({ do: fc.constant('advance'), ms: fc.nat(700) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'reset' }) },
)

/** A breaker and its reference, driven side by side. */
function createPair() {
  const { clock, breaker, changes } = setUp()
  const reference = createReference()
  const { model } = reference
  const live: { id: number; permit: Permit }[] = []

  function acquire(id: number): void {
    const permit = tryAcquire(breaker.acquire)
    expect(permit !== null).toBe(reference.acquire(id))
    if (permit) live.push({ id, permit })
  }

  function settle({ pick, how }: Extract<Step, { do: 'settle' }>): void {
    const [taken] = live.splice(pick % Math.max(1, live.length), 1)
    if (!taken) return
    taken.permit[how](new Error('x'))
    taken.permit.fail(new Error('a second verdict does not count'))
    reference.settle(taken.id, how)
  }

  function take(current: Step, id: number): void {
    if (current.do === 'acquire') acquire(id)
    else if (current.do === 'settle') settle(current)
    else if (current.do === 'reset') {
      breaker.reset()
      reference.reset()
    } else {
      clock.advance(current.ms)
      model.now += current.ms
    }
  }

  function compare(): void {
    const stats = breaker.stats()
    const actual = [stats.state, stats.failure_count, stats.success_count, stats.rejected_count]
    const wanted = [model.state, Math.min(model.streak.length, threshold), model.successes, model.rejections]
    if (actual.join() !== wanted.join()) expect(actual).toEqual(wanted)
    if (model.state === 'HALF_OPEN' && model.current.size > 1) throw new Error('two probes')
  }
  return { take, compare, breaker, changes }
}

describe('a breaker against its reference', () => {
  it('agrees after each of 100,000 random steps, with at most one probe at a time', () => {
    const length = 500
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(step, { minLength: length, maxLength: length }), (steps) => {
        const { take, compare, breaker, changes } = createPair()
        for (const [id, current] of steps.entries()) {
          take(current, id)
          compare()
          seen.set(breaker.state(), (seen.get(breaker.state()) ?? 0) + 1)
        }
        for (const [index, change] of changes.entries()) expect(change.from).toBe(changes[index - 1]?.to ?? 'CLOSED')
      }),
      { numRuns: 200 },
    )
    expect([...seen.values()].reduce((sum, count) => sum + count)).toBe(100_000)
    for (const state of ['CLOSED', 'OPEN', 'HALF_OPEN']) expect(seen.get(state)).toBeGreaterThan(1_000)
  })
})

function tryAcquire(acquire: () => Permit): Permit | null {
  try {
    return acquire()
  } catch (error) {
    if (isCircuitOpen(error)) return null
    throw error
  }
}
