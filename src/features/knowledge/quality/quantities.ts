import { NUMBER, parseNumber } from '../../../language/numerals.ts'

export type QuantityKind = 'amount' | 'duration' | 'date' | 'time' | 'percentage' | 'count'

/** Something measurable that a sentence states. `low` and `high` differ for a range. */
export interface Quantity {
  kind: QuantityKind
  /** Only quantities of one unit can be compared: a currency, `hour`, `working day`, a counted thing. */
  unit: string
  low: number
  high: number
  bound: 'upper' | 'lower' | 'exact'
  /** Where it stands in the sentence. */
  start: number
  end: number
}

type Found = Pick<Quantity, 'unit' | 'low' | 'high'>
interface Rule {
  kind: QuantityKind
  /** Cheap test that a sentence must pass before the pattern is tried. */
  needs: RegExp
  pattern: RegExp
  read(groups: Record<string, string | undefined>): Found | undefined
}

const RANGE = `(?<!第\\s?)(?<low>${NUMBER})(?:\\s*(?:-|~|–|至|到|to)\\s*(?<high>${NUMBER}))?`

const CURRENCIES: [pattern: RegExp, unit: string][] = [
  [/^(?:¥|元|块|人民币|rmb|cny|yuan)/i, 'CNY'],
  [/^(?:us\$|\$|美元|美金|usd|dollars?)/i, 'USD'],
  [/^(?:€|欧元|eur|euros?)/i, 'EUR'],
  [/^(?:£|英镑|gbp|pounds?)/i, 'GBP'],
  [/^(?:日元|jpy|yen)/i, 'JPY'],
]

/** Hours of each unit; a month has 730.5 of them, and comparing allows for its being written as 30 days. */
const MONTH_HOURS = 730.5
const DURATIONS: [pattern: RegExp, unit: string, factor: number][] = [
  [/^个?工作日|^(?:working|business)/i, 'working day', 1],
  [/^(?:分钟|minutes?|mins?)/i, 'hour', 1 / 60],
  [/^(?:秒钟?|seconds?|secs?)/i, 'hour', 1 / 3_600],
  [/^(?:个?小时|hours?|hrs?|h$)/i, 'hour', 1],
  [/^(?:个?自然日|天|日|(?:calendar )?days?)/i, 'hour', 24],
  [/^(?:周|个?星期|个?礼拜|weeks?)/i, 'hour', 168],
  [/^(?:个?月|months?)/i, 'hour', MONTH_HOURS],
  [/^个?季度/, 'hour', 3 * MONTH_HOURS],
  [/^(?:年|years?|yrs?)/i, 'hour', 12 * MONTH_HOURS],
]

const DURATION_UNITS =
  '个?工作日|个?自然日|分钟|秒钟?|个?小时|天|日(?![期常元本])|周(?![一二三四五六日末年])|个?星期(?![一二三四五六日天])|个月|个?季度|年(?!龄|级|度|纪|前)|(?:working|business)[ -]days?\\b|calendar days?\\b|(?:second|sec|minute|min|hour|hr|day|week|month|year|yr)s?\\b(?! old)'

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

const CLOCK =
  '(?:(?<![\\d:])(?:[01]?\\d|2[0-4])[:：][0-5]\\d(?![\\d:])(?:\\s?[ap]\\.?m\\b)?|(?<!\\d)(?:1[0-2]|[1-9])\\s?[ap]\\.?m\\b|(?<!\\d)(?:[01]?\\d|2[0-4])\\s?点(?!\\d))'

/** "一张优惠券" and "one account" count nothing. */
const ARTICLE = /^(?:一|one)$/i

const MONTH_NAMED = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i
const DAY = '3[01]|[12]\\d|0?[1-9]'

