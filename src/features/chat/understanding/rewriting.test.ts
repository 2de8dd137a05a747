import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../../language/fold.ts'
import { needsConversation } from '../../../language/follow-up.ts'
import { inheritSubject, rewriteFollowUp, withOtherCircumstance, withPlaceBefore, withTopicOf } from './rewriting.ts'

describe('needsConversation', () => {
  it.each([
    'and for electronics?',
    'What about France?',
    'how much is it?',
    'why?',
    'the red one?',
    'and the price?',
    'Can I return them?',
    'does that include tax?',
    '那电子产品呢？',
    '它防水吗',
    '多少钱？',
    '要多久？',
    '上海也一样吗',
    '第二个多少钱',
    'How long does it take to Singapore?',
    'How long would it take to a remote village?',
    'How much does it cost with PayPal?',
    'How long to France?',
    'what is their warranty?',
    '到新加坡要多久？',
    '用支付宝要多久',
  ])('%s does', (text) => {
    expect(needsConversation(fold(text))).toBe(true)
  })

  it.each([
    'Where is my order?',
    'Is it possible to pay by PayPal?',
    'I bought a lamp and it is broken',
    'How long does it take to ship to Canada?',
    'How long does it take to get a refund?',
    'How long does it take for a refund to arrive?',
    'How much does it cost to return an item?',
    'How much does shipping cost to France?',
    '寄到新加坡要多久',
    '退款到信用卡要几天',
    'my phone does not charge, it keeps beeping',
    '怎么退货',
    '那个我想问一下怎么退货',
    '我的快递呢为什么还没到',
    '',
  ])('%s does not', (text) => {
    expect(needsConversation(fold(text))).toBe(false)
  })
})

describe('rewriteFollowUp', () => {
  it.each([
    ['What is the return window?', 'and for electronics?', 'What is the return window for electronics?'],
    ['How long does shipping take to Germany?', 'What about France?', 'How long does shipping take to France?'],
    ['Do you ship to Alaska?', 'and to Canada?', 'Do you ship to Canada?'],
    ['Are you open on Saturdays?', 'what about on Sundays?', 'Are you open on Sundays?'],
    ['Can I return online?', 'in store?', 'Can I return in store?'],
    ['Can I return shoes?', 'what about bags?', 'Can I return bags?'],
    ['Is the blue lamp in stock?', 'the red one?', 'Is the red lamp in stock?'],
    ['Is the desk lamp dimmable?', 'and the price?', 'What is the price of the desk lamp?'],
    ['What is the price of the desk lamp?', 'Is it waterproof?', 'Is the desk lamp waterproof?'],
    ['Do you offer express shipping?', 'how much is it?', 'How much is express shipping?'],
    ['Do you offer express shipping?', 'how long?', 'How long does express shipping take?'],
    ['Do you deliver to Singapore?', 'how much?', 'Do you deliver to Singapore, how much?'],
    ['净化器滤芯多久换一次', '多少钱一个？', '净化器滤芯多少钱一个？'],
    ['Can I return a gift?', 'how do I do that?', 'How do I return a gift?'],
    ['What is the return window?', 'What if I live in Canada?', 'What is the return window if I live in Canada?'],
    ['How much are the mugs and plates?', 'Are they dishwasher safe?', 'Are the mugs and plates dishwasher safe?'],
    [
      'Do you deliver to Hong Kong?',
      'How long does it take to Singapore?',
      'How long does it take to deliver to Singapore?',
    ],
    ['Can I get a refund?', 'How long does it take with PayPal?', 'How long does it take to get a refund with PayPal?'],
    [
      'How long do the Hush headphones play?',
      'And what is their warranty?',
      "And what is the Hush headphones' warranty?",
    ],
    ['How much does the desk lamp weigh?', 'is it dimmable?', 'is the desk lamp dimmable?'],
    ['你们送香港吗？', '到新加坡要多久？', '送到新加坡要多久？'],
    ['退货期限是多久？', '那电子产品呢？', '电子产品退货期限是多久？'],
    ['发北京要几天？', '那上海呢', '发上海要几天？'],
    ['衣服可以退吗？', '那鞋子呢', '鞋子可以退吗？'],
    ['退货运费谁出？', '那换货呢？', '换货运费谁出？'],
    ['M码有货吗', 'L码呢', 'L码有货吗'],
    ['工作日几点上班', '那周末呢', '周末几点上班'],
    ['这款手表多少钱？', '它防水吗', '这款手表防水吗？'],
    ['你们卖帐篷吗？', '多少钱？', '帐篷多少钱？'],
    ['怎么申请退款', '要多久？', '退款要多久？'],
    ['支持七天无理由退货吗？', '如果拆封了呢', '如果拆封了，支持七天无理由退货吗？'],
  ])('after "%s", "%s" is "%s"', (before, message, expected) => {
    expect(rewriteFollowUp(message, [before])).toEqual([expected])
  })

  it('gives every reading when several are equally likely', () => {
    expect(rewriteFollowUp('and for electronics?', ["What's the return window and how much is shipping?"])).toEqual([
      "What's the return window for electronics?",
      'how much is shipping for electronics?',
    ])
    expect(rewriteFollowUp('how much is it?', ['Do you sell the Alpha lamp and the Beta lamp?'])).toEqual([
      'How much is the Alpha lamp?',
      'How much is the Beta lamp?',
    ])
    expect(rewriteFollowUp('它多少钱', ['你们卖雨伞和帐篷吗'])).toEqual(['雨伞多少钱？', '帐篷多少钱？'])
  })

  it('follows a chain of follow-ups back to the question', () => {
    expect(rewriteFollowUp('and for books?', ['What is the return window?', 'and for electronics?'])).toEqual([
      'What is the return window for books?',
    ])
    expect(rewriteFollowUp('那书呢', ['退货期限是多久？', '那电子产品呢？'])).toEqual(['书退货期限是多久？'])
  })

  it('leaves what stands alone as it is', () => {
    expect(rewriteFollowUp('How do I reset my password?', ['Where is my order?'])).toEqual([
      'How do I reset my password?',
    ])
    expect(rewriteFollowUp('and for electronics?', [])).toEqual(['and for electronics?'])
  })

  it('always gives one to three readings', () => {
    const texts = fc.constantFrom(
      'and for X?',
      'what about',
      '那呢',
      '它',
      'it',
      'Do you sell A and B and C and D?',
      '你们卖甲和乙和丙和丁吗',
      '?',
      '😡',
      '   ',
      'if',
    )
    const text = fc.oneof(texts, fc.string({ unit: 'grapheme', maxLength: 60 }))
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 6 }), (message, previous) => {
        const readings = rewriteFollowUp(message, previous)
        expect(readings.length).toBeGreaterThanOrEqual(1)
        expect(readings.length).toBeLessThanOrEqual(3)
      }),
    )
  })
})

