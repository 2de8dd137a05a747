import { setImmediate as breathe } from 'node:timers/promises'
import { AppError } from '../../../kernel/errors.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { saveTickets } from '../queries.ts'
import type { ImportResult, NewTicket } from '../types.ts'
import { type ChosenColumns, type Columns, createColumns, type TicketField } from './columns.ts'
import { readExchange } from './conversation.ts'
import { isObject } from './flat-row.ts'
import { areMessages, joinMessages } from './message-rows.ts'
import type { TicketRow } from './ticket-file.ts'
import { RowError, toTicket } from './ticket-row.ts'

const BATCH = 250
/** Masking is work of a millisecond for a long ticket: others get their turn that often. */
const MAX_BUSY_MS = 20
const MAX_ERRORS = 100

/** Rows that are looked at before anything is stored, to tell what their columns are. */
const LOOKED_AT = 200

/**
 * Stores tickets in batches, each in a transaction of its own. A ticket that is there already is updated, or skipped when
 * nothing changed; rows that cannot be taken are named and left out. Throws invalid, before anything is stored, where no column
 * tells the tickets' ids or what they are about.
 *
 * @param chosen columns that the caller names.
 */
export async function importTickets(
  db: Database,
  rows: AsyncIterable<TicketRow> | Iterable<TicketRow>,
  chosen: ChosenColumns = {},
): Promise<ImportResult> {
  const columns = createColumns(chosen)
  const counts = { imported: 0, updated: 0, skipped: 0, failed: 0, errors: [] as string[] }
  let batch = new Map<string, NewTicket>()
  const flush = async (): Promise<void> => {
    if (batch.size === 0) return
    const { imported, updated } = await saveTickets(db, [...batch.values()])
    counts.imported += imported
    counts.updated += updated
    counts.skipped += batch.size - imported - updated
    batch = new Map()
  }
  let busySince = performance.now()
  for await (const row of recognised(rows, chosen)) {
    if (performance.now() - busySince > MAX_BUSY_MS) {
      await breathe()
      busySince = performance.now()
    }
    const ticket = readRow(row, columns, counts)
    if (!ticket) continue
    // The same ticket again in one file is an update of it.
    if (batch.size === BATCH || batch.has(ticket.ticketId)) await flush()
    batch.set(ticket.ticketId, ticket)
  }
  await flush()
  return { ...counts, columns: columns.used() }
}

/** The rows as they come, once the first of them have shown what their columns are. */
async function* recognised(
  rows: AsyncIterable<TicketRow> | Iterable<TicketRow>,
  chosen: ChosenColumns,
): AsyncIterable<TicketRow> {
  const all = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  const first: TicketRow[] = []
  let next = await all.next()
  for (; !next.done && first.length < LOOKED_AT; next = await all.next()) first.push(next.value)
  refuseUnknown(first, chosen)
  const whole = (async function* () {
    yield* first
    for (; !next.done; next = await all.next()) yield next.value
  })()
  yield* areMessages(first, chosen) ? joinMessages(whole, chosen) : whole
}

function refuseUnknown(rows: readonly TicketRow[], chosen: ChosenColumns): void {
  const columns = createColumns(chosen)
  const read = rows.flatMap(({ value }) => (isObject(value) ? columns.read(value) : []))
  if (columns.names().length === 0) return
  const found = `the columns are ${columns
    .names()
    .map((name) => JSON.stringify(name))
    .join(', ')}`
  for (const [field, name] of Object.entries(chosen)) {
    if (!columns.has(field as TicketField))
      throw unknown(`${field}_column: there is no column ${JSON.stringify(name)}; ${found}`)
  }
  const isAsked = columns.has('content') || columns.has('subject')
  if (!isAsked && !read.some(({ thread, requesters }) => readExchange(thread, requesters).asked !== '')) {
    throw unknown(`file: no column tells what customers asked; name it by content_column; ${found}`)
  }
  if (!columns.has('ticket_id'))
    throw unknown(`file: no column tells the tickets apart; name it by ticket_id_column; ${found}`)
}

function unknown(message: string): AppError {
  return new AppError('invalid', 'columns', message)
}

function readRow(
  { place, value, problem }: TicketRow,
  columns: Columns,
  counts: Pick<ImportResult, 'skipped' | 'failed' | 'errors'>,
): NewTicket | null {
  try {
    if (problem !== undefined) throw new RowError(problem)
    if (!isObject(value)) throw new RowError('is no object')
    const ticket = toTicket(columns.read(value))
    if (!ticket) counts.skipped += 1
    return ticket
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    counts.failed += 1
    if (counts.errors.length < MAX_ERRORS) counts.errors.push(`${place}: ${error.message}`)
    return null
  }
}