/** In the order in which they take their part of a sentence: a date before the duration that its year would be. */
const RULES: Rule[] = [
  {
    kind: 'date',
    needs: /[年\-/.]/,
    pattern:
      /(?<![\d.])(?<year>(?:19|20)\d\d)\s?(?:年\s?|[-/.](?=\d{1,2}[-/.]))(?<month>1[0-2]|0?[1-9])\s?(?:月\s?|[-/.])(?:(?<day>3[01]|[12]\d|0?[1-9])(?!\d)\s?[日号]?)?/g,
    read: readDate,
  },
  {
    kind: 'date',
    needs: /月/,
    pattern: /(?<month>1[0-2]|0?[1-9])\s?月\s?(?<day>3[01]|[12]\d|0?[1-9])\s?[日号]/g,
    read: readDate,
  },
  {
    kind: 'date',
    needs: MONTH_NAMED,
    pattern: new RegExp(
      `\\b(?<name>${MONTHS})\\.? (?<day>${DAY})(?:st|nd|rd|th)?\\b(?:,? (?<year>(?:19|20)\\d\\d))?`,
      'gi',
    ),
    read: readDate,
  },
  {
    kind: 'date',
    needs: MONTH_NAMED,
    pattern: new RegExp(
      `\\b(?<day>${DAY})(?:st|nd|rd|th)? (?<name>${MONTHS})\\b\\.?(?: (?<year>(?:19|20)\\d\\d))?`,
      'gi',
    ),
    read: readDate,
  },
  { kind: 'date', needs: /年/, pattern: /(?<![\d.])(?:19|20)\d\d\s?年/g, read: () => undefined },
  {
    kind: 'time',
    needs: /[:：点]|\d\s?[ap]\.?m/i,
    pattern: new RegExp(`(?<from>${CLOCK})(?:\\s*(?:-|~|–|至|到|to|and)\\s*(?<till>${CLOCK}))?`, 'gi'),
    read: ({ from, till }) => ({ unit: 'clock', low: minutesOf(from!), high: minutesOf(till ?? from!) }),
  },
  {
    kind: 'percentage',
    needs: /%|percent|per cent|百分之/i,
    pattern: new RegExp(`${RANGE}\\s?(?:%|percent\\b|per cent\\b)|百分之(?<share>${NUMBER})`, 'gi'),
    read: ({ low, high, share }) => range('%', share ?? low, high),
  },
  {
    kind: 'percentage',
    needs: /折/,
    pattern: new RegExp(`${RANGE}\\s?折(?![叠扣旧])`, 'g'),
    read: ({ low, high }) => range('折', low, high),
  },
  {
    kind: 'amount',
    needs: /[¥$€£]|人民币|rmb|cny|usd|eur|gbp/i,
    pattern: new RegExp(
      `(?<before>¥|us\\$|\\$|€|£|人民币|rmb|cny|usd|eur|gbp)\\s?${RANGE}\\s?(?<scale>万|亿|k\\b)?\\s?元?`,
      'gi',
    ),
    read: ({ before, low, high, scale }) => money(before!, low, high, scale),
  },
  {
    kind: 'amount',
    needs: /[元块币镑]|dollar|euro|pound|yuan|yen|usd|rmb|cny|eur|gbp/i,
    pattern: new RegExp(
      `${RANGE}\\s?(?<scale>万|亿)?\\s?(?<after>元|块钱?|人民币|美元|美金|欧元|英镑|日元|(?:dollar|euro|pound)s?\\b|yuan\\b|yen\\b|usd\\b|rmb\\b|cny\\b|eur\\b|gbp\\b)`,
      'gi',
    ),
    read: ({ after, low, high, scale }) => money(after!, low, high, scale),
  },
  {
    kind: 'duration',
    needs: /[日天时钟秒周期年度月]|day|hour|hr|min|sec|week|month|year|yr/i,
    pattern: new RegExp(`${RANGE}\\s?-?(?<unit>${DURATION_UNITS})`, 'gi'),
    read: ({ low, high, unit }) => duration(low!, high, unit!),
  },
  {
    kind: 'count',
    needs: /[次台件张位名条份款倍级分积字人个种项部批家块片]|[kmgt]b|k[gm]|[cm]m|mah/i,
    pattern: new RegExp(
      `${RANGE}\\s?(?<unit>[次台件张位名条份款倍级分积字人个种项部批家块片]|(?:kb|mb|gb|tb|kg|km|cm|mm|mah)\\b)`,
      'gi',
    ),
    read: ({ low, high, unit }) => (ARTICLE.test(low!) ? undefined : range(unit!.toLowerCase(), low, high)),
  },
  {
    kind: 'count',
    needs: / [a-z]{2,19}s\b/i,
    pattern: new RegExp(
      `(?<![\\w.-])(?<low>${NUMBER})(?:\\s*(?:-|to)\\s*(?<high>${NUMBER}))? (?<unit>(?!(?:year|month|week|day|hour|minute|second)s)[a-z]{3,20}s)\\b`,
      'gi',
    ),
    read: ({ low, high, unit }) => (ARTICLE.test(low!) ? undefined : range(unit!.toLowerCase(), low, high)),
  },
]

