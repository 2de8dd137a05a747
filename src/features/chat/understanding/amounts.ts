import { parseNumber } from './numbers.ts'
import { matchesOf } from './text.ts'
import type { AmountMention, Currency } from './types.ts'

const NUMBER = '(\\d{1,9}(?:,\\d{3}){0,3}(?:\\.\\d{1,2})?)'
const HAN_NUMBER = '([零〇一二两三四五六七八九十百千万]{1,9})'
const BEFORE = new RegExp(`(hk\\$|us\\$|\\$|¥|￥|€|£|usd|cny|rmb|eur|gbp|hkd|jpy) ?${NUMBER}(万|k\\b)?`, 'g')
const AFTER = new RegExp(
  `(?<![\\d.,#])(?:${NUMBER}|${HAN_NUMBER}) ?(万)?(k )?(人民币|块钱|块|元|圆|美元|美金|刀|欧元|英镑|港币|港元|日元|dollars?|bucks|usd|cny|rmb|yuan|euros?|eur|pounds?|gbp|hkd|yen|jpy|€|£)(?![a-z])`,
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
    .filter((match) => !NOT_MONEY.test(match[0]))
    .map((match) => toHit(match, match[1] ?? match[2]!, match[3] ?? match[4], match[5]!))
  const hits = [...before, ...after].filter(({ value }) => Number.isFinite(value)).sort((a, b) => a.start - b.start)
  return hits
    .filter((hit, index) => index === 0 || hit.start >= hits[index - 1]!.end)
    .map(({ start, end, value, currency }) => ({ text: original.slice(start, end).trim(), value, currency }))
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
