import { randomUUID } from 'node:crypto'

/** A new id that says what it names: `msg_…`, `sess_…`; as hard to guess as 74 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${newUuid().replaceAll('-', '')}`
}

/**
 * A UUID of version 7 (RFC 9562, section 5.7): milliseconds first, then 74 random bits. Rows that are made one after
 * the other stand beside each other in an index, so that storing them touches few of its pages.
 */
export function newUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
