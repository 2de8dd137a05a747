import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanTicket } from './cleaning.ts'

const textsOf = (subject: string, content: string): string[] => cleanTicket(subject, content).map(({ text }) => text)

describe('a cleaned ticket', () => {
  it.each([
    ['Hello,\n\nMy lamp is broken.\n\nKind regards,\nAnna Miller', ['My lamp is broken.']],
    ['Hi there, where is my parcel? Thanks!', ['where is my parcel?']],
    ['你好，我的发票还没收到。谢谢！', ['我的发票还没收到。']],
    ['客服您好！怎么退货？', ['怎么退货？']],
    ['The app crashes.\n\nOn Monday Support wrote:\n> Please restart it.', ['The app crashes.']],
    ['Thank you!', []],
    ['', []],
  ])('of %j holds what it is about', (content, expected) => {
    expect(textsOf('', content)).toEqual(expected)
  })

  it('holds its subject once', () => {
    expect(textsOf('Refund missing', 'Refund missing\nI sent the goods back.')).toEqual([
      'Refund missing',
      'I sent the goods back.',
    ])
  })

  it('tells questions and troubles from statements', () => {
    expect(cleanTicket('', 'I bought a lamp. It cannot be switched on.').map(({ asks }) => asks)).toEqual([false, true])
  })

  it('holds no personal data', () => {
    const [sentence] = textsOf('', 'Please call me at 13812345678 or write to anna@example.com about the refund.')
    expect(sentence).toContain('refund')
    expect(sentence).not.toMatch(/13812345678|anna@example\.com/)
  })

  it('is bounded and made of the text, whatever that is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.string({ maxLength: 3_000 }),
        (subject, content) => {
          const cleaned = cleanTicket(subject, content)
          expect(cleaned.length).toBeLessThanOrEqual(12)
          for (const { text } of cleaned) expect(text.trim()).not.toBe('')
        },
      ),
      { numRuns: 100 },
    )
  })
})
