import { describe, expect, it } from 'vitest'
import { parseChineseNumber, parseNumber } from './numerals.ts'

describe('parseChineseNumber', () => {
  it.each([
    ['十', 10],
    ['十二', 12],
    ['两百五', 250],
    ['一百零五', 105],
    ['三千零二十', 3020],
    ['一万五', 15_000],
    ['五万三千二百一', 53_210],
    ['一万二', 12_000],
    ['二〇二六', 2026],
    ['半', 0.5],
  ])('%s is %d', (text, value) => {
    expect(parseChineseNumber(text)).toBe(value)
  })

  it('says NaN to anything else', () => {
    for (const text of ['', '三个', '三百二一', '五 ']) expect(parseChineseNumber(text)).toBeNaN()
  })
})

describe('parseNumber', () => {
  it.each([
    ['1,299.50', 1299.5],
    ['Thirteen', 13],
    ['ninety', 90],
    ['hundred', 100],
    ['两百五', 250],
  ])('%s is %s', (text, value) => {
    expect(parseNumber(text)).toBe(value)
  })
})
