import { withoutInvisible } from '../../../kernel/invisible.ts'
import { parseTimestamp } from '../../../kernel/time.ts'
import { maskText } from '../../../privacy/index.ts'
import type { NewTicket } from '../types.ts'
import type { ReadRow, TicketField } from './columns.ts'
import { readExchange, readTranscript } from './conversation.ts'
import { plainText } from './plain-text.ts'

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

/** A ticket of what a row holds, personal data masked; null when the row is blank. Throws RowError that names the field. */
export function toTicket({ fields, thread, requesters, raw }: ReadRow): NewTicket | null {
  const exchange = readExchange(thread, requesters)
  if (Object.keys(fields).length === 0 && exchange.asked === '') return null
  const text = (field: keyof typeof MAX_LENGTH): string => textOf(field, fields[field])
  const long = (field: 'content' | 'solution'): string => plainText(text(field))
  const told = long('content')
  const spoken = readTranscript(told) ?? exchange
  const content = told === '' || spoken !== exchange ? cut('content', spoken.asked) : told
  const solution = chooseSolution(long('solution'), cut('solution', spoken.answered))
  const ticket = {
    ticketId: text('ticket_id'),
    subject: maskText(text('subject')),
    content: maskText(content),
    solution: maskText(solution),
    status: statusOf(text('status'), raw).toLowerCase(),
    category: text('category'),
    createdAt: fields.created_at === undefined ? null : timeOf(fields.created_at),
  }
  if (ticket.ticketId === '') throw new RowError('ticket_id is missing')
  if (ticket.content === '' && ticket.subject === '') throw new RowError('content is missing')
  return ticket
}

/** Shorter than this a column called resolution says that something was done; the conversation says what. */
const TELLING = 20

function chooseSolution(written: string, answered: string): string {
  return written.length < TELLING && answered !== '' ? answered : written
}

function cut(field: 'content' | 'solution', text: string): string {
  return text.slice(0, MAX_LENGTH[field])
}

/** Freshdesk writes numbers. */
const FRESHDESK: Record<string, string> = { 2: 'open', 3: 'pending', 4: 'resolved', 5: 'closed' }

function statusOf(status: string, raw: Record<string, unknown>): string {
  return 'responder_id' in raw ? (FRESHDESK[status] ?? status) : status
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

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const DAY_FIRST = /^(\d{1,2})[ /.-]([a-z]{3,9})[ /.,-]{1,2}(\d{2}|\d{4})(?:,?\s(.{1,12}))?$/i
const MONTH_FIRST = /^([a-z]{3,9}) (\d{1,2}),? (\d{4})(?:,?\s(.{1,12}))?$/i
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s?([ap]m)?$/i

/** A month in words: `12/Mar/26 10:11 AM`, `Mar 12, 2026`. Where day and month are both numbers nothing tells them apart. */
function fromWords(text: string): Date | null {
  const [, day = '', dayMonth = '', dayYear = '', dayClock = '0:00'] = DAY_FIRST.exec(text) ?? []
  const [, month = dayMonth, monthDay = day, year = dayYear, clock = dayClock] = MONTH_FIRST.exec(text) ?? []
  const [, hour = '', minute = '', second = '00', half = ''] = CLOCK.exec(clock) ?? []
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1
  if (number === 0 || hour === '') return null
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const two = (part: string | number) => String(part).padStart(2, '0')
  return parseTimestamp(
    `${year.padStart(4, '20')}-${two(number)}-${two(monthDay)}T${two(hours)}:${two(minute)}:${second}`,
  )
}

/** ISO 8601, or what spreadsheets make of it: `2026/3/2 9:05`. */
function fromText(text: string): Date | null {
  const given = text
    .trim()
    .replace(/[年月]/g, '-')
    .replace('日', '')
    .replace(/ (?:UTC|GMT)$| (?=[+-]\d{2}:?\d{2}$)/, '')
  const parts = SPREADSHEET_TIME.exec(given)
  if (!parts) return parseTimestamp(given) ?? fromWords(given)
  const [year, month, day, hour = '0', minute = '00', second = '00'] = parts.slice(1)
  const two = (part = '') => part.padStart(2, '0')
  return parseTimestamp(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}`)
}
