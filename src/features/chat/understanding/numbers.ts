const DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
}
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 }

/**
 * The value of a number in Chinese characters up to the ten thousands ("两百五", "三千零二十", "一万"), NaN for anything else.
 * A last digit without unit after a hundred or more counts in the next lower unit, as it is spoken: 两百五 is 250.
 */
export function parseChineseNumber(text: string): number {
  let total = 0
  let section = 0
  let digit: number | null = null
  let lastUnit = 1
  for (const character of text) {
    const value = DIGITS[character]
    const unit = UNITS[character]
    if (value !== undefined) {
      digit = value
      if (value === 0) lastUnit = 1
    } else if (unit !== undefined) {
      section += (digit ?? 1) * unit
      digit = null
      lastUnit = unit
    } else if (character === '万') {
      total += (section + (digit ?? 0) || 1) * 10_000
      section = 0
      digit = null
      lastUnit = 10_000
    } else return Number.NaN
  }
  return total + section + (digit ?? 0) * (lastUnit > 10 ? lastUnit / 10 : 1)
}

/** Reads "1,299.50", "12" or a number in Chinese characters; NaN for anything else. */
export function parseNumber(text: string): number {
  return /^\d/.test(text) ? Number(text.replaceAll(',', '')) : parseChineseNumber(text)
}
