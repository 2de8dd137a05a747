/** A message with its conversation, as one line of an export. */
export interface ExportedLine {
  session_id: string
  user_id: string
  channel: string
  agent_status: string
  agent_id: string | null
  labels: string[]
  message_id: string
  timestamp: string
  role: string
  author: string | null
  content: string
}

export const COLUMNS = [
  ...(['session_id', 'user_id', 'channel', 'agent_status', 'agent_id', 'labels'] as const),
  ...(['message_id', 'timestamp', 'role', 'author', 'content'] as const),
] as const satisfies readonly (keyof ExportedLine)[]

/** With the mark by which spreadsheets know UTF-8. */
export const CSV_HEAD = `\uFEFF${COLUMNS.join(',')}\r\n`

/** RFC 4180. */
export function csvLine(line: ExportedLine): string {
  return `${COLUMNS.map((column) => cell(line[column])).join(',')}\r\n`
}

export function jsonLine(line: ExportedLine): string {
  return `${JSON.stringify(line)}\n`
}

/** Beginnings that make a spreadsheet calculate, also behind blanks and in full width. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/

/** A text that a spreadsheet shows and does not run: customers write what stands in it. */
function cell(value: string | readonly string[] | null): string {
  const text = typeof value === 'string' ? value : (value ?? []).join('; ')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
