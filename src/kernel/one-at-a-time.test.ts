import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

it('ends with what the last run found, however long an earlier one took', async () => {
  let stored = 1
  let known = 0
  const delays = [20, 0, 5]
  const inTurn = oneAtATime()
  const read = () =>
    inTurn(async () => {
      const found = stored
      await sleep(delays.shift())
      known = found
    })
  const first = read()
  await sleep(1)
  stored = 2
  await Promise.all([first, read()])
  expect(known).toBe(2)
  stored = 3
  await read()
  expect(known).toBe(3)
})

it('goes on after a run that failed', async () => {
  const results = [Promise.reject(new Error('away')), Promise.resolve('there')]
  const inTurn = oneAtATime()
  const run = () => inTurn(() => results.shift() as Promise<string>)
  const [one, two] = await Promise.allSettled([run(), run()])
  expect(one).toMatchObject({ status: 'rejected' })
  expect(two).toEqual({ status: 'fulfilled', value: 'there' })
})
