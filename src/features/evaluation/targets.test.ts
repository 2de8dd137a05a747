import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, isRightAnswer, isSource, type Passage, targetsOf } from './targets.ts'
import type { EvaluationCase } from './types.ts'

const expecting = (given: Partial<EvaluationCase>): EvaluationCase => ({
  query: 'q',
  expectedSources: [],
  expectedDocIds: [],
  expectedContent: [],
  category: 'general',
  history: [],
  ...given,
})

const passage = (given: Partial<Passage> = {}): Passage => ({
  docId: 'doc_1',
  source: '/srv/help/shipping.md',
  title: 'Shipping',
  headingPath: ['Times'],
  question: null,
  content: 'Standard delivery takes 2–4 days.',
  ...given,
})

const meets = (given: Partial<EvaluationCase>, of: Passage = passage()): boolean[] =>
  targetsOf(expecting(given)).map((isMet) => isMet(of))

describe('what a passage shows', () => {
  it.each<[string, Partial<EvaluationCase>, boolean[]]>([
    ['nothing expected', {}, []],
    ['its file', { expectedSources: ['shipping.md'] }, [true]],
    ['its path', { expectedSources: ['/srv/help/shipping.md'] }, [true]],
    ['another file', { expectedSources: ['ping.md'] }, [false]],
    ['its document', { expectedDocIds: ['doc_1', 'doc_2'] }, [true, false]],
    ['a text of it', { expectedContent: ['takes 2-4 days'] }, [true]],
    ['a text of its headings', { expectedContent: ['times'] }, [true]],
    ['another amount', { expectedContent: ['takes 24 days'] }, [false]],
    ['a text in the right file', { expectedSources: ['shipping.md'], expectedContent: ['2–4 days'] }, [true]],
    ['a text in the wrong file', { expectedSources: ['returns.md'], expectedContent: ['2–4 days'] }, [false]],
  ])('%s', (_, given, expected) => {
    expect(meets(given)).toEqual(expected)
  })
})

describe('a right answer', () => {
  const sources = [{ docId: 'doc_1', source: 'shipping.md' }]
  it('holds every expected text', () => {
    const expected = expecting({ expectedContent: ['2–4 days', 'free'] })
    expect(isRightAnswer(expected, 'Delivery is FREE and takes 2 – 4 days.', [])).toBe(true)
    expect(isRightAnswer(expected, 'Delivery takes 2–4 days.', sources)).toBe(false)
  })

  it('without such texts rests on an expected document before all others', () => {
    expect(isRightAnswer(expecting({ expectedSources: ['shipping.md'] }), 'x', sources)).toBe(true)
    expect(isRightAnswer(expecting({ expectedDocIds: ['doc_1'] }), 'x', sources)).toBe(true)
    expect(isRightAnswer(expecting({ expectedDocIds: ['doc_2'] }), 'x', sources)).toBe(false)
    expect(isRightAnswer(expecting({ expectedSources: ['shipping.md'] }), 'x', [])).toBe(false)
  })
})

describe('names of sources', () => {
  it.each([
    ['shipping.md', 'shipping.md', true],
    ['/srv/zh/shipping.md', 'zh/shipping.md', true],
    ['C:\\help\\shipping.md', 'shipping.md', true],
    ['ru\u0308ck.md', 'rück.md', true],
    ['/srv/shipping.md', 'hipping.md', false],
    ['shipping.md', '/srv/shipping.md', false],
  ])('%s is meant by %s: %s', (source, expected, answer) => {
    expect(isSource(source, expected)).toBe(answer)
  })
})

describe('texts are compared by what they say', () => {
  it.each([
    ['Price ¥699, warranty 12 months', 'Price: ¥699\nWarranty: 12 months'],
    ['¥1,299', '￥1299'],
    ['在发货后 2–4 天送达', '在发货后2-4天送达'],
    ['2 ~ 4 days', '2–4 DAYS'],
    ['“quoted”', 'quoted'],
  ])('%j is %j', (a, b) => expect(foldText(a)).toBe(foldText(b)))

  it.each([
    ['2–4 days', '24 days'],
    ['1.5 kg', '15 kg'],
    ['¥5', '5'],
    ['8%', '8'],
    ['9:00', '900'],
  ])('%j is not %j', (a, b) => expect(foldText(a)).not.toBe(foldText(b)))

  it('folding twice changes nothing more', () => {
    const isFolded = (text: string): boolean => foldText(foldText(text)) === foldText(text)
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), isFolded), { examples: [['‗𝅗𝅥']] })
  })
})
