import { AppError } from '../kernel/errors.ts'

/** Postgres' own text of a time, to the microsecond: a page goes on exactly behind the row before. */
const MICROSECONDS = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?[+-]\d{2}(?::\d{2})?$/

/** Where the next page of a list goes on: behind a time and an id. */
export function encodeCursor(place: readonly [time: string, id: string]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Throws bad_request for a text that is no cursor of a list. */
export function decodeCursor(text: string): [time: string, id: string] {
  const [time, id, ...rest] = partsOf(text)
  const isOurs = typeof time === 'string' && MICROSECONDS.test(time) && typeof id === 'string' && rest.length === 0
  if (isOurs && !id.includes('\0') && !Number.isNaN(Date.parse(`${time.slice(0, 10)}T${time.slice(11, 19)}Z`)))
    return [time, id]
  throw new AppError('bad_request', 'cursor', 'before: must be next_before of the page before')
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
