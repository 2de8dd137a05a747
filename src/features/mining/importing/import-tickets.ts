import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../../../platform/postgres/index.ts'
import { saveTickets } from '../queries.ts'
import type { ImportResult, NewTicket } from '../types.ts'
import type { TicketRow } from './ticket-file.ts'
import { RowError, toTicket } from './ticket-row.ts'

const BATCH = 250
/** Masking is work of a millisecond for a long ticket: others get their turn that often. */
const MAX_BUSY_MS = 20
const MAX_ERRORS = 100

/**
 * Stores tickets in batches, each in a transaction of its own. A ticket that is there already is updated, or skipped when
 * nothing changed; rows that cannot be taken are named and left out.
 */
export async function importTickets(
  db: Database,
  rows: AsyncIterable<TicketRow> | Iterable<TicketRow>,
): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, updated: 0, skipped: 0, failed: 0, errors: [] }
  let batch = new Map<string, NewTicket>()
  const flush = async (): Promise<void> => {
    if (batch.size === 0) return
    const { imported, updated } = await saveTickets(db, [...batch.values()])
    result.imported += imported
    result.updated += updated
    result.skipped += batch.size - imported - updated
    batch = new Map()
  }
  let busySince = performance.now()
  for await (const row of rows) {
    if (performance.now() - busySince > MAX_BUSY_MS) {
      await breathe()
      busySince = performance.now()
    }
    const ticket = readRow(row, result)
    if (!ticket) continue
    // The same ticket again in one file is an update of it.
    if (batch.size === BATCH || batch.has(ticket.ticketId)) await flush()
    batch.set(ticket.ticketId, ticket)
  }
  await flush()
  return result
}

function readRow({ place, value, problem }: TicketRow, result: ImportResult): NewTicket | null {
  try {
    if (problem !== undefined) throw new RowError(problem)
    const ticket = toTicket(value)
    if (!ticket) result.skipped += 1
    return ticket
  } catch (error) {
    if (!(error instanceof RowError)) throw error
    result.failed += 1
    if (result.errors.length < MAX_ERRORS) result.errors.push(`${place}: ${error.message}`)
    return null
  }
}
