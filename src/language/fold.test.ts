import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countHan, fold, plainForm } from './fold.ts'

describe('fold', () => {
  it('brings width, case, quotes and traditional characters to one form', () => {
    expect(fold('請問退貨怎麼辦？ Ｗ１２３ I’M')).toBe("请问退货怎么办? w123 i'm")
  })

  it('keeps every offset, whatever the characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => fold(text).length === text.length))
  })

  it('is stable: folding twice changes nothing more', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => fold(fold(text)) === fold(text)))
  })
})

describe('countHan', () => {
  it('counts ideographs only', () => {
    expect(countHan('我的 order 呢？かな')).toBe(3)
  })
})

describe('plainForm', () => {
  it('brings all ways to write a text to one', () => {
    expect(plainForm('“請問” Ｗ１２３ – ﬁne\u200b')).toBe('"请问" w123 - fine')
  })
})
