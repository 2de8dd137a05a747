import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBatcher } from './batcher.ts'
import { AppError } from './errors.ts'

/** Batches begin in the next turn of the event loop. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await nextTurn()
}

function recording(maxBatch: number, concurrency?: number) {
  const batches: number[][] = []
  const gates: (() => void)[] = []
  const coalesced = createBatcher<number, number>({
    maxBatch,
    ...(concurrency === undefined ? {} : { concurrency }),
    async run(items) {
      batches.push([...items])
      await new Promise<void>((resolve) => gates.push(resolve))
      if (items.includes(13)) throw new Error(`no ${items.join(' ')}`)
      return items.map((item) => item * 10)
    },
  })
  const open = async (): Promise<void> => {
    gates.shift()?.()
    await settled()
  }
  return { batches, coalesced, open }
}

it('does together what comes together, and what came meanwhile', async () => {
  const { batches, coalesced, open } = recording(3)
  const first = Promise.all([1, 2].map(coalesced))
  await settled()
  expect(batches).toEqual([[1, 2]])
  const later = Promise.all([3, 4, 5, 6].map(coalesced))
  await settled()
  expect(batches).toEqual([[1, 2]])
  for (let i = 0; i < 3; i++) await open()
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]])
  expect([await first, await later]).toEqual([
    [10, 20],
    [30, 40, 50, 60],
  ])
})

it('has as many batches under way as it may', async () => {
  const { batches, coalesced } = recording(3, 2)
  for (const item of [1, 2, 3]) {
    void coalesced(item)
    await settled()
  }
  expect(batches).toEqual([[1], [2]])
})

it('lets one that fails fail alone, and goes on', async () => {
  const { coalesced, open } = recording(8)
  const all = Promise.allSettled([1, 2, 13, 4].map(coalesced))
  await settled()
  for (let i = 0; i < 8; i++) await open()
  const later = coalesced(5)
  await settled()
  await open()
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await later).toBe(50)
})

it('does not try each again while what it needs is away', async () => {
  let runs = 0
  const coalesced = createBatcher<number, number>({
    maxBatch: 8,
    async run() {
      runs++
      throw new AppError('unavailable', 'database', 'away')
    },
  })
  const all = await Promise.allSettled([1, 2, 3].map(coalesced))
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toBe(1)
})
