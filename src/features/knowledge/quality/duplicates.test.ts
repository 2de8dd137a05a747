import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDuplicateFinder } from './duplicates.ts'

/** A word is a number here. */
function findAmong(texts: number[][]): string[] {
  const finder = createDuplicateFinder()
  for (const text of texts) finder.add(Uint32Array.from(text))
  return finder.find().map(({ chunk, duplicateOf, similarity }) => `${chunk}=${duplicateOf} ${similarity.toFixed(2)}`)
}

const sequence = (from: number, length: number): number[] => Array.from({ length }, (_, i) => from + i)

describe('near duplicates', () => {
  it('are copies and passages with a word changed, and lead to the first one', () => {
    const original = sequence(1, 40)
    const changed = original.with(20, 999)
    const longer = [...original, 1_000, 1_001]
    expect(findAmong([original, sequence(500, 40), changed, original, longer])).toEqual([
      '2=0 0.90',
      '3=0 1.00',
      '4=0 0.95',
    ])
  })

  it('are not passages with half of their words in common, nor the same words in another order', () => {
    const original = sequence(1, 40)
    expect(findAmong([original, [...sequence(1, 20), ...sequence(900, 20)], original.toReversed()])).toEqual([])
  })

  it('are not empty passages', () => {
    expect(findAmong([[], [], [1], [1]])).toEqual(['3=2 1.00'])
  })

  it('are found among thousands of equal ones', () => {
    const same = Array.from({ length: 5_000 }, () => sequence(1, 20))
    expect(findAmong([...same, sequence(100, 20)])).toHaveLength(4_999)
  })

  it('are at least as similar as said, whatever the passages', () => {
    const text = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 30 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const finder = createDuplicateFinder()
        for (const each of texts) finder.add(Uint32Array.from(each))
        for (const { chunk, duplicateOf, similarity } of finder.find()) {
          expect(duplicateOf).toBeLessThan(chunk)
          expect(similarity).toBeGreaterThanOrEqual(0.8)
          expect(similarity).toBeCloseTo(exactSimilarity(texts[chunk]!, texts[duplicateOf]!), 9)
        }
      }),
    )
  })
})

function exactSimilarity(a: number[], b: number[]): number {
  const [left, right] = [pairs(a), pairs(b)]
  return left.intersection(right).size / left.union(right).size
}

function pairs(words: number[]): Set<string> {
  if (words.length < 2) return new Set(words.map(String))
  return new Set(words.slice(1).map((word, i) => `${words[i]} ${word}`))
}
