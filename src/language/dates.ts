import { matchesOf } from './fold.ts'
import { parseNumber } from './numerals.ts'
import { type Span, withoutOverlaps } from './spans.ts'

/** Some days as they are said; a clock places them. */
export interface Period {
  /** So many whole days, calendar weeks, months or years back. */
  readonly back?: { readonly unit: 'day' | 'week' | 'month' | 'year'; readonly count: number }
  /** A month, a day of it and a year by the calendar. */
  readonly on?: { readonly year?: number; readonly month: number; readonly day?: number }
}

/** Where a folded text names days: its offsets, the period, and the single day where it is one. */
interface Mention extends Span {
  /** Null: a day of the week, or one that cannot be. */
  period: Period | null
  dayOf(now: Date): string | null
}

type Said = { period: Period | null; dayOf?: (now: Date) => string | null }
type Groups = readonly (string | undefined)[]

const DAY_MS = 86_400_000
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const WEEKDAY = '(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)day'
const COUNT = '(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|[一二两三四五六七八九十]{1,3}|半)'
const YEAR = '((?:19|20)\\d{2})'
const UNITS: Readonly<Record<string, NonNullable<Period['back']>['unit']>> = {
  天: 'day',
  周: 'week',
  星期: 'week',
  礼拜: 'week',
  月: 'month',
  年: 'year',
}
/** How many weeks, months or years back. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ next: -1, this: 0, last: 1 },
  ...{ 下: -1, 明: -1, 这: 0, 本: 0, 今: 0, 上: 1, 去: 1, 上上: 2 },
}

/** Where a date without a year may lie: a month ahead, else it is read as one of the past year. */
const FUTURE_DAYS = 31

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

