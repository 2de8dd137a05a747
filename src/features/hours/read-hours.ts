import type { Static } from 'typebox'
import { AppError } from '../../kernel/errors.ts'
import { isTimezone } from './clock.ts'
import type { HoursBody } from './schemas.ts'
import { type Hours, type Interval, WEEKDAYS, type Weekday } from './types.ts'

type Given = Static<typeof HoursBody>
type GivenInterval = { from: string; to: string }

/** Hours as they are kept. Throws invalid, naming the field. */
export function readHours(body: Given): Hours {
  const { timezone, holidays = [], messages = {} } = body
  const weekly = body.weekly as Partial<Record<Weekday, GivenInterval[]>>
  if (!isTimezone(timezone)) throw wrong('timezone', 'must be a name of the IANA time zones, such as Asia/Shanghai')
  const dates = holidays.map(({ date }) => date)
  const twice = dates.find((date, index) => dates.indexOf(date) !== index)
  if (twice) throw wrong('holidays', `names ${twice} twice`)
  return {
    timezone,
    weekly: Object.fromEntries(
      WEEKDAYS.flatMap((day) => (weekly[day] ? [[day, readIntervals(`weekly.${day}`, weekly[day])]] : [])),
    ),
    holidays: holidays.map(({ date, intervals = [] }, index) => {
      if (!isDate(date)) throw wrong(`holidays[${index}].date`, 'must be a date')
      return { date, intervals: readIntervals(`holidays[${index}].intervals`, intervals) }
    }),
    messages: { zh: messages.zh?.trim() ?? '', en: messages.en?.trim() ?? '' },
  }
}

/** The same as callers write them. */
export function writeHours({ timezone, weekly, holidays, messages }: Hours) {
  return {
    timezone,
    weekly: Object.fromEntries(Object.entries(weekly).map(([day, intervals]) => [day, intervals.map(writeInterval)])),
    holidays: holidays.map(({ date, intervals }) => ({ date, intervals: intervals.map(writeInterval) })),
    messages,
  }
}

function readIntervals(field: string, given: readonly GivenInterval[]): Interval[] {
  const intervals = given.map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) }))
  for (const [index, { from, to }] of intervals.entries()) {
    if (from >= to) throw wrong(`${field}[${index}].to`, 'must be later than from')
    const before = intervals[index - 1]
    if (before && from < before.to) throw wrong(`${field}[${index}].from`, 'must not be earlier than the end before it')
  }
  return intervals
}

function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

function writeInterval({ from, to }: Interval): GivenInterval {
  const text = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  return { from: text(from), to: text(to) }
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function wrong(field: string, why: string): AppError {
  return new AppError('invalid', 'hours', `${field}: ${why}`)
}
