import { matchesOf } from '../../../language/fold.ts'
import { HAN_NUMERAL, parseNumber } from '../../../language/numerals.ts'
import { withoutOverlaps } from '../../../language/spans.ts'
import type { AmountMention, Currency } from '../../../language/understanding.ts'

const NUMBER = '(\\d{1,9}(?:,\\d{3}){0,3}(?:\\.\\d{1,2})?)'
const HAN_NUMBER = `([${HAN_NUMERAL}]{1,9})`
const BEFORE = new RegExp(`(hk\\$|us\\$|\\$|¥|￥|€|£|usd|cny|rmb|eur|gbp|hkd|jpy) ?${NUMBER}(万|k\\b)?`, 'g')
const AFTER = new RegExp(
  `(?<![\\d.,#])(?:${NUMBER}|${HAN_NUMBER}) ?(万)?(k )?(人民币|块钱|块|元|圆|美元|美金|刀|欧元|英镑|港币|港元|日元|dollars?|bucks|usd|cny|rmb|yuan|euros?|eur|pounds?|gbp|hkd|yen|jpy|€|£)(?![a-z])`,
  'g',
)

// A sum that is given back is money also without its unit: 退我一万二.
const GIVEN_BACK = new RegExp(
  `(?<=(?:退|赔|补偿?)(?:给|还|了|我){0,3})(?=.?[百千万])${HAN_NUMBER}(?![个件天次张])`,
  'g',
)

const CURRENCIES: Readonly<Record<string, Currency>> = {
  $: 'USD',
  us$: 'USD',
  usd: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  bucks: 'USD',
  美元: 'USD',
  美金: 'USD',
  刀: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  欧元: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  英镑: 'GBP',
  hk$: 'HKD',
  hkd: 'HKD',
  港币: 'HKD',
  港元: 'HKD',
  jpy: 'JPY',
  yen: 'JPY',
  日元: 'JPY',
}
// Quantities and words, not money: 一块 (together), 三块钱 is money, 一刀 (a cut).
const NOT_MONEY = /^(?:一块|一刀|两刀|一元)$/

/** Sums of money in a folded text, in order; `original` is the text as written, from which the mentions are cut. */
export function findAmounts(folded: string, original: string): AmountMention[] {
  const before = matchesOf(BEFORE, folded).map((match) => toHit(match, match[2]!, match[3], match[1]!))
  const after = matchesOf(AFTER, folded)
    .filter((match) => !NOT_MONEY.test(match[0]) && !isWeight(folded, match))
    .map((match) => toHit(match, match[1] ?? match[2]!, match[3] ?? match[4], match[5]!))
  const bare = matchesOf(GIVEN_BACK, folded).map((match) => toHit(match, match[1]!, undefined, '元'))
  const hits = [...before, ...after, ...bare].filter(({ value }) => Number.isFinite(value))
  return withoutOverlaps(hits).map(({ start, end, value, currency }) => ({
    text: original.slice(start, end).trim(),
    value,
    currency,
  }))
}

/** "It weighs 3 pounds" names no sum. */
function isWeight(folded: string, { 0: written, index }: RegExpExecArray): boolean {
  return (
    /pounds?$/.test(written) &&
    (/\bweigh\w{0,4}\b.{0,20}$/.test(folded.slice(Math.max(0, index - 30), index)) ||
      /^ (?:heavy|of weight|in weight)\b/.test(folded.slice(index + written.length)))
  )
}

function toHit(match: RegExpExecArray, number: string, factor: string | undefined, unit: string) {
  const scale = factor === undefined ? 1 : factor === '万' ? 10_000 : 1_000
  return {
    start: match.index,
    end: match.index + match[0].length,
    value: Math.round(parseNumber(number) * scale * 100) / 100,
    currency: CURRENCIES[unit] ?? ('CNY' as const),
  }
}
