import type { PeriodMention } from '../../language/order-talk.ts'

const DAY_MS = 86_400_000

/** Does a time lie in the days, the calendar week, month or year that was named? UTC days; milliseconds since the epoch. */
export function fallsIn(timeMs: number, period: PeriodMention, nowMs: number): boolean {
  const [from, to] = boundsOf(period, new Date(nowMs))
  return timeMs >= from && timeMs < to
}

function boundsOf({ back, on }: PeriodMention, now: Date): [from: number, to: number] {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (on) return boundsOn(on, now)
  const { unit, count } = back ?? { unit: 'day', count: 0 }
  if (unit === 'year') return [Date.UTC(year - count, 0), Date.UTC(year - count + 1, 0)]
  if (unit === 'month') return [Date.UTC(year, month - count), Date.UTC(year, month - count + 1)]
  // Weeks begin on Monday.
  const [days, start] = unit === 'week' ? [7, day - ((now.getUTCDay() + 6) % 7) - 7 * count] : [1, day - count]
  const from = Date.UTC(year, month, start)
  return [from, from + days * DAY_MS]
}

/** The latest such month or day that is not to come. */
function boundsOn({ year, month, day }: NonNullable<PeriodMention['on']>, now: Date): [from: number, to: number] {
  const thisYear = Date.UTC(now.getUTCFullYear(), month - 1, day ?? 1)
  const of = year ?? (thisYear > now.getTime() ? now.getUTCFullYear() - 1 : now.getUTCFullYear())
  const from = Date.UTC(of, month - 1, day ?? 1)
  return [from, day === undefined ? Date.UTC(of, month) : from + DAY_MS]
}
