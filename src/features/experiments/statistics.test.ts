import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ci95, momentsOf, type Sample, sampleOf, welchTest } from './statistics.ts'

function sample(...values: number[]): Sample {
  return sampleOf(momentsOf(values))
}

describe('a sample', () => {
  it('gives count, mean and the deviation of the sample', () => {
    expect(sample(2, 4, 4, 4, 5, 5, 7, 9)).toEqual({ count: 8, mean: 5, stddev: Math.sqrt(32 / 7) })
  })

  it('has no deviation for one value and nothing for none', () => {
    expect(sample(3)).toEqual({ count: 1, mean: 3, stddev: null })
    expect(sample().count).toBe(0)
  })

  it('keeps its digits when the mean is huge beside the spread', () => {
    expect(sample(1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16).stddev).toBeCloseTo(Math.sqrt(30), 10)
  })

  it('finds no variation where there is none', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e100, max: 1e100 }), (value) => {
        expect(sample(value, value, value).stddev).toBe(0)
      }),
    )
  })
})

describe('ci95', () => {
  it('gives the textbook interval: mean ± t · s / √n', () => {
    // n = 10, df = 9: t = 2.262 (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
    const [low, high] = ci95({ count: 10, mean: 50, stddev: 4 }) ?? []
    expect(low).toBeCloseTo(50 - (2.262 * 4) / Math.sqrt(10), 2)
    expect(high).toBeCloseTo(50 + (2.262 * 4) / Math.sqrt(10), 2)
  })

  it('needs two values', () => {
    expect(ci95(sample(1))).toBeNull()
    expect(ci95(sample(1, 1))).toEqual([1, 1])
  })

  it('holds the true mean in about 95 of 100 samples', () => {
    let seed = 42
    // Park and Miller's generator: a fixed sequence, so that the count below is always the same.
    const uniform = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const draw = () => sample(...Array.from({ length: 8 }, () => uniform() + uniform() + uniform() + uniform()))
    const hits = Array.from({ length: 2000 }, draw).filter((drawn) => {
      const [low, high] = ci95(drawn) ?? [0, 0]
      return low <= 2 && 2 <= high
    })
    expect(hits.length / 2000).toBeGreaterThan(0.935)
    expect(hits.length / 2000).toBeLessThan(0.965)
  })
})

describe('welchTest', () => {
  // The three examples of https://en.wikipedia.org/wiki/Welch's_t-test and R's documented `t.test(extra ~ group, data = sleep)`.
  const published: [string, number[], number[], { t: number; df: number; p: number; digits: number }][] = [
    [
      'equal variances, equal sizes',
      [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4],
      [27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4],
      { t: -2.46, df: 25, p: 0.021, digits: 2 },
    ],
    [
      'unequal variances, the smaller sample varies more',
      [17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8],
      [
        21.5, 22.8, 21, 23, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8, 20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5,
        21.8,
      ],
      { t: -1.57, df: 9.9, p: 0.149, digits: 2 },
    ],
    [
      'unequal variances, the larger sample varies more',
      [19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22],
      [
        28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7, 23.2, 17.5, 20.6, 18, 23.9, 21.6, 24.3, 20.4, 24,
        13.2,
      ],
      { t: -2.22, df: 24.5, p: 0.036, digits: 2 },
    ],
    [
      'sleep',
      [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
      [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
      { t: -1.8608, df: 17.776, p: 0.07939, digits: 4 },
    ],
  ]

  it.each(published)('gives the published result: %s', (_, a, b, { t, df, p, digits }) => {
    const result = welchTest(sample(...a), sample(...b))
    expect(result?.t).toBeCloseTo(t, digits)
    expect(result?.degreesOfFreedom).toBeCloseTo(df, digits - 1)
    expect(result?.pValue).toBeCloseTo(p, digits + 1)
  })

  it('does not care which side is which', () => {
    const [a, b] = [sample(1, 2, 3, 9), sample(4, 5, 7)]
    const [ab, ba] = [welchTest(a, b), welchTest(b, a)]
    expect(ba?.t).toBe(-(ab?.t ?? 0))
    expect(ba?.pValue).toBeCloseTo(ab?.pValue ?? 0, 14)
  })

  it('is certain of nothing when the samples are equal', () => {
    expect(welchTest(sample(1, 2, 3), sample(1, 2, 3))?.pValue).toBe(1)
  })

  it('says that it cannot tell with one value on a side or no variation at all', () => {
    expect(welchTest(sample(1), sample(1, 2))).toBeNull()
    expect(welchTest(sample(1, 2), sample(1))).toBeNull()
    expect(welchTest(sample(1, 1), sample(2, 2))).toBeNull()
  })

  it('can tell when only one side varies', () => {
    expect(welchTest(sample(1, 1, 1), sample(5, 6, 7))).toMatchObject({ degreesOfFreedom: 2 })
  })
})
