import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIMENSIONS } from '../../../ai/embedder/vectors/format.ts'
import { cohesionOf } from './cohesion.ts'
import type { Matter } from './likeness.ts'
import { splitLoose } from './splitting.ts'
import { weigh } from './vectors.ts'

const OPTIONS = { minCohesion: 0.2, minTickets: 3 }
const once = (texts: readonly Uint32Array[]) => texts.map(() => 1)

/** By words alone. */
function matterOf(texts: readonly Uint32Array[]): Matter {
  const meanings = { rows: new Float32Array(texts.length * DIMENSIONS), languages: new Uint8Array(texts.length) }
  return { words: weigh(texts, 50), meanings, share: 0 }
}

function split(rows: readonly number[][], numbers: readonly number[], options = OPTIONS) {
  const texts = rows.map((row) => Uint32Array.from(row))
  return [...splitLoose(matterOf(texts), once(texts), Uint32Array.from(numbers), options)]
}

const LAMP = [1, 2, 3]
const KETTLE = [11, 12, 13]

describe('splitting loose groups', () => {
  it('parts two problems that came together', () => {
    const numbers = split([LAMP, KETTLE, [1, 2], [11, 12], [2, 3], [12, 13]], [0, 0, 0, 0, 0, 0], {
      ...OPTIONS,
      minCohesion: 0.3,
    })
    expect(numbers[0]).toBe(numbers[2])
    expect(numbers[2]).toBe(numbers[4])
    expect(numbers[1]).toBe(numbers[3])
    expect(numbers[3]).toBe(numbers[5])
    expect(numbers[0]).not.toBe(numbers[1])
  })

  it('leaves groups of one mind, small ones, and those that nothing tells apart', () => {
    expect(split([LAMP, LAMP, LAMP], [0, 0, 0])).toEqual([0, 0, 0])
    expect(split([LAMP, KETTLE], [0, 0])).toEqual([0, 0])
    expect(split([[], [], []], [0, 0, 0])).toEqual([0, 0, 0])
  })

  it('never joins groups, numbers them without gaps, and leaves none that is loose and can be parted', () => {
    const row = fc.uniqueArray(fc.nat(29), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(fc.tuple(row, fc.nat(3)), { minLength: 1, maxLength: 40 }), (given) => {
        const rows = given.map(([terms]) => terms.toSorted((a, b) => a - b))
        const names = [...new Set(given.map(([, group]) => group))].sort()
        const before = given.map(([, group]) => names.indexOf(group))
        const after = split(rows, before)
        expect([...new Set(after)].toSorted((a, b) => a - b)).toEqual(
          [...new Set(after)].map((_, at) => at).toSorted((a, b) => a - b),
        )
        const origins = Map.groupBy(after.keys(), (text) => after[text])
        for (const texts of origins.values()) expect(new Set(texts.map((text) => before[text])).size).toBe(1)
        const matter = matterOf(rows.map((terms) => Uint32Array.from(terms)))
        const vectors = matter.words
        for (const texts of origins.values()) {
          const isLoose =
            texts.length >= 3 &&
            cohesionOf(
              matter,
              texts,
              rows.map(() => 1),
            ) < 0.2
          const isAlike =
            new Set(
              texts.map((text) =>
                String([...vectors.columns.subarray(vectors.offsets[text], vectors.offsets[text + 1])]),
              ),
            ).size === 1
          if (isLoose) expect(isAlike).toBe(true)
        }
      }),
    )
  })
})
