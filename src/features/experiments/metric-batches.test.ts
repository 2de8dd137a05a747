import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBatches } from './metric-batches.ts'

describe('batches of recorded values', () => {
  it('hold count, mean and squared deviations by experiment, variant and metric', () => {
    const name = fc.constantFrom('a', 'b', '"', ',', '__proto__')
    const value = fc.record({
      experimentId: name,
      variant: name,
      metric: name,
      value: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    })
    const property = fc.property(fc.array(value), (values) => {
      const batches = toBatches(values)
      expect(batches.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
      for (const { experimentId, variant, metric, count, mean, squares } of batches) {
        const own = values.filter(
          (each) => each.experimentId === experimentId && each.variant === variant && each.metric === metric,
        )
        const expected = own.reduce((sum, each) => sum + each.value, 0) / own.length
        const deviations = own.reduce((sum, each) => sum + (each.value - expected) ** 2, 0)
        expect(count).toBe(own.length)
        expect(mean).toBeCloseTo(expected, 6)
        if (count > 1) expect(Math.sqrt(squares / (count - 1))).toBeCloseTo(Math.sqrt(deviations / (count - 1)), 6)
      }
    })
    fc.assert(property)
  })
})
