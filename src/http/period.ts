import { Type } from 'typebox'
import { AppError } from '../kernel/errors.ts'
import { parseTimestamp } from '../kernel/time.ts'

/** A time among the parameters of a query. */
export const Moment = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-01-31'] }))

/** Of a query: from when, and until when. */
export const periodFields = {
  from: Moment('From this date or time in ISO 8601 on'),
  to: Moment('Before this date or time'),
}

/** A period of a query, `from` included and `to` not. Throws bad_request, naming the field. */
export function readPeriod({ from, to }: { from?: string; to?: string }): { from?: Date; to?: Date } {
  const period = { ...readTime('from', from), ...readTime('to', to) }
  if (period.from && period.to && period.to <= period.from) {
    throw new AppError('bad_request', 'period', 'to: must be later than from')
  }
  return period
}

function readTime<Name extends 'from' | 'to'>(name: Name, text: string | undefined): { [name in Name]?: Date } {
  if (text === undefined) return {}
  return { [name]: parseMoment(name, text) } as { [name in Name]?: Date }
}

/** Throws bad_request, naming the field. */
export function parseMoment(name: string, text: string): Date {
  // The blank is a plus sign that was not URL-encoded, as in `+00:00`.
  const time = parseTimestamp(text.replace(/(?<=T.{0,30}) (?=\d{2}:?\d{2}$)/, '+'))
  if (!time) throw new AppError('bad_request', 'period', `${name}: must be a date or time in ISO 8601`)
  return time
}
