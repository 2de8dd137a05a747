import { parseNumber } from './numbers.ts'
import { matchesOf } from './text.ts'
import type { DateMention } from './types.ts'

const DAY_MS = 86_400_000
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const WEEKDAY = '(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)day'
const COUNT = '(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|[一二两三四五六七八九十]{1,3}|半)'
const WORD_NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** Where a date without a year may lie: a month ahead, else it is read as one of the past year. */
const FUTURE_DAYS = 31

type Place = (groups: (string | undefined)[], now: Date | undefined) => string | null
type Rule = { pattern: RegExp; place: Place }

const DAY_WORDS: Readonly<Record<string, number>> = {
  'the day before yesterday': -2,
  yesterday: -1,
  'last night': -1,
  today: 0,
  tonight: 0,
  'this morning': 0,
  'this afternoon': 0,
  'this evening': 0,
  tomorrow: 1,
  'the day after tomorrow': 2,
  大前天: -3,
  前天: -2,
  昨天: -1,
  昨晚: -1,
  昨日: -1,
  今天: 0,
  今早: 0,
  今晚: 0,
  今日: 0,
  明天: 1,
  明早: 1,
  明晚: 1,
  后天: 2,
}

const RULES: readonly Rule[] = [
  rule('(?<!\\d)((?:19|20)\\d{2})[-/.](\\d{1,2})[-/.](\\d{1,2})(?!\\d)', ([y, m, d]) => day(y, m, d)),
  rule('(?<!\\d)((?:19|20)\\d{2})年(\\d{1,2})月(\\d{1,2})[日号]?', ([y, m, d]) => day(y, m, d)),
  rule('(?<!\\d)(\\d{1,2})月(\\d{1,2})[日号]?(?!\\d)', ([m, d], now) => dayNear(m, d, now)),
  rule('(?<!\\d)(\\d{1,2})/(\\d{1,2})/((?:19|20)\\d{2})(?!\\d)', ([a, b, y]) => slashed(a!, b!, y!)),
  rule(`\\b${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? ((?:19|20)\\d{2}))?\\b`, ([m, d, y], now) =>
    named(m!, d!, y, now),
  ),
  rule(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b(?:,? ((?:19|20)\\d{2})\\b)?`, ([d, m, y], now) =>
    named(m!, d!, y, now),
  ),
  rule(`\\b${MONTH} ((?:19|20)\\d{2})\\b`, () => null),
  rule(`\\b(${dayWords(true)})\\b`, ([word], now) => shifted(now, DAY_WORDS[word!])),
  rule(`(${dayWords(false)})`, ([word], now) => shifted(now, DAY_WORDS[word!])),
  rule(`\\b${COUNT} (day|week|month)s? (?:ago|back)\\b`, ([n, unit], now) => ago(n!, unit!, now)),
  rule(`${COUNT}个?(天|周|星期|礼拜|月)(?:之?以?前)`, ([n, unit], now) => ago(n!, unit!, now)),
  rule(`\\b(last|next|this|on|by|before|since|until)? ?${WEEKDAY}\\b`, ([which, name], now) =>
    weekday(which ?? '', WEEKDAYS.indexOf(name!.slice(0, 3)), now),
  ),
  rule('(上个?|下个?|这个?|本)?(?:周|星期|礼拜)([一二三四五六日天])', ([which, name], now) =>
    weekday(which ?? '', '日一二三四五六天'.indexOf(name!) % 7, now),
  ),
  rule('\\b((?:last|next|this) (?:week|month|year|weekend))\\b', () => null),
  rule('((?:上|下|这)(?:个?周末|个?星期|个?礼拜|个?月|周)|去年|今年|明年)', () => null),
]

function rule(pattern: string, place: Place): Rule {
  return { pattern: new RegExp(pattern, 'g'), place }
}

function dayWords(latin: boolean): string {
  return Object.keys(DAY_WORDS)
    .filter((word) => /^[a-z]/.test(word) === latin)
    .join('|')
}

/**
 * Days that a folded text names, in order; where two readings overlap, the longer one stands.
 *
 * @param original the text as written, from which the mentions are cut
 * @param now reference for relative dates and missing years, a UTC calendar day
 */
export function findDates(folded: string, original: string, now: Date | undefined): DateMention[] {
  const hits = RULES.flatMap(({ pattern, place }) =>
    matchesOf(pattern, folded).map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      date: place(match.slice(1), now),
    })),
  )
  return withoutOverlaps(hits).map(({ start, end, date }) => ({ text: original.slice(start, end).trim(), date }))
}

function withoutOverlaps<Hit extends { start: number; end: number }>(hits: readonly Hit[]): Hit[] {
  const longestFirst = [...hits].sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: Hit[] = []
  let end = 0
  for (const hit of longestFirst) {
    if (hit.start < end) continue
    kept.push(hit)
    end = hit.end
  }
  return kept
}

function day(year: string | undefined, month: string | undefined, dayOfMonth: string | undefined): string | null {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth)))
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(dayOfMonth)
  return exists ? date.toISOString().slice(0, 10) : null
}

function dayNear(month: string | undefined, dayOfMonth: string | undefined, now: Date | undefined): string | null {
  if (now === undefined) return null
  const year = now.getUTCFullYear()
  const date = day(String(year), month, dayOfMonth)
  const isFar = date !== null && Date.parse(date) - now.getTime() > FUTURE_DAYS * DAY_MS
  return isFar ? day(String(year - 1), month, dayOfMonth) : date
}

// 3/4/2024 may be March or April: only a number above twelve decides.
function slashed(first: string, second: string, year: string): string | null {
  if (Number(first) > 12) return day(year, second, first)
  return Number(second) > 12 || first === second ? day(year, first, second) : null
}

function named(month: string, dayOfMonth: string, year: string | undefined, now: Date | undefined): string | null {
  const number = String(MONTHS.indexOf(month.slice(0, 3)) + 1)
  return year === undefined ? dayNear(number, dayOfMonth, now) : day(year, number, dayOfMonth)
}

function shifted(now: Date | undefined, days: number | undefined): string | null {
  if (now === undefined || days === undefined) return null
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

function ago(count: string, unit: string, now: Date | undefined): string | null {
  if (now === undefined) return null
  const isMonth = unit === 'month' || unit === '月'
  if (count === '半') return isMonth ? shifted(now, -15) : null
  const number = countOf(count)
  if (isMonth) return monthsBefore(now, number)
  return shifted(now, unit === 'day' || unit === '天' ? -number : -7 * number)
}

function countOf(count: string): number {
  if (count === 'a' || count === 'an') return 1
  const word = WORD_NUMBERS.indexOf(count)
  return word >= 0 ? word + 1 : parseNumber(count)
}

function monthsBefore(now: Date, months: number): string {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(now.getUTCDate(), lastDay))
  return first.toISOString().slice(0, 10)
}

/** `last`: before today; `next`: in the coming calendar week; otherwise the nearest such day within three days either way. */
function weekday(which: string, target: number, now: Date | undefined): string | null {
  if (now === undefined) return null
  const today = now.getUTCDay()
  if (which === 'last') return shifted(now, -(((today - target + 6) % 7) + 1))
  const mondayBased = ((target + 6) % 7) - ((today + 6) % 7)
  if (which.startsWith('上')) return shifted(now, mondayBased - 7)
  if (which === 'next' || which.startsWith('下')) return shifted(now, mondayBased + 7)
  if (which === 'by' || which === 'before' || which === 'until') return shifted(now, (target - today + 7) % 7)
  if (which === 'this' || which.startsWith('这') || which === '本') return shifted(now, mondayBased)
  const ahead = (target - today + 7) % 7
  return shifted(now, ahead > 3 ? ahead - 7 : ahead)
}
