import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerpt, keySentences, saysTheSame, withoutRepeats } from './key-sentences.ts'

describe('saysTheSame', () => {
  it.each([
    ['Where is my order #W123?', 'where is the order #W123', true],
    ['Where is my order #W123?', 'Where is my order #W999?', false],
    ['我的订单什么时候发货', '我的订单什么时候发货呢', true],
    ['我的订单什么时候发货', '怎么申请退款', false],
  ])('%j and %j: %s', (a, b, same) => {
    expect(saysTheSame(a, b)).toBe(same)
  })
})

describe('withoutRepeats', () => {
  it('keeps the first of what says the same', () => {
    expect(withoutRepeats(['Refund please', 'refund, please!', 'Other'], (text) => text)).toEqual([
      'Refund please',
      'Other',
    ])
  })
})

describe('excerpt', () => {
  it('makes white space single and cuts between characters', () => {
    expect(excerpt('  a \n b\t c ', 10)).toBe('a b c')
    expect(excerpt('😀😀😀😀', 3)).toBe('😀😀…')
    expect(excerpt('abc', 3)).toBe('abc')
  })
})

describe('keySentences', () => {
  it('keeps a short talk whole', () => {
    expect(keySentences(['a one', 'b two'], 5)).toEqual(['a one', 'b two'])
    expect(keySentences([], 5)).toEqual([])
  })

  it('keeps the first, the last and what carries numbers or is central, in order', () => {
    const sentences = [
      'My headphones arrived broken',
      'The weather is nice today',
      'The order number is #W2378156',
      'The left side of the headphones makes no sound',
      'I bought a red bicycle too',
      'I want a replacement for the headphones',
    ]
    expect(keySentences(sentences, 4)).toEqual([sentences[0], sentences[2], sentences[3], sentences[5]])
  })

  it('gives at most the wished number of different sentences of the talk, first and last among them, in order', () => {
    const words = fc.array(fc.constantFrom('parcel', 'refund', 'late', '订单', '发货', '12', 'x'), {
      minLength: 1,
      maxLength: 6,
    })
    const talk = fc.array(
      words.map((chosen) => chosen.join(' ')),
      { maxLength: 90 },
    )
    fc.assert(
      fc.property(talk, fc.integer({ min: 2, max: 6 }), (sentences, count) => {
        const chosen = keySentences(sentences, count)
        expect(chosen.length).toBeLessThanOrEqual(count)
        expect(new Set(chosen).size).toBe(chosen.length)
        if (sentences.length > 0) expect(chosen[0]).toBe(sentences[0])
        const positions = chosen.map((sentence) => sentences.indexOf(sentence))
        if (sentences.length <= 60) expect(positions).toEqual([...positions].sort((a, b) => a - b))
      }),
    )
  })
})
