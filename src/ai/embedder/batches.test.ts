import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planBatches } from './batches.ts'

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
