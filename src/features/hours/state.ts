import { type Day, dayAfter, dayAt, momentOf } from './clock.ts'
import { type Hours, type HoursState, type Interval, WEEKDAYS } from './types.ts'

/** So far ahead is looked for the next opening: the longest holidays are shorter. */
const DAYS_AHEAD = 60

/** Whether it is open at a moment, since when, and when that changes. */
export function stateAt(hours: Hours, now: number): HoursState {
  const today = dayAt(now, hours.timezone)
  const spans = joined(
    // From yesterday on, since what ends at midnight may go on at midnight.
    Array.from({ length: DAYS_AHEAD + 2 }, (_, n) => dayAfter(today, n - 1)).flatMap((day) => spansOf(hours, day)),
  )
  const current = spans.find(({ start, end }) => start <= now && now < end)
  if (current) {
    const isEndless = current === spans.at(-1) && current.end - now > (DAYS_AHEAD - 1) * 86_400_000
    return {
      isOpen: true,
      openSince: new Date(current.start),
      closesAt: isEndless ? null : new Date(current.end),
      opensAt: null,
    }
  }
  const next = spans.find(({ start }) => start > now)
  return { isOpen: false, openSince: null, closesAt: null, opensAt: next ? new Date(next.start) : null }
}

interface Span {
  start: number
  end: number
}

function spansOf(hours: Hours, day: Day): Span[] {
  return intervalsOf(hours, day).map(({ from, to }) => ({
    start: momentOf(day, from, hours.timezone),
    end: momentOf(day, to, hours.timezone),
  }))
}

function intervalsOf({ weekly, holidays }: Hours, { date, weekday }: Day): readonly Interval[] {
  const special = holidays.find((holiday) => holiday.date === date)
  if (special) return special.intervals
  const name = WEEKDAYS[weekday]
  return (name && weekly[name]) ?? []
}

/** One that begins when another ends goes on. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else result.push({ ...span })
  }
  return result
}