const RULES: readonly { pattern: RegExp; read: (groups: Groups) => Said }[] = [
  rule(`(?<!\\d)${YEAR}[-/.](\\d{1,2})[-/.](\\d{1,2})(?!\\d)`, ([y, m, d]) => onDay(y, m, d)),
  rule(`(?<!\\d)(?:${YEAR}年)?(\\d{1,2})月(?:(\\d{1,2})[日号]?|份)?(?!\\d)`, ([y, m, d]) => onDay(y, m, d)),
  // 3/4/2024 may be March or April: only a number above twelve decides.
  rule(`(?<!\\d)(\\d{1,2})/(\\d{1,2})/${YEAR}(?!\\d)`, ([a, b, y]) => {
    if (Number(a) > 12) return onDay(y, b, a)
    return Number(b) > 12 || a === b ? onDay(y, a, b) : { period: null }
  }),
  rule(`\\b${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? ${YEAR})?\\b`, ([m, d, y]) => onDay(y, numberOf(m), d)),
  rule(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b(?:,? ${YEAR}\\b)?`, ([d, m, y]) => onDay(y, numberOf(m), d)),
  rule(`\\b${MONTH} ${YEAR}\\b`, ([m, y]) => onDay(y, numberOf(m), undefined)),
  rule(`\\b(?:in|from|during|of|since|last) ${MONTH}\\b`, ([m]) => onDay(undefined, numberOf(m), undefined)),
  rule(`\\b(${dayWords(true)})\\b`, ([word]) => daysBack(-DAY_WORDS[word!]!)),
  rule(`(${dayWords(false)})`, ([word]) => daysBack(-DAY_WORDS[word!]!)),
  rule(`\\b${COUNT} (day|week|month|year)s? (?:ago|back)\\b`, ([n, unit]) => ago(n!, unit as 'day')),
  rule(`${COUNT}个?(天|周|星期|礼拜|月|年)(?:之?以?前)`, ([n, unit]) => ago(n!, UNITS[unit!]!)),
  rule(`\\b(last|next|this|on|by|before|since|until)? ?${WEEKDAY}\\b`, ([which, name]) => ({
    period: null,
    dayOf: (now) => weekday(which ?? '', WEEKDAYS.indexOf(name!.slice(0, 3)), now),
  })),
  rule('(上个?|下个?|这个?|本)?(?:周|星期|礼拜)([一二三四五六日天])', ([which, name]) => ({
    period: null,
    dayOf: (now) => weekday(which ?? '', '日一二三四五六天'.indexOf(name!) % 7, now),
  })),
  rule('\\b(last|next|this) (week|month|year)\\b', ([which, unit]) => stepsBack(which!, unit as 'week')),
  rule('(上上|上|下|这|本|去|今|明)个?(周|星期|礼拜|月|年)(?!末)', ([which, unit]) => stepsBack(which!, UNITS[unit!]!)),
  rule('\\b(?:last|next|this) weekend\\b|[上下这]个?周末', () => ({ period: null })),
]

function rule(pattern: string, read: (groups: Groups) => Said): (typeof RULES)[number] {
  return { pattern: new RegExp(pattern, 'g'), read }
}

function dayWords(latin: boolean): string {
  return Object.keys(DAY_WORDS)
    .filter((word) => /^[a-z]/.test(word) === latin)
    .join('|')
}

/** The days that a folded text names, in order; where two readings overlap, the longer one stands. */
export function findDates(folded: string): Mention[] {
  const mentions = RULES.flatMap(({ pattern, read }) =>
    matchesOf(pattern, folded).map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      dayOf: () => null,
      ...read(match.slice(1)),
    })),
  )
  return withoutOverlaps(mentions)
}

function numberOf(month: string | undefined): string {
  return String(MONTHS.indexOf(month!.slice(0, 3)) + 1)
}

function onDay(year: string | undefined, month: string | undefined, dayOfMonth: string | undefined): Said {
  const on = {
    ...(year === undefined ? {} : { year: Number(year) }),
    month: Number(month),
    ...(dayOfMonth === undefined ? {} : { day: Number(dayOfMonth) }),
  }
  if (on.month < 1 || on.month > 12) return { period: null }
  return { period: { on }, dayOf: (now) => (on.day === undefined ? null : dayNear(on.year, on.month, on.day, now)) }
}

function day(year: number, month: number, dayOfMonth: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, dayOfMonth))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === dayOfMonth
  return exists ? date.toISOString().slice(0, 10) : null
}

function dayNear(year: number | undefined, month: number, dayOfMonth: number, now: Date): string | null {
  if (year !== undefined) return day(year, month, dayOfMonth)
  const thisYear = now.getUTCFullYear()
  const date = day(thisYear, month, dayOfMonth)
  const isFar = date !== null && Date.parse(date) - now.getTime() > FUTURE_DAYS * DAY_MS
  return isFar ? day(thisYear - 1, month, dayOfMonth) : date
}

function daysBack(count: number): Said {
  return { period: { back: { unit: 'day', count } }, dayOf: (now) => shifted(now, -count) }
}

function stepsBack(which: string, unit: 'week' | 'month' | 'year' | 'day'): Said {
  return { period: { back: { unit, count: STEPS[which] ?? 0 } } }
}

function ago(count: string, unit: NonNullable<Period['back']>['unit']): Said {
  if (count === '半') return unit === 'month' ? daysBack(15) : { period: null }
  const number = /^an?$/.test(count) ? 1 : parseNumber(count)
  if (unit === 'day') return daysBack(number)
  const dayOf = (now: Date): string =>
    unit === 'week' ? shifted(now, -7 * number) : monthsBefore(now, unit === 'year' ? 12 * number : number)
  return { period: { back: { unit, count: number } }, dayOf }
}

function shifted(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

function monthsBefore(now: Date, months: number): string {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(now.getUTCDate(), lastDay))
  return first.toISOString().slice(0, 10)
}

/** `last`: before today; `next`: in the coming calendar week; otherwise the nearest such day within three days either way. */
function weekday(which: string, target: number, now: Date): string {
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
