import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { incompleteBeta, logGamma, studentCritical, studentTwoSided } from './student-t.ts'

describe('logGamma', () => {
  it.each([
    [1, 0],
    [2, 0],
    [5, Math.log(24)],
    [0.5, Math.log(Math.PI) / 2],
    [11, Math.log(3_628_800)],
  ])('of %d', (x, expected) => {
    expect(logGamma(x)).toBeCloseTo(expected, 13)
  })

  it('grows by log x from x to x + 1, across the point where the series takes over', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 200, noNaN: true }), (x) => {
        expect(logGamma(x + 1) - logGamma(x)).toBeCloseTo(Math.log(x), 10)
      }),
    )
  })
})

describe('incompleteBeta', () => {
  it('equals the binomial tail that it sums up', () => {
    // I_x(k, n - k + 1) = P(at least k of n succeed); here at least 3 of 5 at 0.4 (DLMF 8.17.5).
    const tail = 10 * 0.4 ** 3 * 0.6 ** 2 + 5 * 0.4 ** 4 * 0.6 + 0.4 ** 5
    expect(incompleteBeta(0.4, 3, 3)).toBeCloseTo(tail, 14)
  })

  it('has the closed forms of its simplest cases', () => {
    expect(incompleteBeta(0.3, 1, 1)).toBeCloseTo(0.3, 15)
    expect(incompleteBeta(0.3, 2, 1)).toBeCloseTo(0.09, 15)
    expect(incompleteBeta(0.3, 0.5, 0.5)).toBeCloseTo((2 / Math.PI) * Math.asin(Math.sqrt(0.3)), 14)
    expect(incompleteBeta(0, 2, 3)).toBe(0)
    expect(incompleteBeta(1, 2, 3)).toBe(1)
  })

  it('stays in 0..1 and rises with x', () => {
    const parameter = fc.double({ min: 0.1, max: 500, noNaN: true })
    const point = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(parameter, parameter, point, point, (a, b, x, y) => {
        const [low, high] = [incompleteBeta(Math.min(x, y), a, b), incompleteBeta(Math.max(x, y), a, b)]
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1 + 1e-12)
        expect(high).toBeGreaterThanOrEqual(low - 1e-12)
      }),
    )
  })
})

describe('studentCritical', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, upper critical values (two-sided alpha, degrees of freedom).
  it.each([
    [0.05, 1, 12.706],
    [0.05, 2, 4.303],
    [0.05, 5, 2.571],
    [0.05, 10, 2.228],
    [0.05, 30, 2.042],
    [0.05, 100, 1.984],
    [0.01, 1, 63.657],
    [0.01, 10, 3.169],
    [0.1, 20, 1.725],
    [0.002, 3, 10.215],
  ])('for alpha %d and %d degrees of freedom', (alpha, degreesOfFreedom, published) => {
    expect(studentCritical(alpha, degreesOfFreedom)).toBeCloseTo(published, 2)
    expect(Math.abs(studentCritical(alpha, degreesOfFreedom) - published)).toBeLessThan(0.0006)
  })

  it('is the normal quantile for many degrees of freedom', () => {
    expect(studentCritical(0.05, 1e7)).toBeCloseTo(1.959964, 5)
  })

  it('is the inverse of the probability', () => {
    const alpha = fc.double({ min: 0.0001, max: 0.99, noNaN: true })
    const degreesOfFreedom = fc.double({ min: 1, max: 1e5, noNaN: true })
    fc.assert(
      fc.property(alpha, degreesOfFreedom, (a, df) => {
        expect(studentTwoSided(studentCritical(a, df), df)).toBeCloseTo(a, 9)
      }),
    )
  })
})

describe('studentTwoSided', () => {
  it('is 1 at zero, 0 at infinity and symmetric', () => {
    expect(studentTwoSided(0, 7)).toBe(1)
    expect(studentTwoSided(Infinity, 7)).toBe(0)
    expect(studentTwoSided(-2.5, 7)).toBe(studentTwoSided(2.5, 7))
  })

  it('has the closed form of Cauchy for one degree of freedom', () => {
    expect(studentTwoSided(3, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(3), 14)
  })
})
