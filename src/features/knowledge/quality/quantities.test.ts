import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseNumber } from '../../../language/numerals.ts'
import { findQuantities } from './quantities.ts'

function read(sentence: string): string[] {
  return findQuantities(sentence).map(({ kind, unit, low, high, bound }) => {
    const value = low === high ? String(low) : `${low}-${high}`
    return [kind, unit, value, ...(bound === 'exact' ? [] : [bound])].join(' ')
  })
}

describe('quantities', () => {
  it.each([
    ['签收后 7 天内可以退货', ['duration hour 168 upper']],
    ['自收到之日起十五天内', ['duration hour 360 upper']],
    ['退款在 3-5 个工作日内到账', ['duration working day 3-5 upper']],
    ['保修期为两年', ['duration hour 17532']],
    ['满 ¥99 包邮,运费 10 元', ['amount CNY 99 lower', 'amount CNY 10']],
    ['一次采购满 5 万元', ['amount CNY 50000 lower']],
    ['价格的 8%,会员九折', ['percentage % 8', 'percentage 折 9']],
    ['2026年5月1日起生效', ['date year month day 753828 lower']],
    ['客服每天 9:00-21:00 接听', ['time clock 540-1260']],
    ['最多 5 台设备', ['count 台 5 upper']],
    ['within thirty days of delivery', ['duration hour 720 upper']],
    ['Refunds take 5 to 7 business days', ['duration working day 5-7']],
    ['a fee of $5.50 or 3 percent', ['amount USD 5.5', 'percentage % 3']],
    ['open from 9 am to 6 pm', ['time clock 540-1080 lower']],
    ['since May 1, 2026 and until 3 June', ['date year month day 753828', 'date month day 189']],
    ['at least 8 characters on up to 3 devices', ['count characters 8 lower', 'count devices 3 upper']],
  ])('of %j', (sentence, expected) => {
    expect(read(sentence)).toEqual(expected)
  })

  it.each([
    ['第 3 天的课程'],
    ['一张优惠券和一个账户'],
    ['children who are 18 years old'],
    ['since v6.4.0'],
    ['2026年的计划'],
    ['周一到周五'],
    ['no number at all'],
  ])('none in %j', (sentence) => {
    expect(read(sentence)).toEqual([])
  })

  it.each([
    ['1,250.5', 1250.5],
    ['十', 10],
    ['十五', 15],
    ['二十', 20],
    ['一百二十', 120],
    ['两千', 2000],
    ['半', 0.5],
    ['forty-five', 45],
    ['Twelve', 12],
  ])('%s is %d', (text, value) => {
    expect(parseNumber(text)).toBe(value)
  })

  it('stands in the sentence where it says, whatever the sentence', () => {
    const piece = fc.constantFrom(
      '7',
      '天',
      '内',
      ' ',
      '¥',
      '3.5',
      '%',
      'days',
      '-',
      '9:00',
      'May',
      '十',
      '月',
      '元',
      'up to',
      ',',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const sentence = pieces.join('')
        let last = 0
        for (const { start, end, low, high } of findQuantities(sentence)) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeLessThanOrEqual(sentence.length)
          expect(low).toBeLessThanOrEqual(high)
          last = end
        }
      }),
    )
  })
})
