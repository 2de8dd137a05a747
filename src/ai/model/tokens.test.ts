import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens, truncateToTokens } from './tokens.ts'

const text = fc.string({ unit: fc.constantFrom('a', ' ', '退', '货', '😀', 'é', '\n', '，'), maxLength: 200 })

describe('token estimates', () => {
  it.each([
    ['', 0],
    ['abcd', 1],
    ['How long do returns take?', 7],
    ['退货需要多久', 6],
  ])('%j is %i', (one, tokens) => {
    expect(estimateTokens(one)).toBe(tokens)
  })
})

describe('truncateToTokens', () => {
  it('gives the longest whole beginning within the limit', () => {
    fc.assert(
      fc.property(text, fc.nat(80), (one, limit) => {
        const cut = truncateToTokens(one, limit)
        expect(one.startsWith(cut)).toBe(true)
        expect(cut.isWellFormed()).toBe(true)
        expect(estimateTokens(cut)).toBeLessThanOrEqual(limit)
        const [next] = one.slice(cut.length)[Symbol.iterator]()
        if (next !== undefined) expect(estimateTokens(cut + next)).toBeGreaterThan(limit)
      }),
    )
  })
})
