import { randomUUID } from 'node:crypto'

/** A new id that says what it names: `msg_…`, `sess_…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}
