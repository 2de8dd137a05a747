import { expect, test } from 'vitest'
import { keptFresh } from './shared-reading.ts'

test('one computation serves all who ask meanwhile and for some time after', async () => {
  let time = 1_000_000
  let count = 0
  const read = keptFresh(async () => ++count, { freshMs: 100, now: () => time })
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  time += 99
  expect(await read()).toBe(1)
  time += 1
  expect(await Promise.all([read(), read()])).toEqual([2, 2])
  time -= 500_000
  expect(await read()).toBe(3)
})

test('a failure is told to those who wait, and not kept', async () => {
  let count = 0
  const read = keptFresh(
    async () => {
      count += 1
      if (count === 1) throw new Error('broken')
      return count
    },
    { freshMs: 100, now: () => 0 },
  )
  const [one, other] = await Promise.allSettled([read(), read()])
  expect([one.status, other.status]).toEqual(['rejected', 'rejected'])
  expect(await read()).toBe(2)
})
