const DIGITS: ReadonlyMap<string, number> = new Map([
  ...[...'零一二三四五六七八九'].map((character, value) => [character, value] as const),
  ...[...'壹贰叁肆伍陆柒捌玖'].map((character, index) => [character, index + 1] as const),
  ['〇', 0],
  ['两', 2],
  ['幺', 1],
])
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 }

const ENGLISH: ReadonlyMap<string, number> = new Map([
  ...'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
  ...'twenty thirty forty fifty sixty seventy eighty ninety hundred'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10] as const),
  ['forty-five', 45],
])

/** The characters of Chinese numerals, for classes of expressions. */
export const HAN_NUMERAL = '零〇一二两三四五六七八九十百千万'

const WITH_UNITS = new RegExp(`^(?!.*[一二两三四五六七八九]{2})[${HAN_NUMERAL}]+$`)

/** Source of a pattern that matches a number: digits with separators, Chinese numerals, English words up to hundred. */
export const NUMBER = `(?:\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?|[${HAN_NUMERAL}半]{1,9}|\\b(?:${[
  ...ENGLISH.keys(),
]
  .sort((a, b) => b.length - a.length)
  .join('|')})\\b)`

/** The value of a Chinese digit; undefined for every other character. */
export function digitOf(character: string): number | undefined {
  return DIGITS.get(character)
}

/** Reads "1,299.50", "twelve", or a number in Chinese characters; NaN for anything else. */
export function parseNumber(text: string): number {
  if (/^\d/.test(text)) return Number(text.replaceAll(',', ''))
  return ENGLISH.get(text.toLowerCase()) ?? parseChineseNumber(text)
}

/**
 * The value of a number in Chinese characters up to the ten thousands ("两百五", "三千零二十", "一万"), NaN for anything else.
 * A last digit without unit after a hundred or more counts in the next lower unit, as it is spoken: 两百五 is 250. Digits in
 * a row are read as they stand (二〇二六); between units they are no number.
 */
export function parseChineseNumber(text: string): number {
  if (text === '半') return 0.5
  const digits = [...text].map(digitOf)
  if (text !== '' && !digits.includes(undefined)) return Number(digits.join(''))
  if (!WITH_UNITS.test(text)) return Number.NaN
  const [upper, lower] = text.includes('万') ? text.split('万', 2) : [undefined, text]
  const tenThousands = upper === undefined ? 0 : belowTenThousand(upper || '一', 1) * 10_000
  return tenThousands + belowTenThousand(lower!, upper === undefined ? 1 : 10_000)
}

function belowTenThousand(text: string, unitBefore: number): number {
  let sum = 0
  let digit: number | null = null
  let lastUnit = unitBefore
  for (const character of text) {
    const value = digitOf(character)
    const unit = UNITS[character]
    if (unit !== undefined) sum += (digit ?? 1) * unit
    digit = unit === undefined ? value! : null
    lastUnit = unit ?? (value === 0 ? 1 : lastUnit)
  }
  return sum + (digit ?? 0) * (lastUnit > 10 ? lastUnit / 10 : 1)
}
