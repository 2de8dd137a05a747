import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSendQueue } from './send-queue.ts'

const MINUTE_MS = 60_000

/** Time that moves only when somebody sleeps. */
function virtualTime() {
  let timeMs = 0
  return {
    clock: { now: () => timeMs },
    sleep: async (ms: number) => {
      timeMs += ms
    },
    advance: (ms: number) => {
      timeMs += ms
    },
  }
}

describe('createSendQueue', () => {
  it('sends a burst at once and spaces what is beyond the limit, in order', async () => {
    const time = virtualTime()
    const queue = createSendQueue(time)
    const sent: [number, number][] = []
    const send = (index: number) => queue.run('r', async () => void sent.push([index, time.clock.now()]))
    await Promise.all(Array.from({ length: 45 }, (_, index) => send(index)))
    expect(sent.map(([index]) => index)).toEqual(Array.from({ length: 45 }, (_, index) => index))
    expect(sent[19]?.[1]).toBe(0)
    expect(sent[20]?.[1]).toBe(61_000)
    expect(sent[40]?.[1]).toBe(122_000)
  })

  it('does not wait for a time that lies ahead because the clock was set back', async () => {
    const time = virtualTime()
    time.advance(1_000 * MINUTE_MS)
    const queue = createSendQueue(time)
    for (let index = 0; index < 20; index++) await queue.run('r', async () => {})
    time.advance(-900 * MINUTE_MS)
    await queue.run('r', async () => {})
    expect(time.clock.now()).toBe(100 * MINUTE_MS)
  })

  it('never starts more than 20 in any minute, whatever the pauses', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 21, maxLength: 90 })
    await fc.assert(
      fc.asyncProperty(pauses, async (gaps) => {
        const time = virtualTime()
        const queue = createSendQueue(time)
        const starts: number[] = []
        for (const gap of gaps) {
          time.advance(gap)
          await queue.run('r', async () => void starts.push(time.clock.now()))
        }
        starts.forEach((start, index) => {
          const later = starts[index + 20]
          if (later !== undefined) expect(later - start).toBeGreaterThan(MINUTE_MS)
        })
      }),
    )
  })

  it('keeps robots apart', async () => {
    const time = virtualTime()
    const queue = createSendQueue({ ...time, limit: 1 })
    await queue.run('a', async () => undefined)
    await queue.run('b', async () => undefined)
    expect(time.clock.now()).toBe(0)
    await queue.run('a', async () => undefined)
    expect(time.clock.now()).toBe(61_000)
  })

  it('hands a failure to its caller and goes on', async () => {
    const queue = createSendQueue(virtualTime())
    await expect(queue.run('r', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
    expect(await queue.run('r', async () => 'next')).toBe('next')
  })

  it('sends one at a time', async () => {
    const queue = createSendQueue(virtualTime())
    const order: string[] = []
    const slow = async () => {
      order.push('first starts')
      for (let tick = 0; tick < 50; tick++) await null
      order.push('first ends')
    }
    await Promise.all([queue.run('r', slow), queue.run('r', async () => void order.push('second'))])
    expect(order).toEqual(['first starts', 'first ends', 'second'])
  })

  it('refuses at once when too many wait, and takes more when they are gone', async () => {
    const time = virtualTime()
    const queue = createSendQueue({ ...time, maxWaiting: 2 })
    const waiting = [queue.run('r', async () => 1), queue.run('r', async () => 2)]
    await expect(queue.run('r', async () => 3)).rejects.toMatchObject({ kind: 'too_many', retryAfterSeconds: 61 })
    expect(await Promise.all(waiting)).toEqual([1, 2])
    expect(await queue.run('r', async () => 4)).toBe(4)
  })
})
