import { expect, it } from 'vitest'
import { createCoalescer } from './coalescer.ts'
import { AppError } from './errors.ts'

function recording(maxBatch: number, concurrency?: number) {
  const batches: number[][] = []
  const gates: (() => void)[] = []
  const coalesced = createCoalescer<number, number>({
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
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  return { batches, coalesced, open }
}

it('begins at once, and does together what came meanwhile', async () => {
  const { batches, coalesced, open } = recording(3)
  const all = Promise.all([1, 2, 3, 4, 5].map(coalesced))
  expect(batches).toEqual([[1]])
  await open()
  expect(batches).toEqual([[1], [2, 3, 4]])
  await open()
  await open()
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
  expect(await all).toEqual([10, 20, 30, 40, 50])
})

it('has as many batches under way as it may', () => {
  const { batches, coalesced } = recording(3, 2)
  for (const item of [1, 2, 3]) void coalesced(item)
  expect(batches).toEqual([[1], [2]])
})

it('lets one that fails fail alone, and goes on', async () => {
  const { coalesced, open } = recording(8)
  const settled = Promise.allSettled([1, 2, 13, 4].map(coalesced))
  for (let i = 0; i < 8; i++) await open()
  const later = coalesced(5)
  await open()
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await later).toBe(50)
})

it('does not try each again while what it needs is away', async () => {
  let runs = 0
  const coalesced = createCoalescer<number, number>({
    maxBatch: 8,
    async run() {
      runs++
      throw new AppError('unavailable', 'database', 'away')
    },
  })
  const settled = await Promise.allSettled([1, 2, 3].map(coalesced))
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toBe(2)
})
