import { randomUUID } from 'node:crypto'

/** A new id that says what it names: `msg_…`, `sess_…`; as hard to guess as 74 random bits. */
export function newId(prefix: string): string {
  const random = randomUUID()
  return `${prefix}_${timeDigits()}7${random.slice(15, 18)}${random.slice(19, 23)}${random.slice(24)}`
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7): milliseconds first, then 74 random bits. Rows that are made one after
 * the other stand beside each other in an index, so that storing them touches few of its pages. The random half is that
 * of version 4, which Node draws for many at once.
 */
export function newUuid(): string {
  const time = timeDigits()
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

let last = { time: 0, digits: '' }

/** Written out once for all ids of a millisecond. */
function timeDigits(): string {
  const time = Date.now()
  if (time !== last.time) last = { time, digits: time.toString(16).padStart(12, '0') }
  return last.digits
}
