import { plainForm } from '../../../language/fold.ts'
import { HAN_NUMERAL, parseChineseNumber } from '../../../language/numerals.ts'

const FIGURE = /\d+(?:[.,:]\d+)*/g
const CHINESE_NUMERAL = new RegExp(`[${HAN_NUMERAL}]+`, 'g')
/** Chinese numerals count as figures before these: 三十天 states something, 一般 does not. */
export const CHINESE_FIGURE = new RegExp(
  `(?<![${HAN_NUMERAL}])[${HAN_NUMERAL}]+(?=个?(?:工作日|自然日|天|日|小时|分钟|周|星期|月|年|元|块|折|倍|次|件))`,
  'g',
)

export type Evidence = ReturnType<typeof collectEvidence>

/** Things that a reply may state: figures, addresses and names that stand in a passage, a tool's result or the question. */
export function collectEvidence(texts: readonly string[]) {
  const numbers = new Set<string>()
  let all = ''
  const add = (text: string): void => {
    const folded = fold(text)
    all += `\n${folded}`
    for (const match of folded.match(FIGURE) ?? []) for (const form of formsOf(match)) numbers.add(form)
    for (const match of folded.match(CHINESE_NUMERAL) ?? []) numbers.add(String(parseChineseNumber(match)))
  }
  for (const text of texts) add(text)
  return {
    add,
    hasNumber: (value: string): boolean => formsOf(fold(value)).some((form) => numbers.has(form)),
    hasText: (text: string): boolean => all.includes(fold(text)),
    /** An address that stands there whole: not a part of its host, and with nothing behind that makes it another. */
    hasAddress: (address: string): boolean => standsWhole(fold(address), all),
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

/** Another way to write a text, and runs of blanks, do not make another value. */
function fold(text: string): string {
  return plainForm(text).replace(/\s+/g, ' ')
}

/** `1,299.00` is 1299; `9:00` is also 9. */
function formsOf(number: string): string[] {
  const plain = number.replace(/,(?=\d{3}\b)/g, '')
  const canonical = plain.replace(/^0+(?=\d)/, '').replace(/\.0+$/, '')
  return [...new Set([number, plain, canonical, ...(plain.includes(':') ? [plain.split(':')[0] as string] : [])])]
}
