/** Wall clocks of time zones, by the data that Node has of them. */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** A calendar day, wherever. */
export interface Day {
  /** `YYYY-MM-DD` */
  date: string
  /** 0 is Monday. */
  weekday: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  formats.set(timezone, format)
  return format
}

export function isTimezone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** Milliseconds by which the clocks of a zone are ahead of UTC at a moment. */
function offsetAt(time: number, timezone: string): number {
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1_000) * 1_000
}

/** The day that it is in a zone. */
export function dayAt(time: number, timezone: string): Day {
  return dayOf(Math.floor((time + offsetAt(time, timezone)) / DAY_MS))
}

/** So many days later. */
export function dayAfter({ date }: Day, days: number): Day {
  return dayOf(Date.parse(`${date}T00:00:00Z`) / DAY_MS + days)
}

/** @param number of the day since 1 January 1970, a Thursday */
function dayOf(number: number): Day {
  return { date: new Date(number * DAY_MS).toISOString().slice(0, 10), weekday: (((number + 3) % 7) + 7) % 7 }
}

/**
 * The moment at which the clocks of a zone show so many minutes after midnight of a day. Of a time that is shown twice the
 * first; of one that is skipped the moment at which it would have been.
 */
export function momentOf({ date }: Day, minutes: number, timezone: string): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS
  const guesses = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(near, timezone))
  const right = guesses.filter((guess) => guess + offsetAt(guess, timezone) === wall)
  return right.length > 0 ? Math.min(...right) : Math.max(...guesses)
}
