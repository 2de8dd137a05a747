import { withoutInvisible } from '../../../kernel/invisible.ts'
import { parseTimestamp } from '../../../kernel/time.ts'
import { maskText } from '../../../privacy/index.ts'
import type { NewTicket } from '../types.ts'
import { fieldsOf, type TicketField } from './columns.ts'

/** Why one row cannot be taken; named by its place when it is reported. */
export class RowError extends Error {}

const MAX_LENGTH: Record<Exclude<TicketField, 'created_at'>, number> = {
  ticket_id: 200,
  subject: 1_000,
  content: 100_000,
  solution: 20_000,
  status: 100,
  category: 200,
}

/**
 * A ticket of what a row holds, personal data masked; null when the row is blank. Throws RowError that names the field.
 */
export function toTicket(row: unknown): NewTicket | null {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new RowError('is no object')
  const fields = fieldsOf(row as Record<string, unknown>)
  if (Object.keys(fields).length === 0) return null
  const text = (field: keyof typeof MAX_LENGTH): string => textOf(field, fields[field])
  const ticket = {
    ticketId: text('ticket_id'),
    subject: maskText(text('subject')),
    content: maskText(text('content')),
    solution: maskText(text('solution')),
    status: text('status').toLowerCase(),
    category: text('category'),
    createdAt: fields.created_at === undefined ? null : timeOf(fields.created_at),
  }
  if (ticket.ticketId === '') throw new RowError('ticket_id is missing')
  if (ticket.content === '' && ticket.subject === '') throw new RowError('content is missing')
  return ticket
}

function textOf(field: keyof typeof MAX_LENGTH, value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return textOf(field, value.join(', '))
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') throw new RowError(`${field} must be text`)
  const given = value.replaceAll('\u0000', '').toWellFormed()
  // Another id is another ticket; of texts, what nobody sees is nothing.
  const text = (field === 'ticket_id' ? given : withoutInvisible(given)).trim()
  if (text.length > MAX_LENGTH[field]) {
    throw new RowError(`${field} is longer than ${MAX_LENGTH[field]} characters`)
  }
  return text
}

const SPREADSHEET_TIME = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
/** Numbers below are seconds since 1970, above milliseconds: 5138 in the one, 1973 in the other. */
const MAX_SECONDS = 100_000_000_000

function timeOf(value: unknown): Date {
  const time = typeof value === 'number' ? fromNumber(value) : typeof value === 'string' ? fromText(value) : null
  if (!time || Number.isNaN(time.getTime())) throw new RowError('created_at must be an ISO 8601 date or time')
  return time
}

function fromNumber(value: number): Date | null {
  if (!(value > 0 && value < MAX_SECONDS * 1_000)) return null
  return new Date(value < MAX_SECONDS ? value * 1_000 : value)
}

/** ISO 8601, or what spreadsheets make of it: `2026/3/2 9:05`. */
function fromText(text: string): Date | null {
  const parts = SPREADSHEET_TIME.exec(text.trim())
  if (!parts) return parseTimestamp(text)
  const [year, month, day, hour = '0', minute = '00', second = '00'] = parts.slice(1)
  const two = (part = '') => part.padStart(2, '0')
  return parseTimestamp(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}`)
}
