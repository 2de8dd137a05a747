import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIMENSIONS } from '../../../ai/embedder/vectors/format.ts'
import { toUnit } from '../../../ai/embedder/vectors/store.ts'
import { centre, type Meanings, meaningsOf, nearness, product, UNKNOWN } from './meanings.ts'
import { nearestMeanings } from './nearest-meanings.ts'

const SEARCH = { k: 5, trees: 6, leaf: 12 }

/** Each text near one of a few directions, as far as `spread` says. */
function meaningsAround(
  places: readonly [direction: number, spread: number][],
  languages: readonly number[],
): Meanings {
  const rows = new Float32Array(places.length * DIMENSIONS)
  for (const [text, [direction, spread]] of places.entries()) {
    const row = rows.subarray(text * DIMENSIONS, (text + 1) * DIMENSIONS)
    row[direction] = 1
    row[(direction * 7 + text) % DIMENSIONS]! += spread
    toUnit(row)
  }
  return { rows, languages: Uint8Array.from(languages) }
}

const given = fc
  .array(fc.tuple(fc.nat(6), fc.double({ min: 0.01, max: 0.5, noNaN: true }), fc.constantFrom(UNKNOWN, 1, 2)), {
    minLength: 1,
    maxLength: 80,
  })
  .map((list) =>
    meaningsAround(
      list.map(([direction, spread]) => [direction, spread]),
      list.map(([, , language]) => language),
    ),
  )

describe('the nearest in meaning', () => {
  it('are of the same language, none twice, nearest first, and as near as is said', () => {
    fc.assert(
      fc.property(given, (meanings) => {
        const { k, counts, texts, similarities } = nearestMeanings(meanings, SEARCH)
        for (const [text, language] of meanings.languages.entries()) {
          const own = [...texts.subarray(text * k, text * k + counts[text]!)]
          const said = [...similarities.subarray(text * k, text * k + counts[text]!)]
          expect(new Set([...own, text]).size).toBe(own.length + 1)
          expect(said).toEqual(said.toSorted((a, b) => b - a))
          for (const [rank, other] of own.entries()) {
            expect(meanings.languages[other]).toBe(language)
            expect(said[rank]).toBeCloseTo(product(meanings.rows, text, meanings.rows, other), 5)
          }
          if (language === UNKNOWN) expect(own).toEqual([])
        }
      }),
    )
  })

  it('are found among many as by comparing all with all, nearly always', () => {
    const places = Array.from({ length: 300 }, (_, n): [number, number] => [n % 20, 0.05 + (n % 13) / 40])
    const meanings = meaningsAround(
      places,
      places.map(() => 1),
    )
    const alike = (text: number, other: number): number => product(meanings.rows, text, meanings.rows, other)
    const { k, counts, texts } = nearestMeanings(meanings, { k: 5, trees: 6, leaf: 40 })
    const hits = [...places.keys()].map((text) => {
      const all = [...places.keys()].flatMap((other) => (other === text ? [] : alike(text, other)))
      const fifth = all.toSorted((a, b) => b - a)[4]!
      const own = [...texts.subarray(text * k, text * k + counts[text]!)]
      return own.filter((other) => alike(text, other) >= fifth - 1e-6).length
    })
    expect(hits.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(places.length * 5 * 0.9)
  })
})

describe('meanings', () => {
  it('lose what all of a language have in common, and nothing is alike in two languages', () => {
    const places: [number, number][] = Array.from({ length: 200 }, (_, n) => [n % 2, 0.3])
    const meanings = meaningsAround(
      places,
      places.map((_, n) => (n < 100 ? 1 : 2)),
    )
    const before = nearness(meanings, 0, meanings, 1)!
    centre(meanings)
    expect(nearness(meanings, 0, meanings, 1)!).toBeLessThan(before)
    expect(nearness(meanings, 0, meanings, 2)!).toBeGreaterThan(0.5)
    expect(nearness(meanings, 0, meanings, 100)).toBe(0)
  })

  it('of a group are those of most of its texts; unknown ones say nothing', () => {
    const meanings = meaningsAround(
      [
        [0, 0.1],
        [0, 0.1],
        [3, 0.1],
        [5, 0.1],
      ],
      [1, 1, 2, UNKNOWN],
    )
    const groups = meaningsOf(meanings, [[0, 1, 2], [3]])
    expect([...groups.languages]).toEqual([1, UNKNOWN])
    expect(nearness(groups, 0, meanings, 0)!).toBeGreaterThan(0.9)
    expect(nearness(groups, 1, meanings, 0)).toBeUndefined()
  })
})
