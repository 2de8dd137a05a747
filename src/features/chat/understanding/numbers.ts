import { CHINESE_DIGITS } from '../../../kernel/chinese-digits.ts'

const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 }

/**
 * The value of a number in Chinese characters up to the ten thousands ("两百五", "三千零二十", "一万"), NaN for anything else.
 * A last digit without unit after a hundred or more counts in the next lower unit, as it is spoken: 两百五 is 250.
 */
export function parseChineseNumber(text: string): number {
  const [upper, lower] = text.includes('万') ? text.split('万', 2) : [undefined, text]
  const tenThousands = upper === undefined ? 0 : belowTenThousand(upper || '一', 1) * 10_000
  return tenThousands + belowTenThousand(lower!, upper === undefined ? 1 : 10_000)
}

function belowTenThousand(text: string, unitBefore: number): number {
  let sum = 0
  let digit: number | null = null
  let lastUnit = unitBefore
  for (const character of text) {
    const value = CHINESE_DIGITS[character]
    const unit = UNITS[character]
    if (value === undefined && unit === undefined) return Number.NaN
    if (unit !== undefined) sum += (digit ?? 1) * unit
    digit = unit === undefined ? value! : null
    lastUnit = unit ?? (value === 0 ? 1 : lastUnit)
  }
  return sum + (digit ?? 0) * (lastUnit > 10 ? lastUnit / 10 : 1)
}

/** Reads "1,299.50", "12" or a number in Chinese characters; NaN for anything else. */
export function parseNumber(text: string): number {
  return /^\d/.test(text) ? Number(text.replaceAll(',', '')) : parseChineseNumber(text)
}
