import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bm25, inverseFrequency } from './bm25.ts'
import { quoted } from './queries.ts'
import { termQuery } from './term-query.ts'
import { createTermSample } from './term-sample.ts'

const VOCABULARY = Array.from({ length: 30 }, (_, i) => `term${i}`)

/** Passages in which the first terms are common and the last ones rare. */
const passages = fc.array(
  fc
    .array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 1, maxLength: 12 })
    .map((draws) => draws.map((draw) => VOCABULARY[Math.floor(draw ** 3 * VOCABULARY.length)]!).join(' ')),
  { minLength: 1, maxLength: 300 },
)
const terms = fc.uniqueArray(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 20 })

function sampleOf(texts: readonly string[]) {
  const sample = createTermSample()
  for (const text of texts) sample.add(text)
  sample.finish()
  return sample
}

/** Judges a `tsquery` of quoted terms, `&`, `|` and parentheses, as Postgres does. */
function matches(query: string, text: string): boolean {
  const held = new Set(text.split(' '))
  let at = 0
  const peek = (): string => query.slice(at).trimStart()[0] ?? ''
  const take = (): void => {
    at = query.indexOf(peek(), at) + 1
  }
  const either = (): boolean => {
    let found = both()
    while (peek() === '|') {
      take()
      found = both() || found
    }
    return found
  }
  const both = (): boolean => {
    let found = one()
    while (peek() === '&') {
      take()
      found = one() && found
    }
    return found
  }
  const one = (): boolean => {
    const isOpened = peek() === '('
    take()
    if (isOpened) {
      const found = either()
      take()
      return found
    }
    const end = query.indexOf("'", at)
    const term = query.slice(at, end)
    at = end + 1
    return held.has(term)
  }
  return either()
}

const mostTelling = (text: string, weights: ReadonlyMap<string, number>): number =>
  [...new Set(text.split(' '))]
    .map((term) => weights.get(term) ?? 0)
    .sort((a, b) => b - a)
    .slice(0, 3)
    .reduce((sum, weight) => sum + weight, 0)

describe('a query of terms', () => {
  it('asks for the passages whose three most telling terms weigh most, and for no others', () => {
    fc.assert(
      fc.property(passages, terms, fc.integer({ min: 5, max: 100 }), (texts, asked, wanted) => {
        const { texts: queries, weights } = termQuery(asked, sampleOf(texts), texts.length, wanted)
        const text = queries.join(' | ')
        const found = texts.filter((each) => matches(text, each)).map((each) => mostTelling(each, weights))
        const others = texts.filter((each) => !matches(text, each)).map((each) => mostTelling(each, weights))
        expect(Math.min(...found, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(Math.max(...others, 0) - 1e-5)
      }),
    )
  })

  it('asks for any of the terms where the base is small, or few hold any', () => {
    const texts = [...Array.from({ length: 90 }, () => 'other'), 'rare a', 'rare b']
    const query = termQuery(['rare', 'b'], sampleOf(texts), texts.length, 10)
    expect(query.isWhole).toBe(true)
    expect(query.texts).toEqual(["'b' | 'rare'"])
  })

  it('does not ask for a common term alone where enough hold more than that', () => {
    const texts = Array.from({ length: 1_000 }, (_, i) => (i % 20 === 0 ? 'common rare' : 'common'))
    expect(termQuery(['common', 'rare'], sampleOf(texts), 1_000, 200).texts).toEqual(["'rare' & 'common'"])
  })

  it('stays short, however many terms there are', () => {
    const many = Array.from({ length: 40 }, (_, i) => `word${i}`)
    const texts = Array.from(
      { length: 2_000 },
      (_, i) => many.filter((_, at) => (i * 7 + at * 13) % 11 < 3).join(' ') || 'none',
    )
    expect(termQuery(many, sampleOf(texts), 50_000, 400).texts.join().split("'").length).toBeLessThan(2 * 130)
  })

  it('takes any term as a word', () => {
    expect(quoted("o'brien")).toBe("'o''brien'")
    expect(quoted('back\\slash')).toBe("'back\\\\slash'")
  })
})

describe('a sample of terms', () => {
  it('knows who holds a term, in pieces as large as they come', () => {
    const texts = Array.from({ length: 2_500 }, (_, i) => (i % 3 === 0 ? `third number${i}` : `number${i} number${i}`))
    const sample = sampleOf(texts)
    expect(sample.size).toBe(2_500)
    expect(sample.averageLength).toBe(2)
    expect(sample.holders('third')).toEqual(texts.flatMap((text, i) => (text.startsWith('third') ? [i] : [])))
    expect(sample.holders('number2499')).toEqual([2_499])
    expect(sample.holders('nothing')).toEqual([])
  })

  it('is empty at first', () => {
    expect(createTermSample().holders('a')).toEqual([])
    expect(createTermSample().averageLength).toBe(1)
  })
})

describe('BM25', () => {
  const weights = new Map([
    ['apple', inverseFrequency(10, 1_000)],
    ['pie', inverseFrequency(500, 1_000)],
  ])

  it('grows with rare terms and repetitions, and falls with length', () => {
    const score = (text: string): number => bm25(text, weights, 4)
    expect(score('apple tart')).toBeGreaterThan(score('pie crust'))
    expect(score('apple apple tart')).toBeGreaterThan(score('apple tart crust'))
    expect(score('apple tart')).toBeGreaterThan(score('apple tart of the old kind'))
    expect(score('apple pie')).toBeGreaterThan(score('apple tart'))
  })

  it('counts whole terms alone', () => {
    expect(bm25('pineapple apples applepie', weights, 3)).toBe(0)
    expect(bm25('apple', weights, 1)).toBeCloseTo(weights.get('apple')!, 10)
  })
})
