import { CHINESE_DIGITS } from '../../../kernel/chinese-digits.ts'

/** Numbers in words and digits, as customers' texts write them. */

const CHINESE_UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1_000, 万: 10_000 }

const ENGLISH: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fourteen: 14,
  fifteen: 15,
  eighteen: 18,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  hundred: 100,
}

/** Source of a pattern that matches a number: digits with separators, Chinese numerals, English words up to hundred. */
export const NUMBER = `(?:\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?|[零〇一二两三四五六七八九十百千半]{1,7}|\\b(?:${Object.keys(
  ENGLISH,
)
  .sort((a, b) => b.length - a.length)
  .join('|')})\\b)`

/** Value of what `NUMBER` matched; NaN when it is none, such as 十百. */
export function parseNumber(text: string): number {
  const lower = text.toLowerCase()
  if (/^\d/.test(lower)) return Number(lower.replaceAll(',', ''))
  return ENGLISH[lower] ?? parseChinese(lower)
}

function parseChinese(text: string): number {
  if (text === '半') return 0.5
  let total = 0
  let digit: number | undefined
  for (const character of text) {
    const unit = CHINESE_UNITS[character]
    if (unit === undefined) {
      // Digits in a row, as in 二〇二六, are a year or a code and no quantity.
      if (digit !== undefined && digit !== 0) return Number.NaN
      digit = CHINESE_DIGITS[character]
      if (digit === undefined) return Number.NaN
    } else {
      total += (digit ?? 1) * unit
      digit = undefined
    }
  }
  return total + (digit ?? 0)
}
