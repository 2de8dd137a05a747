import { describe, expect, it } from 'vitest'
import { sharedReading } from './shared-reading.ts'

function setUp(tookMs: number) {
  let time = 0
  let reads = 0
  const slept: number[] = []
  const read = sharedReading(
    async () => {
      reads += 1
      const own = reads
      time += tookMs
      await new Promise(setImmediate)
      if (own === 13) throw new Error('unlucky')
      return own
    },
    {
      now: () => time,
      async sleep(ms) {
        slept.push(ms)
        time += ms
      },
    },
  )
  const pass = (ms: number): void => {
    time += ms
  }
  return { read, slept, reads: () => reads, pass, time: () => time }
}

describe('a shared reading', () => {
  it('is one for all who ask at once, and another for those who ask while it runs', async () => {
    const { read, reads } = setUp(10)
    expect(new Set(await Promise.all(Array.from({ length: 100 }, read)))).toEqual(new Set([1]))
    const early = read()
    while (reads() < 2) await new Promise(setImmediate)
    const late = Array.from({ length: 50 }, read)
    expect(await early).toBe(2)
    expect(new Set(await Promise.all(late))).toEqual(new Set([3]))
  })

  it('takes a fifth of the time however often it is asked for', async () => {
    const { read, reads, time, slept } = setUp(10)
    for (let i = 0; i < 10; i++) await read()
    expect(reads()).toBe(10)
    expect(slept).toEqual(Array(9).fill(40))
    expect(time()).toBe(10 * 10 + 9 * 40)
  })

  it('makes nobody wait who comes after a pause, and nobody for more than two seconds', async () => {
    const { read, slept, pass } = setUp(10_000)
    await read()
    pass(2_000)
    await read()
    expect(slept).toEqual([])
    await read()
    expect(slept).toEqual([2_000])
  })

  it('that fails is not read again for each who waits', async () => {
    const { read, reads } = setUp(1)
    for (let i = 0; i < 12; i++) await read()
    const failed = await Promise.allSettled(Array.from({ length: 20 }, read))
    expect(failed.every(({ status }) => status === 'rejected')).toBe(true)
    expect(reads()).toBe(13)
    expect(await read()).toBe(14)
  })
})
