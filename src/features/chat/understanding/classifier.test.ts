import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSpeller } from '../../../language/spelling.ts'
import { trainIntentClassifier } from './classifier.ts'
import type { IntentExamples } from './examples.ts'
import { createLexicon } from './lexicon.ts'

const EXAMPLES: IntentExamples = {
  fingerprint: 'x',
  concepts: [{ name: 'parcel', terms: ['package', 'parcel', 'shipment', '包裹', '快递'] }],
  sentences: [
    { intent: 'logistics', text: 'where is my parcel now' },
    { intent: 'logistics', text: 'when does the package come' },
    { intent: 'logistics', text: '快递什么时候到' },
    { intent: 'account', text: 'i forgot my password again' },
    { intent: 'account', text: 'change my password please' },
    { intent: 'account', text: '忘记密码怎么办' },
  ],
}

describe('trainIntentClassifier', () => {
  const classifier = trainIntentClassifier(EXAMPLES)
  const top = (text: string) => classifier.rank(text)[0]!.intent

  it('carries an example over to a synonym that no example has', () => {
    expect(top('my shipment')).toBe('logistics')
    expect(top('包裹')).toBe('logistics')
  })

  it('reads through slips of the pen', () => {
    expect(top('pasword')).toBe('account')
    expect(top('pakcage')).toBe('logistics')
  })

  it('reads characters that sound alike', () => {
    expect(top('快弟')).toBe('logistics')
  })

  it('knows when it knows nothing', () => {
    expect(classifier.rank('مرحبا')[0]).toEqual({ intent: 'unknown', confidence: 1 })
    expect(classifier.rank('')[0]).toEqual({ intent: 'unknown', confidence: 1 })
  })

  it('gives the same ranking each time it is trained', () => {
    expect(trainIntentClassifier(EXAMPLES).rank('where is it')).toEqual(classifier.rank('where is it'))
  })

  it('ranks all intents, best first, with confidences that sum to 1', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const ranking = classifier.rank(text)
        expect(ranking).toHaveLength(11)
        expect(ranking.reduce((sum, { confidence }) => sum + confidence, 0)).toBeCloseTo(1, 5)
        expect(ranking.map(({ confidence }) => confidence)).toEqual(
          ranking.map(({ confidence }) => confidence).sort((a, b) => b - a),
        )
      }),
    )
  })
})

describe('createLexicon', () => {
  const conceptsIn = createLexicon([
    { name: 'return', terms: ['send back', 'return', '退货'] },
    { name: 'refund', terms: ['money back', '退款'] },
  ])

  it('matches inflected words, phrases and Chinese inside a sentence', () => {
    expect(conceptsIn('i am returning it, i want my money back')).toEqual(['return', 'refund'])
    expect(conceptsIn('我想退货并退款')).toEqual(['return', 'refund'])
  })

  it('does not match a phrase over a gap', () => {
    expect(conceptsIn('money is not coming back')).toEqual([])
  })
})

describe('createSpeller', () => {
  const correct = createSpeller(['cancel cancel my order', 'conceal it'])

  it.each(['cancle', 'cancl', 'canncel', 'cencel'])('reads %s as cancel', (word) => {
    expect(correct(`${word} it`)).toBe('cancel it')
  })

  it('leaves known words and words that resemble none', () => {
    expect(correct('conceal my order zebra')).toBe('conceal my order zebra')
  })
})
