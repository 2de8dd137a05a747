/** What a reply may state: figures, addresses and names that stand in a passage, a tool's result or the question. */
export interface Evidence {
  add(text: string): void
  hasNumber(value: string): boolean
  hasText(text: string): boolean
  /** An address that stands there whole: not a part of its host, and with nothing behind that makes it another. */
  hasAddress(address: string): boolean
}

const NUMBER = /\d+(?:[.,:]\d+)*/g
const CHINESE_NUMERAL = /[零〇一二两三四五六七八九十百千万]+/g
/** Chinese numerals count as figures before these: 三十天 states something, 一般 does not. */
export const CHINESE_FIGURE =
  /(?<![零〇一二两三四五六七八九十百千万])[零〇一二两三四五六七八九十百千万]+(?=个?(?:工作日|自然日|天|日|小时|分钟|周|星期|月|年|元|块|折|倍|次|件))/g

export function collectEvidence(texts: readonly string[]): Evidence {
  const numbers = new Set<string>()
  let all = ''
  const add = (text: string): void => {
    const folded = fold(text)
    all += `\n${folded}`
    for (const match of folded.match(NUMBER) ?? []) for (const form of formsOf(match)) numbers.add(form)
    for (const match of folded.match(CHINESE_NUMERAL) ?? []) numbers.add(String(chineseValue(match)))
  }
  for (const text of texts) add(text)
  return {
    add,
    hasNumber: (value) => formsOf(fold(value)).some((form) => numbers.has(form)),
    hasText: (text) => all.includes(fold(text)),
    hasAddress: (address) => standsWhole(fold(address), all),
  }
}

function standsWhole(address: string, text: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const [before, after] = [
      text.slice(Math.max(0, at - 4), at),
      text.slice(at + address.length, at + address.length + 2),
    ]
    if (!/(?:[a-z0-9_-]|(?<!www)\.)$/.test(before) && !/^(?:[a-z0-9_-]|\.[a-z0-9])/.test(after)) return true
  }
  return false
}

/** Full-width forms, case and runs of blanks do not make another value. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
}

/** `1,299.00` is 1299; `9:00` is also 9. */
function formsOf(number: string): string[] {
  const plain = number.replace(/,(?=\d{3}\b)/g, '')
  const canonical = plain.replace(/^0+(?=\d)/, '').replace(/\.0+$/, '')
  return [...new Set([number, plain, canonical, ...(plain.includes(':') ? [plain.split(':')[0] as string] : [])])]
}

const DIGITS = '零一二三四五六七八九'
const UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1_000 }

/** Value of a Chinese numeral up to 99,999,999; digit by digit when it has no units. */
export function chineseValue(numeral: string): number {
  const text = numeral.replaceAll('〇', '零').replaceAll('两', '二')
  const [high, low] = text.includes('万') ? (text.split('万', 2) as [string, string]) : ['', text]
  return (high === '' ? 0 : section(high) * 10_000) + section(low)
}

function section(text: string): number {
  if (!/[十百千]/.test(text)) return Number([...text].map((digit) => DIGITS.indexOf(digit)).join('') || 0)
  let total = 0
  let digit = 0
  for (const character of text) {
    const unit = UNITS[character]
    if (unit === undefined) digit = DIGITS.indexOf(character)
    else {
      total += (digit || 1) * unit
      digit = 0
    }
  }
  return total + digit
}
