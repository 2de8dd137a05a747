import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../../language/fold.ts'
import { splitTasks } from './splitting.ts'

const split = (message: string) => splitTasks(fold(message)).map(({ start, end }) => message.slice(start, end))

describe('splitTasks splits', () => {
  it.each([
    ['Where is my order #W123 and how do I get an invoice?', ['Where is my order #W123', 'how do I get an invoice?']],
    ['怎么退货？另外运费谁出', ['怎么退货？', '运费谁出']],
    [
      '1. What is the return window? 2. Do you ship to Canada?',
      ['What is the return window?', 'Do you ship to Canada?'],
    ],
    ['①怎么退货 ②运费谁出 ③多久到账', ['怎么退货', '运费谁出', '多久到账']],
    ['我的快递到哪了，发票怎么开', ['我的快递到哪了', '发票怎么开']],
    ['I want to return the lamp and cancel the charger', ['I want to return the lamp', 'cancel the charger']],
    ['我的order还没到，还有怎么开invoice', ['我的order还没到', '怎么开invoice']],
    ['My order is late. I also forgot my password.', ['My order is late.', 'I also forgot my password.']],
    ['怎么退货和怎么开发票', ['怎么退货', '怎么开发票']],
  ])('%s', (message, parts) => {
    expect(split(message)).toEqual(parts)
  })

  it('speech without punctuation', () => {
    expect(split('where is my order how do i get an invoice')).toEqual(['where is my order', 'how do i get an invoice'])
    expect(split('hi um where is my order and also can i change my address')).toEqual([
      'where is my order',
      'can i change my address',
    ])
    expect(split('我的快递到哪了另外怎么开发票')).toEqual(['我的快递到哪了', '怎么开发票'])
    expect(split('能退货吗能开发票吗')).toEqual(['能退货吗', '能开发票吗'])
  })
})

describe('splitTasks keeps whole', () => {
  it.each([
    'Do you sell salt and pepper mills?',
    'Can I return and exchange items?',
    'How do I wash and dry the blanket?',
    'What sizes and colours do you have?',
    'Is it possible to cancel or change an order?',
    'what kind of payment methods do you accept',
    'Can you tell me how much the shipping is',
    'I would like to know where my order is and when it will arrive',
    'My lamp arrived broken. I bought it last week. Can I get a refund?',
    'I want a refund. How long does it take?',
    'I want to return this lamp, who pays for shipping?',
    'Cancel the order. If not possible, change the address.',
    '我想退货，怎么操作',
    '买了三天了，能退吗',
    '如果我买了两件，运费怎么算',
    '红色的还有货吗',
    '我买的手机和耳机什么时候发货',
    '这款手机支持双卡吗，是不是5G的',
  ])('%s', (message) => {
    expect(split(message)).toEqual([message])
  })

  it('drops greetings and thanks around a request', () => {
    expect(split('Hello! Where is my package? Thanks!')).toEqual(['Where is my package?'])
    expect(split('你好，我想问一下，怎么退货')).toEqual(['我想问一下，怎么退货'])
  })

  it('keeps a greeting that is all there is, and nothing of nothing', () => {
    expect(split('Hi')).toEqual(['Hi'])
    expect(split('  ')).toEqual([])
    expect(split('')).toEqual([])
  })
})

describe('splitTasks on anything', () => {
  const pieces = fc.constantFrom(
    'where is my order',
    'how do i return it',
    '怎么退货',
    '运费谁出',
    '?',
    '。',
    ', ',
    ' and ',
    '另外',
    '\n1. ',
    '2) ',
    '你好',
    '😡',
    'مرحبا',
    ' ',
    '...',
    'if not, ',
  )

  it('returns ordered, non-overlapping, non-empty pieces of the message, at most eight', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const message = parts.join('')
        const spans = splitTasks(fold(message))
        expect(spans.length).toBeLessThanOrEqual(8)
        let end = 0
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(end)
          expect(message.slice(span.start, span.end).trim()).not.toBe('')
          end = span.end
        }
        expect(end).toBeLessThanOrEqual(message.length)
        if (message.trim() !== '') expect(spans.length).toBeGreaterThan(0)
      }),
    )
  })
})
