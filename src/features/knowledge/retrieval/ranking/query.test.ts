import { describe, expect, it } from 'vitest'
import { createAnalyser } from '../../../../language/words/analyser.ts'
import { decodeFeatures, encodeFeatures } from './chunk-features.ts'
import { prepareQuery } from './query.ts'
import { signalsOf } from './signals.ts'
import { createTermStatistics } from './term-statistics.ts'

const analyser = createAnalyser()
const statistics = createTermStatistics()
for (const content of ['Parcels from abroad: customs duty is paid by the recipient.', '包裹由收件人缴纳关税。']) {
  statistics.add(encodeFeatures({ title: '', headingPath: [], question: null, content }, analyser))
}
const prepare = (text: string) => prepareQuery(text, analyser, statistics)

/** Share of the query's weight that its most telling word carries. */
function largestShare(text: string): number {
  const { weights, totalWeight } = prepare(text)
  return Math.max(...weights) / totalWeight
}

describe('prepareQuery', () => {
  it.each([
    ['customs', 'hi, can you please tell me about customs'],
    ['customs', 'i was just wondering about customs, thanks'],
    ['关税', '你好，我想问一下关税是什么意思'],
    ['关税', '麻烦帮我看下关税到底怎么办'],
  ])('lets the frame of a question cost little: %s', (_, framed) => {
    expect(largestShare(framed)).toBeGreaterThan(0.6)
  })

  it('searches for what tells in a long message, wherever it stands', () => {
    const chatter = Array.from({ length: 300 }, (_, i) => `w${String.fromCodePoint(97 + (i % 26))}${i}x`).join(' ')
    const { terms } = prepare(`${chatter} who pays the duty on parcels from abroad ${chatter}`)
    for (const word of ['duti', 'parcel', 'abroad']) expect(terms).toContain(word)
    expect(terms.length).toBeLessThanOrEqual(40)
  })

  it('keeps the words of a long message that the base knows among those it ranks by', () => {
    const chatter = Array.from({ length: 100 }, (_, i) => `unheard${i}`).join(' ')
    const { matches } = prepare(`${chatter} customs duty`)
    const { matches: asked } = prepare('customs duty')
    for (const hash of asked.keys()) expect(matches.has(hash)).toBe(true)
  })

  it('asks the index for no more of a short question than before', () => {
    expect(prepare('customs duty '.repeat(30)).terms.length).toBeLessThanOrEqual(24)
  })

  describe('of a country', () => {
    const shipping = createTermStatistics()
    const passage = (content: string) => ({ title: '', headingPath: [], question: null, content })
    const OVERSEAS = passage('Overseas orders arrive within 12 days.')
    const SINGAPORE = passage('Parcels to Singapore arrive within 10 days.')
    for (const each of [OVERSEAS, SINGAPORE]) shipping.add(encodeFeatures(each, analyser))
    const coverage = (text: string, of: typeof OVERSEAS): number =>
      signalsOf(prepareQuery(text, analyser, shipping), decodeFeatures(encodeFeatures(of, analyser)), null).coverage

    it('finds what is said of all others where no passage names it', () => {
      expect(coverage('When does it arrive in Germany?', OVERSEAS)).toBeGreaterThan(
        coverage('When does it arrive in Hamburg?', OVERSEAS),
      )
    })

    it('finds what is said of it alone where a passage does', () => {
      expect(coverage('When does it arrive in Singapore?', OVERSEAS)).toBeLessThan(
        coverage('When does it arrive in Singapore?', SINGAPORE),
      )
      expect(prepareQuery('Singapore', analyser, shipping).terms).toEqual(['singapor'])
    })
  })

  describe('of how much something is', () => {
    const prices = createTermStatistics()
    const LAMP = { title: '', headingPath: [], question: null, content: 'The lamp: price ¥329.' }
    const FLICKER = { ...LAMP, content: 'The lamp flickers: try another socket.' }
    for (const each of [LAMP, FLICKER]) prices.add(encodeFeatures(each, analyser))
    const coverage = (text: string, of: typeof LAMP): number =>
      signalsOf(prepareQuery(text, analyser, prices), decodeFeatures(encodeFeatures(of, analyser)), null).coverage

    it.each(['how much is the lamp', 'How much does the lamp cost?', 'how much do you want for the lamp'])(
      'finds a price: %s',
      (text) => expect(coverage(text, LAMP)).toBeGreaterThan(coverage(text, FLICKER)),
    )

    it('does not find "much" in another sense', () => {
      const FLICKERS_MUCH = { ...LAMP, content: 'The lamp flickers much: try another socket.' }
      expect(coverage('how much is the lamp', FLICKERS_MUCH)).toBe(coverage('how much is the lamp', FLICKER))
    })

    it.each(['how much brighter is the lamp', 'how much light is there with the lamp', 'is the lamp much of a help'])(
      'finds none where something else is asked: %s',
      (text) => expect(coverage(text, LAMP)).toBe(coverage(text, FLICKER)),
    )
  })

  describe('in Chinese', () => {
    const invoices = createTermStatistics()
    const QUESTION = '怎样开发票？'
    const PASSAGE = { title: '', headingPath: [], question: QUESTION, content: '在订单页申请。' }
    invoices.add(encodeFeatures(PASSAGE, analyser))
    const found = (text: string): number => {
      const query = prepareQuery(text, analyser, invoices)
      return signalsOf(query, decodeFeatures(encodeFeatures(PASSAGE, analyser)), null).questionCoverage
    }

    it('finds a word that the passage writes together with another word of the question, wherever that stands', () => {
      expect(found('发票怎么开')).toBeGreaterThan(0.85)
      expect(found('发票怎么开')).toBeGreaterThan(found('发票怎么改'))
    })

    it('takes words that ask for the same kind of thing for one', () => {
      expect(found('如何开发票')).toBe(1)
      expect(found('什么时候开发票')).toBeLessThan(1)
    })
  })
})
