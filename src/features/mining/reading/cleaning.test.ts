import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanTicket } from './cleaning.ts'

const texts = (content: string, subject = '') => cleanTicket(subject, content).map(({ text }) => text)

describe('what is left of a ticket', () => {
  it.each<[string, string, string[]]>([
    [
      'greetings and closings',
      'Hi there, my lamp flickers. Thanks in advance!\n\nKind regards,\nEmily Carter\n18600017539',
      ['my lamp flickers.'],
    ],
    [
      'the same in Chinese',
      '您好，在吗？台灯一直闪烁，谢谢！\n--\n王晓明\n电话：15900009751',
      ['台灯一直闪烁，谢谢！'],
    ],
    [
      'quoted history',
      'The robot lost its map.\n\n-----Original Message-----\nFrom: shop@example.com\nYour order has shipped',
      ['The robot lost its map.'],
    ],
    ['who wrote it', 'My name is Emily Carter and the kettle smells.', ['the kettle smells.']],
    ['numbers of orders', 'The refund is late (order #W4978877).', ['The refund is late.']],
    ['numbers of orders in Chinese', '退款没到账，订单号 #W7582395。', ['退款没到账。']],
    ['where it was sent from', 'The points are missing.\nSent from my phone', ['The points are missing.']],
    ['a greeting of two words', '客服您好！怎么退货？', ['怎么退货？']],
    ['what was answered', 'The app crashes.\n\nOn Monday Support wrote:\n> Please restart it.', ['The app crashes.']],
    ['thanks', 'Hi there, where is my parcel? Thanks!', ['where is my parcel?']],
    ['thanks alone', 'Thank you!', []],
    ['an empty text', '', []],
    ['nothing at all', 'hello, anyone there?', []],
    ['nothing at all in Chinese', '你好，在吗', []],
  ])('is without %s', (_, content, left) => {
    expect(texts(content)).toEqual(left)
  })

  it('has its subject first, each sentence once, and personal data masked', () => {
    expect(texts('The lamp is broken. The lamp is broken. Write to jo.doe@example.com.', 'Lamp')).toEqual([
      'Lamp',
      'The lamp is broken.',
      expect.not.stringContaining('jo.doe'),
    ])
  })

  it('is bounded and says something in every sentence, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.string({ maxLength: 3_000 }),
        (subject, content) => {
          const left = texts(content, subject)
          expect(left.length).toBeLessThanOrEqual(12)
          for (const text of left) expect(text.trim()).not.toBe('')
        },
      ),
    )
  })

  it('knows what asks for something', () => {
    const asks = (content: string) => cleanTicket('', content).map((sentence) => sentence.asks)
    expect(asks('How do I pair the remote? I bought it in May.')).toEqual([true, false])
    expect(asks('投影仪遥控器怎么配对。我五月买的。')).toEqual([true, false])
  })
})
