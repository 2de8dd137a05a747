import { type ChosenColumns, createColumns, speakerOf } from './columns.ts'
import { isObject } from './flat-row.ts'
import type { TicketRow } from './ticket-file.ts'

/** Does a file hold a row for each message? Two that follow each other are of one ticket then, and say who speaks. */
export function areMessages(rows: readonly TicketRow[], chosen: ChosenColumns): boolean {
  const read = rows.map((row) => messageOf(row, chosen))
  return read.some((message, at) => message !== null && message.ticketId === read[at - 1]?.ticketId)
}

/** One row for each ticket of rows that hold a message each, as they follow each other. */
export async function* joinMessages(rows: AsyncIterable<TicketRow>, chosen: ChosenColumns): AsyncIterable<TicketRow> {
  let open: { row: TicketRow; ticketId: unknown; messages: Message[] } | null = null
  const closed = ({ row, messages }: NonNullable<typeof open>): TicketRow => ({
    ...row,
    value: { ...withoutColumn(row.value as Record<string, unknown>, messages[0]?.column), messages },
  })
  for await (const row of rows) {
    const message = messageOf(row, chosen)
    if (open && message && message.ticketId === open.ticketId) {
      open.messages.push(message)
      continue
    }
    if (open) yield closed(open)
    open = message && { row, ticketId: message.ticketId, messages: [message] }
    if (!message) yield row
  }
  if (open) yield closed(open)
}

interface Message {
  ticketId: unknown
  role: string
  content: unknown
  /** The column with what it says. */
  column: string
}

function messageOf({ value }: TicketRow, chosen: ChosenColumns): Message | null {
  if (!isObject(value)) return null
  const columns = createColumns(chosen)
  const { fields } = columns.read(value)
  const role = speakerOf(value)
  const [column] = columns.used().used.content ?? []
  if (role === undefined || column === undefined || fields.ticket_id === undefined) return null
  return { ticketId: fields.ticket_id, role, content: fields.content, column }
}

function withoutColumn(row: Record<string, unknown>, column: string | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== column))
}
