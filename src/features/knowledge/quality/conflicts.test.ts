import { describe, expect, it } from 'vitest'
import { asSource, type Case, PAIRS } from '../../../../test/support/passages-of-two.ts'
import { createAnalyser } from '../../../language/words/analyser.ts'
import { type Conflict, createConflictFinder } from './conflicts.ts'

const analyser = createAnalyser()
const words = (text: string): string[] => analyser.words(text)

function findAmong(...documents: Case[][]): Conflict[] {
  const finder = createConflictFinder(words)
  documents.forEach((passages, number) => {
    for (const passage of passages) finder.add(asSource(`document-${number}`, passage))
  })
  return finder.find()
}

describe('two documents contradict each other', () => {
  it.each(PAIRS.contradictions)('about a %s: %j %j', (kind, a, b) => {
    const conflicts = findAmong([a], [b])
    expect(conflicts.map((conflict) => conflict.kind)).toContain(kind)
    for (const each of [...conflicts, ...findAmong([b], [a])]) expect([each.a, each.b]).toEqual([0, 1])
  })

  it.each(PAIRS.moreContradictions)('%j %j', (a, b) => {
    expect(findAmong([a], [b])).not.toEqual([])
  })
})

describe('two documents agree', () => {
  it.each(PAIRS.agreements)('%s: %j %j', (_, a, b) => {
    expect(findAmong([a], [b])).toEqual([])
  })

  it.each(PAIRS.moreAgreements)('%j %j', (a, b) => {
    expect(findAmong([a], [b])).toEqual([])
  })

  it('when they list the same cases', () => {
    const cases = [
      { title: 'Returns', content: 'Clothes may be returned within 30 days.' },
      { title: 'Returns', content: 'Electronics may be returned within 14 days.' },
    ]
    expect(findAmong(cases, cases.toReversed())).toEqual([])
  })

  it('when one of them gives several values under headings of their own', () => {
    const guarantee = (heading: string, months: number): Case => ({
      title: 'Products',
      heading,
      content: `The guarantee is ${months} months from the day of delivery.`,
    })
    expect(findAmong([guarantee('Lamp', 24), guarantee('Kettle', 12)], [guarantee('Fan', 36)])).toEqual([])
  })

  it('with themselves', () => {
    const [, a, b] = PAIRS.contradictions[0]!
    expect(findAmong([a, b])).toEqual([])
  })
})

describe('many documents', () => {
  const fee = (shop: number, euros: number): Case => ({
    title: `Shop ${shop}`,
    heading: 'Fees',
    content: `Gift wrapping costs ${euros} euros in every shop.`,
  })

  it('name the one that differs a few times, not once for each of the others', () => {
    const documents = Array.from({ length: 3_000 }, (_, shop) => [fee(shop, shop === 1_234 ? 9 : 4)])
    const conflicts = findAmong(...documents)
    expect(conflicts.length).toBeGreaterThan(0)
    expect(conflicts.length).toBeLessThanOrEqual(3)
    for (const { a, b } of conflicts) expect([a, b]).toContain(1_234)
  })

  it('state nothing in a series of numbers', () => {
    const series = (last: number): Case => ({
      title: 'Sizes',
      content: `Sizes in stock are 1 kg 2 kg 3 kg 4 kg 5 kg 6 kg ${last} kg.`,
    })
    expect(findAmong([series(7)], [series(8)])).toEqual([])
  })

  it('are compared row by row when they are two price lists', () => {
    const words = 'alder birch cedar dune elm fern grove heath ivory jasper'.split(' ')
    const list = (raise: number) =>
      Array.from({ length: 1_000 }, (_, i) => ({
        title: 'Prices',
        heading: 'Price list',
        content: `The ${words[i % 10]} ${words[Math.floor(i / 10) % 10]}x ${words[Math.floor(i / 100)]}y chair costs $${20 + (i % 97) + raise}.`,
      }))
    const conflicts = findAmong(list(0), list(1))
    expect(conflicts).toHaveLength(1_000)
    for (const { a, b } of conflicts) expect(b).toBe(a + 1_000)
  })

  it('are compared by what they are about in a catalogue of look-alikes', () => {
    const makers = 'Aster Borea Cirrus Delta Ember Fjord Garnet Helio Iris Juno'.split(' ')
    const lines = 'Classic Prime Nova Edge Terra Aqua Solar Lunar Urban Alpine'.split(' ')
    const goods = 'lamp kettle purifier vacuum headphones lock projector chair humidifier cooker'.split(' ')
    const article = (i: number, months: number): Case => {
      const name = `${makers[i % 10]} ${lines[Math.floor(i / 10) % 10]} ${goods[Math.floor(i / 100)]}`
      const content = `The ${name} has a guarantee of ${months} months.`
      return { title: name, heading: `Guarantee of the ${name}`, content }
    }
    const manual = Array.from({ length: 1_000 }, (_, i) => [article(i, 6 + (i % 7))])
    const rules = Array.from({ length: 1_000 }, (_, i) => [article(i, i % 250 === 3 ? 60 : 6 + (i % 7))])
    const pairs = findAmong(...manual, ...rules).map(({ a, b }) => `${a} ${b}`)
    expect(pairs.sort()).toEqual(['253 1253', '3 1003', '503 1503', '753 1753'])
  })
})
