import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitIntoMessages, splitTextByBytes } from './split-text.ts'

describe('splitTextByBytes', () => {
  it('loses nothing, stays within the limit and never cuts a code point', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 })
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 120 }), (whole, maxBytes) => {
        const parts = splitTextByBytes(whole, maxBytes)
        expect(parts.join('')).toBe(whole)
        for (const part of parts) {
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxBytes)
          expect(part.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  it('keeps what fits in one part, the empty text included', () => {
    expect(splitTextByBytes('', 10)).toEqual([''])
    expect(splitTextByBytes('0123456789', 10)).toEqual(['0123456789'])
  })

  it('cuts at the most natural boundary of the second half', () => {
    expect(splitTextByBytes('First line here.\n\nSecond one. Third.', 30)).toEqual([
      'First line here.\n\n',
      'Second one. Third.',
    ])
    expect(splitTextByBytes('您好。请稍等一下，马上为您处理', 36)).toEqual(['您好。请稍等一下，', '马上为您处理'])
    expect(splitTextByBytes('first this one; then that other one', 30)).toEqual([
      'first this one;',
      ' then that other one',
    ])
    expect(splitTextByBytes('no dots but words', 12)).toEqual(['no dots but ', 'words'])
  })

  it('ignores a boundary that would leave a part nearly empty', () => {
    expect(splitTextByBytes(`a ${'b'.repeat(20)}`, 10)[0]).toBe('a bbbbbbbb')
  })

  it('keeps a family emoji together', () => {
    const family = '👨‍👩‍👧‍👦'
    const parts = splitTextByBytes(`xxxx${family}yyyy`, 20)
    expect(parts[0]).toBe('xxxx')
    expect(parts.join('')).toBe(`xxxx${family}yyyy`)
  })
})

describe('splitIntoMessages', () => {
  it('keeps the order and leaves out what says nothing', () => {
    expect(splitIntoMessages(`one\n\n${' '.repeat(10)}two`, 5)).toEqual(['one\n\n', 'two'])
    expect(splitIntoMessages(' \n', 5)).toEqual([])
  })
})
