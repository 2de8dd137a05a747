import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DISTRIBUTION, readBucket } from './metrics.ts'

/** As the database puts values into bins. */
function binsOf(values: readonly number[]) {
  const bins = Map.groupBy(values, (value) => Math.floor(Math.log(value) / DISTRIBUTION.logOfBin))
  return [...bins].map(([bin, own]) => ({ bin, count: own.length, total: own.reduce((sum, each) => sum + each, 0) }))
}

describe('a bucket', () => {
  it('of nothing is 0 where things are counted, and nothing where they are measured', () => {
    expect(readBucket('count', [])).toBe(0)
    expect(readBucket('sum', [])).toBe(0)
    for (const reading of ['mean', 'p50', 'p95'] as const) expect(readBucket(reading, [])).toBeNull()
  })

  it('is counted, summed and averaged over its bins', () => {
    const bins = binsOf([10, 20, 3_000])
    expect(readBucket('count', bins)).toBe(3)
    expect(readBucket('sum', bins)).toBe(3_030)
    expect(readBucket('mean', bins)).toBe(1_010)
  })

  it('tells percentiles to within 5 %', () => {
    const value = fc.double({ min: 0.01, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 60 }),
        fc.constantFrom('p50', 'p95'),
        (values, reading) => {
          const sorted = values.toSorted((a, b) => a - b)
          const exact = sorted[Math.ceil(sorted.length * (reading === 'p50' ? 0.5 : 0.95)) - 1] as number
          expect((readBucket(reading, binsOf(values)) as number) / exact).toBeCloseTo(1, 0)
          expect(Math.abs((readBucket(reading, binsOf(values)) as number) / exact - 1)).toBeLessThan(0.051)
        },
      ),
    )
  })
})
