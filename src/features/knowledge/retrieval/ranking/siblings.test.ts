import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSupport, type Judged } from './siblings.ts'

const chunk = (docId: string, passages: number, logOdds: number): Judged => ({ docId, passages, logOdds })

function supportOf(one: Judged, others: readonly Judged[]): number {
  return createSupport([one, ...others], 0.5)(one)
}

describe('createSupport', () => {
  it('grows with what the same document has besides', () => {
    const best = chunk('guide', 8, 0)
    const strong = [chunk('guide', 8, -0.1), chunk('guide', 8, -0.2), chunk('guide', 8, -0.3)]
    const weak = strong.map((one) => ({ ...one, logOdds: one.logOdds - 4 }))
    expect(supportOf(best, strong)).toBeGreaterThan(supportOf(best, weak))
    expect(supportOf(best, weak)).toBeGreaterThan(supportOf(best, []))
  })

  it('takes none from other documents', () => {
    const one = chunk('hub', 5, 0)
    expect(supportOf(one, [chunk('guide', 5, 0), chunk('guide', 5, 0)])).toBe(0)
  })

  it('neither favours nor punishes a document of one chunk', () => {
    const rivals = [chunk('guide', 6, 0), chunk('guide', 6, -1), chunk('guide', 6, -2)]
    const [first] = rivals as [Judged]
    const alone = chunk('card', 1, 0)
    const support = createSupport([...rivals, alone], 0.5)
    expect(support(alone)).toBeGreaterThan(0)
    expect(support(alone)).toBeLessThan(1)
    expect(Math.abs(support(alone) - support(first))).toBeLessThan(0.4)
  })

  it('does not grow with the length of a document', () => {
    const filled = (passages: number) =>
      supportOf(
        chunk('guide', passages, 0),
        Array.from({ length: passages - 1 }, () => chunk('guide', passages, -1)),
      )
    expect(filled(40)).toBeCloseTo(filled(4))
  })

  it('stays between 0 and 1, also for passages that were not among those found', () => {
    const judged = fc.record({
      docId: fc.constantFrom('a', 'b', 'c'),
      passages: fc.integer({ min: 0, max: 5 }),
      logOdds: fc.double({ min: -30, max: 30, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(judged), judged, (found, other) => {
        const support = createSupport(found, 0.5)
        for (const one of [...found, other]) {
          expect(support(one)).toBeGreaterThanOrEqual(0)
          expect(support(one)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})
