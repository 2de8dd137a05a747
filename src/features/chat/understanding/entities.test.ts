import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../../../language/fold.ts'
import { findPersonal } from '../../../privacy/index.ts'
import { findEntities } from './entities.ts'

// A Wednesday.
const NOW = new Date('2025-06-18T10:00:00Z')
const find = (text: string) => findEntities(fold(text), text, findPersonal(text), NOW)

describe('order numbers', () => {
  it.each([
    ['Where is order #W1234567?', '#W1234567'],
    ['where is # w1234567', '#w1234567'],
    ['订单号：2024051200012345 到哪了', '2024051200012345'],
    ['订单20240611889012为什么还没发', '20240611889012'],
    ['order no. 556677 please', '556677'],
    ['W2290187寄出来没', 'W2290187'],
    ['ＯＲＤＥＲ ＃Ｗ１２３４５６７', '＃Ｗ１２３４５６７'],
  ])('%s', (text, number) => {
    expect(find(text).orderNumbers).toEqual([number])
  })

  it.each([
    'iphone15 i9 256gb',
    'item number 9844888101',
    'my card is 4111111111111111',
    '身份证11010519491231002X',
    '我的手机13812345678',
    'on 2024-05-12',
  ])('%s holds none', (text) => {
    expect(find(text).orderNumbers).toEqual([])
  })
})

describe('parcels, phones, e-mails', () => {
  it('tells parcel numbers from order numbers', () => {
    const { trackingNumbers, orderNumbers } = find('SF1234567890123 和运单号 7788990011223')
    expect(trackingNumbers).toEqual(['SF1234567890123', '7788990011223'])
    expect(orderNumbers).toEqual([])
  })

  it('finds Chinese, American and international phone numbers', () => {
    expect(find('138 1234 5678 or +86-13912345678').phones).toEqual(['13812345678', '+86-13912345678'])
    expect(find('(415) 555-0123, +44 20 7946 0958').phones).toEqual(['(415)555-0123', '+442079460958'])
  })

  it('finds e-mail addresses next to Chinese and at the end of a sentence', () => {
    expect(find('邮箱是li.na@example.com，谢谢').emails).toEqual(['li.na@example.com'])
    expect(find('write to a@b.co.').emails).toEqual(['a@b.co'])
  })
})

describe('dates', () => {
  it.each([
    ['yesterday', '2025-06-17'],
    ['the day before yesterday', '2025-06-16'],
    ['昨天', '2025-06-17'],
    ['大前天', '2025-06-15'],
    ['3天前', '2025-06-15'],
    ['两周前', '2025-06-04'],
    ['two weeks ago', '2025-06-04'],
    ['a month ago', '2025-05-18'],
    ['last Friday', '2025-06-13'],
    ['上周五', '2025-06-13'],
    ['下周三', '2025-06-25'],
    ['next monday', '2025-06-23'],
    ['5月12日', '2025-05-12'],
    ['12月24日', '2024-12-24'],
    ['March 3rd, 2024', '2024-03-03'],
    ['5 May', '2025-05-05'],
    ['2024/2/29', '2024-02-29'],
    ['13/04/2024', '2024-04-13'],
  ])('%s is %s', (text, date) => {
    expect(find(`I bought it ${text} 了`).dates).toEqual([{ text, date }])
  })

  it.each(['2024-02-30', '3/4/2024', 'last week', '上个月'])('%s names no single day', (text) => {
    expect(find(text).dates).toEqual([{ text, date: null }])
  })

  it('leaves relative days unplaced without a clock', () => {
    expect(findEntities('yesterday', 'yesterday', []).dates).toEqual([{ text: 'yesterday', date: null }])
  })

  it('keeps to the last day of a shorter month', () => {
    const [mention] = findEntities('a month ago', 'a month ago', [], new Date('2025-03-31T00:00:00Z')).dates
    expect(mention?.date).toBe('2025-02-28')
  })
})

describe('amounts', () => {
  it.each([
    ['$1,299.50', 1299.5, 'USD'],
    ['¥299', 299, 'CNY'],
    ['￥299', 299, 'CNY'],
    ['三百块', 300, 'CNY'],
    ['两万五千元', 25_000, 'CNY'],
    ['1.5万元', 15_000, 'CNY'],
    ['50 bucks', 50, 'USD'],
    ['20k euros', 20_000, 'EUR'],
    ['HK$88', 88, 'HKD'],
  ])('%s', (text, value, currency) => {
    expect(find(`it was ${text} `).amounts).toEqual([{ text, value, currency }])
  })

  it('does not take "together" or an order number for money', () => {
    expect(find('我们一块去 #W1234567').amounts).toEqual([])
  })
})

describe('findEntities on anything', () => {
  it('cuts every mention from the text and never throws', () => {
    const pieces = fc.constantFrom(
      '#W',
      '1',
      '23456789',
      ' ',
      '-',
      '@',
      'a.b',
      '.com',
      '元',
      '¥',
      '天前',
      '三',
      '月',
      '日',
      '订单',
      '+',
      '(',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const { orderNumbers, phones, emails, dates, amounts } = find(text)
        const bare = text.replaceAll(' ', '')
        for (const mention of [...orderNumbers, ...phones, ...emails]) expect(bare).toContain(mention)
        for (const { text: mention } of [...dates, ...amounts]) expect(text).toContain(mention)
      }),
    )
  })
})