describe('inheritSubject', () => {
  it.each([
    ['发票可以补开吗', '期限是多久？', '发票可以补开，期限是多久？'],
    ['怎么申请退货', '需要什么条件', '怎么申请退货，需要什么条件'],
    ['可以分期付款吗', '手续费多少钱', '可以分期付款，手续费多少钱'],
    ['Can I get an invoice reissued?', 'what is the deadline?', 'Can I get an invoice reissued, what is the deadline?'],
    ['Do you repair lamps?', 'how much does it cost', 'Do you repair lamps, how much does it cost'],
  ])('after "%s", "%s" is "%s"', (before, part, expected) => {
    expect(inheritSubject(part, before)).toBe(expected)
  })

  it.each(['退货运费谁出', '怎么联系客服', 'what is the return window?', 'how do I pay?', '灯保修多久'])(
    '%s has its own',
    (part) => {
      expect(inheritSubject(part, '发票可以补开吗')).toBe(part)
    },
  )
})

it.each([
  ['Do you deliver to Hong Kong?', 'How long does it take to Singapore?', 'Do you deliver to Singapore?'],
  ['你们送香港吗？', '到新加坡要多久', '你们送新加坡吗？'],
  ['Can I pay by PayPal?', 'and what about a gift card?', 'Can I pay by gift card?'],
  ['Do you deliver to Hong Kong?', 'and how much is it?', null],
])('after "%s", "%s" may be answered by "%s"', (before, message, expected) => {
  expect(withOtherCircumstance(message, [before])).toBe(expected)
})

it.each([
  ['怎么退货', '运费谁出', '退货运费谁出'],
  ['怎么退货', '退货运费谁出', null],
  ['How do I return it?', 'who pays?', null],
])('after "%s", "%s" may be about "%s"', (before, part, expected) => {
  expect(withTopicOf(part, before)).toBe(expected)
})

describe('withPlaceBefore', () => {
  it.each([
    ['能寄到香港吗？', '运费多少', '能寄到香港吗，运费多少'],
    ['Can I pay in instalments?', 'What is the fee?', 'Can I pay in instalments, What is the fee?'],
    [
      'Do you deliver to Singapore',
      "what's the delivery cost?",
      "Do you deliver to Singapore, what's the delivery cost?",
    ],
  ])('after "%s", "%s" is "%s"', (before, message, expected) => {
    expect(withPlaceBefore(message, [before])).toBe(expected)
  })

  it.each([
    ['Do you sell lamps?', 'What is the fee?'],
    ['能寄到香港吗？', '退货运费多少'],
    ['Do you deliver to Singapore?', 'What is the fee for installation?'],
  ])('leaves alone: "%s", "%s"', (before, message) => {
    expect(withPlaceBefore(message, [before])).toBeNull()
  })

  it('has nothing to go on about in a first question', () => {
    expect(withPlaceBefore('运费多少', [])).toBeNull()
  })
})