/** Cheap test that most sentences fail: without a number there is no quantity. */
const MAYBE = new RegExp(NUMBER, 'i')

/** The quantities of a normalised sentence (NFKC), in order. */
export function findQuantities(sentence: string): Quantity[] {
  if (!MAYBE.test(sentence)) return []
  const taken: [start: number, end: number][] = []
  const quantities: Quantity[] = []
  for (const { kind, needs, pattern, read } of RULES) {
    if (!needs.test(sentence)) continue
    for (const match of sentence.matchAll(pattern)) {
      const start = match.index
      const end = start + match[0].length
      if (taken.some(([from, till]) => start < till && end > from)) continue
      taken.push([start, end])
      const found = read(match.groups ?? {})
      if (found && isSane(found)) quantities.push({ kind, ...found, bound: boundOf(sentence, start, end), start, end })
    }
  }
  return quantities.sort((a, b) => a.start - b.start)
}

function isSane({ low, high }: Found): boolean {
  return Number.isFinite(low) && Number.isFinite(high) && low <= high
}

function range(unit: string, low = '', high = low, factor = 1): Found {
  // Digits in a row, as in 二〇二六, are a year or a code and no quantity.
  const read = (text: string): number =>
    /^[零〇一二两三四五六七八九]{2,}$/.test(text) ? Number.NaN : parseNumber(text)
  return { unit, low: read(low) * factor, high: read(high) * factor }
}

function money(currency: string, low: string | undefined, high: string | undefined, scale = ''): Found | undefined {
  const unit = CURRENCIES.find(([pattern]) => pattern.test(currency))?.[1]
  const factor = { 万: 10_000, 亿: 100_000_000, k: 1_000 }[scale.toLowerCase()] ?? 1
  return unit === undefined ? undefined : range(unit, low, high, factor)
}

function duration(low: string, high: string | undefined, written: string): Found | undefined {
  const known = DURATIONS.find(([pattern]) => pattern.test(written))
  return known && range(known[1], low, high, known[2])
}

/** Days since a year 0 whose months all have 31 days: only equality matters. Dates without a year are a unit of their own. */
function readDate({ year = '0', month, name = '', day = '0' }: Record<string, string | undefined>): Found {
  const value = (Number(year) * 12 + Number(month ?? monthNumber(name))) * 31 + Number(day)
  const unit = `${year === '0' ? '' : 'year '}month${day === '0' ? '' : ' day'}`
  return { unit, low: value, high: value }
}

const MONTH_NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function monthNumber(name: string): number {
  return MONTH_NAMES.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

function minutesOf(clock: string): number {
  const [, hours = '', minutes = '0'] = /(\d{1,2})(?:[:：](\d\d))?/.exec(clock) ?? []
  const isAfternoon = /p\.?m/i.test(clock) && Number(hours) < 12
  return (Number(hours) + (isAfternoon ? 12 : 0)) * 60 + Number(minutes)
}

const UPPER_BEFORE =
  /(?:within|up to|at most|no more than|not exceed(?:ing)?|maximum(?: of)?|less than|under|不超过|不多于|不高于|低于|少于|最多|至多|最长|最高|上限为?)\s*(?:the |a |为|是)?(?:first |last )?$/i
const UPPER_AFTER = /^\s?(?:之?内|以内|以下|or less|or fewer|at most|at the latest)/i
const LOWER_BEFORE =
  /(?:at least|no less than|minimum(?: of)?|more than|over|above|after|from|至少|不少于|不低于|最少|最低|满|超过|大于|高于|达到?)\s*(?:the |a |为|是)?$/i
const LOWER_AFTER = /^\s?(?:以上|起|之?后|以后|or more|and above|or longer)/i

/** "within 7 days" and "after 7 days" do not contradict each other, so what a number bounds matters. */
function boundOf(sentence: string, start: number, end: number): Quantity['bound'] {
  const before = sentence.slice(Math.max(0, start - 24), start)
  const after = sentence.slice(end, end + 16)
  if (UPPER_BEFORE.test(before) || UPPER_AFTER.test(after)) return 'upper'
  return LOWER_BEFORE.test(before) || LOWER_AFTER.test(after) ? 'lower' : 'exact'
}
