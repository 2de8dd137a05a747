import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLimiter, planBatches } from './batching.ts'

describe('planBatches', () => {
  it('keeps every position once, in order, within both limits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 8 }), fc.nat(100), (sizes, maxTexts, maxTokens) => {
        const batches = planBatches(sizes, maxTexts, maxTokens)
        expect(batches.flat()).toEqual([...sizes.keys()])
        for (const batch of batches) {
          const tokens = batch.reduce((sum, position) => sum + sizes[position]!, 0)
          expect(batch.length).toBeLessThanOrEqual(maxTexts)
          expect(batch.length === 1 || tokens <= maxTokens).toBe(true)
        }
      }),
    )
  })
})

describe('createLimiter', () => {
  it('never runs more than its limit, runs in order, and survives failures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        async (limit, plan) => {
          const limited = createLimiter(limit)
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
        },
      ),
      { numRuns: 50 },
    )
  })
})
