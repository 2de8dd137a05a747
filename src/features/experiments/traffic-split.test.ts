import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertTrafficSplit, assignVariant, type TrafficSplit } from './traffic-split.ts'

describe('assertTrafficSplit', () => {
  it.each<[string[], TrafficSplit]>([
    [['a', 'b'], { a: 0.5, b: 0.5 }],
    [['a', 'b', 'c'], { a: 0.1, b: 0.2, c: 0.7 }],
    [['a', 'b', 'c'], { a: 1 / 3, b: 1 / 3, c: 1 / 3 }],
    [['a', 'b', 'c'], { a: 0.333333, b: 0.333333, c: 0.333333 }],
    [['a', 'b'], { a: 0, b: 1 }],
    [['only'], { only: 1 }],
  ])('accepts %j %j', (variants, split) => {
    expect(() => assertTrafficSplit(variants, split)).not.toThrow()
  })

  it.each<[string, string[], TrafficSplit]>([
    ['variants: must name at least one', [], {}],
    ['variants: must be distinct', ['a', 'a'], { a: 1 }],
    ['variants: must not be empty strings', [''], { '': 1 }],
    ['gives no fraction for "b"', ['a', 'b'], { a: 1 }],
    ['gives no fraction for "toString"', ['a', 'toString'], { a: 1 }],
    ['names "c"', ['a', 'b'], { a: 0.5, b: 0.25, c: 0.25 }],
    ['"a" must be between 0 and 1', ['a', 'b'], { a: 1.5, b: -0.5 }],
    ['"b" must be between 0 and 1', ['a', 'b'], { a: 1, b: -0.5 }],
    ['"a" must be between 0 and 1', ['a', 'b'], { a: Number.NaN, b: 1 }],
    ['sums to 0.9', ['a', 'b'], { a: 0.5, b: 0.4 }],
    ['sums to 0.999', ['a', 'b', 'c'], { a: 0.333, b: 0.333, c: 0.333 }],
  ])('refuses: %s', (message, variants, split) => {
    const refused = expect.objectContaining({ kind: 'invalid', message: expect.stringContaining(message) })
    expect(() => assertTrafficSplit(variants, split)).toThrow(refused)
  })
})

describe('assignVariant', () => {
  const variants = ['control', 'treatment', 'other']

  it('is sticky', () => {
    const split = { control: 0.5, treatment: 0.3, other: 0.2 }
    fc.assert(
      fc.property(fc.string(), fc.string(), (experiment, unit) => {
        const variant = assignVariant(experiment, unit, variants, split)
        expect(variants).toContain(variant)
        expect(assignVariant(experiment, unit, variants, { ...split })).toBe(variant)
      }),
    )
  })

  it('keeps its assignments from one release to the next', () => {
    const split = { control: 0.5, treatment: 0.5 }
    const assigned = ['s-1', 's-2', 's-3', '会话'].map((unit) =>
      assignVariant('rerank', unit, ['control', 'treatment'], split),
    )
    expect(assigned).toEqual(['treatment', 'control', 'control', 'control'])
  })

  it('follows the split for any experiment: within five standard deviations over 4,000 units', () => {
    const weight = fc.integer({ min: 0, max: 100 })
    const weights = fc.tuple(weight, weight, weight).filter((given) => given.some((one) => one > 0))
    fc.assert(
      fc.property(fc.string(), weights, (experiment, given) => {
        const total = given.reduce((sum, one) => sum + one, 0)
        const split = Object.fromEntries(variants.map((variant, index) => [variant, (given[index] ?? 0) / total]))
        const counts = countAssignments(experiment, 4000, variants, split)
        for (const variant of variants) {
          const share = split[variant] ?? 0
          const deviation = Math.sqrt(4000 * share * (1 - share))
          expect(Math.abs((counts[variant] ?? 0) - 4000 * share)).toBeLessThanOrEqual(5 * deviation + 1e-9)
        }
      }),
      { numRuns: 40, seed: 7 },
    )
  })

  it('assigns independently in two experiments', () => {
    const split = { control: 0.5, treatment: 0.5 }
    const pair = ['control', 'treatment']
    const units = Array.from({ length: 4000 }, (_, index) => `session-${index}`)
    const agreeing = units.filter(
      (unit) => assignVariant('a', unit, pair, split) === assignVariant('b', unit, pair, split),
    )
    expect(Math.abs(agreeing.length - 2000)).toBeLessThan(5 * Math.sqrt(1000))
  })

  it('moves only the units of the fraction that moved', () => {
    const pair = ['control', 'treatment']
    const units = Array.from({ length: 2000 }, (_, index) => `session-${index}`)
    for (const unit of units) {
      const before = assignVariant('x', unit, pair, { control: 0.5, treatment: 0.5 })
      const after = assignVariant('x', unit, pair, { control: 0.6, treatment: 0.4 })
      if (before === 'control') expect(after).toBe('control')
    }
  })

  it('never picks a variant without a share, the last included', () => {
    const split = { control: 0.3333333, treatment: 0.6666666, other: 0 }
    expect(countAssignments('e', 2000, variants, split).other).toBeUndefined()
  })

  it('answers null when nothing has a share', () => {
    expect(assignVariant('e', 'u', [], {})).toBeNull()
  })
})

function countAssignments(experiment: string, units: number, variants: string[], split: TrafficSplit) {
  const counts: Record<string, number> = {}
  for (let index = 0; index < units; index++) {
    const variant = assignVariant(experiment, `unit-${index}`, variants, split) ?? 'none'
    counts[variant] = (counts[variant] ?? 0) + 1
  }
  return counts
}
