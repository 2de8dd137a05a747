import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pLimit from 'p-limit'
import { expect, it } from 'vitest'

// Of several runs that read the same, the last to end is the last to have begun: `pLimit(1)` has to keep that.
it('ends with what the last run found, however long an earlier one took', async () => {
  let stored = 1
  let known = 0
  const delays = [20, 0, 5]
  const inTurn = pLimit(1)
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
  const inTurn = pLimit(1)
  const run = () => inTurn(() => results.shift() as Promise<string>)
  const [one, two] = await Promise.allSettled([run(), run()])
  expect(one).toMatchObject({ status: 'rejected' })
  expect(two).toEqual({ status: 'fulfilled', value: 'there' })
})

it('never runs more than its limit, runs in order, and survives failures', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean(), { maxLength: 20 }), async (limit, plan) => {
      const limited = pLimit(limit)
      const started: number[] = []
      let running = 0
      const results = await Promise.allSettled(
        plan.map((fails, index) =>
          limited(async () => {
            started.push(index)
            running += 1
            expect(running).toBeLessThanOrEqual(limit)
            await new Promise((resolve) => setImmediate(resolve))
            running -= 1
            if (fails) throw new Error('failed')
          }),
        ),
      )
      expect(started).toEqual([...plan.keys()])
      expect(results.map(({ status }) => status === 'rejected')).toEqual(plan)
    }),
    { numRuns: 50 },
  )
})
