import { Type } from 'typebox'
import { AppError } from '../kernel/errors.ts'
import { parseTimestamp } from '../kernel/time.ts'

/** A time among the parameters of a query. */
export function timeParameter(description: string) {
  return Type.Optional(
    Type.String({ maxLength: 40, description: `ISO 8601; ${description}`, examples: ['2026-01-31'] }),
  )
}

/** Null: it was not given. Throws bad_request (400) where it is no time. */
export function timeOf(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  // The blank is a plus sign that was not URL-encoded, as in `+00:00`.
  const time = parseTimestamp(text.replace(/(?<=T.{0,30}) (?=\d{2}:?\d{2}$)/, '+'))
  if (!time) throw new AppError('bad_request', field, `${field}: must be a date or time in ISO 8601`)
  return time
}

/** Both ends of a span of time; throws invalid (422) where it ends before it begins. */
export function periodOf({ from, to }: { from?: string; to?: string }): { from: Date | null; to: Date | null } {
  const period = { from: timeOf('from', from), to: timeOf('to', to) }
  if (period.from && period.to && period.to <= period.from) {
    throw new AppError('invalid', 'to', 'to: must be later than from')
  }
  return period
}
