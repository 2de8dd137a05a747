import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutInvisible } from './invisible.ts'

describe('text without what nobody sees', () => {
  it.each([
    ['tags', 'warranty\u{E0073}\u{E0061}\u{E0079}?', 'warranty?'],
    ['directions', '\u202Eabc\u202C \u2066x\u2069\u200F\u061C', 'abc x'],
    ['zero widths', 'a\u200Bb\u200Cc\u200Dd\u2060e\uFEFFf', 'abcdef'],
    ['soft hyphens', 'war\u00ADranty', 'warranty'],
    ['interlinear annotation', '\uFFF9a\uFFFAb\uFFFB', 'ab'],
    ['deprecated format characters', '\u206Aa\u206F', 'a'],
    ['fillers', 'a\u3164b\u115Fc\u034Fd', 'abcd'],
    ['variation selectors that hide bytes', '好\u{E0101}\u{E0170}a\uFE01\uFE0F', '好a'],
    ['repeated variation selectors', '❤\uFE0F\uFE0F\uFE0F', '❤\uFE0F'],
    ['joiners between other letters', '保\u200D修', '保修'],
  ])('leaves out %s', (_, text, left) => {
    expect(withoutInvisible(text)).toBe(left)
  })

  it.each(['👩‍💻 ❤️ 1️⃣ 👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽', 'می‌خواهم', 'क्‍ष', '保修期 — “多久”？', 'naïve e\u0301', 'a\tb\nc', '٠؀١'])(
    'keeps %s',
    (text) => {
      expect(withoutInvisible(text)).toBe(text)
    },
  )

  it('changes nothing the second time', () => {
    const pieces = ['a', '好', '❤', '\uFE0F', '\u200D', '\u200C', '\u{E0041}', 'م', '1', '\u20E3', '👍', '🏽', '\u200B']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        const once = withoutInvisible(parts.join(''))
        expect(withoutInvisible(once)).toBe(once)
      }),
    )
  })
})
