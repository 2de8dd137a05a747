import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agreement, bestMapping } from '../../bench/mining/agreement.ts'

/** What the figures of mining rest on. */

function tryAll(weights: readonly (readonly number[])[], used: readonly number[] = []): number {
  const [row, ...rest] = weights
  if (!row) return 0
  const options = row.map((weight, at) => (used.includes(at) ? 0 : weight + tryAll(rest, [...used, at])))
  // A row may also go without a column.
  return Math.max(tryAll(rest, used), ...options)
}

it('maps groups one to one as well as trying every way does', () => {
  const matrix = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) => {
    const row = fc.array(fc.nat(20), { minLength: columns, maxLength: columns })
    return fc.array(row, { minLength: rows, maxLength: rows })
  })
  fc.assert(
    fc.property(matrix, (weights) => {
      expect(bestMapping(weights)).toBe(tryAll(weights))
    }),
  )
})

it('is 1 for the same groups under other numbers, and counts what is elsewhere', () => {
  const truth = ['a', 'a', 'a', 'b', 'b', 'c']
  expect(agreement([2, 2, 2, 0, 0, 1], truth)).toEqual({ clusters: 3, accuracy: 1, nmi: expect.closeTo(1, 9) })
  expect(agreement([0, 0, 1, 2, 2, 3], truth)).toMatchObject({ clusters: 4, accuracy: 5 / 6 })
  expect(agreement([0, 0, 0, 0, 0, 0], truth)).toMatchObject({ clusters: 1, accuracy: 0.5, nmi: 0 })
})
