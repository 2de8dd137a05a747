import { describe, expect, it } from 'vitest'
import { bootstrapInterval, createRandom, verdictOf } from './bootstrap.ts'

describe('the bootstrap interval', () => {
  it('holds the mean, and the same one each time', () => {
    const differences = [0.2, 0, 0.5, -0.1, 0.3, 0, 0.1, 0.4]
    const { low, high } = bootstrapInterval(differences)
    expect(low).toBeLessThan(0.175)
    expect(high).toBeGreaterThan(0.175)
    expect(bootstrapInterval(differences)).toEqual({ low, high })
  })

  it('is a point when every case moved alike, and nothing without cases', () => {
    expect(bootstrapInterval([0.25, 0.25, 0.25])).toEqual({ low: 0.25, high: 0.25 })
    expect(bootstrapInterval([])).toEqual({ low: 0, high: 0 })
  })

  it('tells a clear gain from two lucky cases', () => {
    expect(verdictOf(bootstrapInterval([...Array(20).fill(1), ...Array(5).fill(0)]))).toBe('better')
    expect(verdictOf(bootstrapInterval([...Array(20).fill(-1), ...Array(5).fill(0)]))).toBe('worse')
    expect(verdictOf(bootstrapInterval([1, 1, ...Array(10).fill(0)]))).toBe('not_significant')
    expect(verdictOf(bootstrapInterval(Array(10).fill(0)))).toBe('not_significant')
  })

  it('covers the truth about as often as it says', () => {
    const random = createRandom(7)
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const rounds = 200
    let covered = 0
    for (let i = 0; i < rounds; i++) {
      const { low, high } = bootstrapInterval(Array.from({ length: 40 }, () => 0.3 + normal()))
      if (low <= 0.3 && 0.3 <= high) covered++
    }
    expect(covered / rounds).toBeGreaterThan(0.88)
    expect(covered / rounds).toBeLessThan(0.99)
  })
})

describe('random numbers', () => {
  it('are spread over [0, 1) and repeat with their seed', () => {
    const [a, b, c] = [createRandom(1), createRandom(1), createRandom(2)]
    const numbers = Array.from({ length: 10_000 }, () => a())
    expect(numbers.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => b()))
    expect(numbers.slice(0, 5)).not.toEqual(Array.from({ length: 5 }, () => c()))
    const counts = Array.from({ length: 10 }, (_, tenth) => numbers.filter((x) => Math.floor(x * 10) === tenth).length)
    expect(Math.min(...counts)).toBeGreaterThan(850)
    expect(Math.max(...counts)).toBeLessThan(1_150)
  })
})
