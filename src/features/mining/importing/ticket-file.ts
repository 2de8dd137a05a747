import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { decodeText } from '../../../kernel/decode-text.ts'
import { AppError } from '../../../kernel/errors.ts'
import { parseJsonOrNothing } from '../../../kernel/json.ts'
import { workbookRows } from './workbook.ts'

/** A row of an import; `place` names it in messages, e.g. `line 3`. */
export interface TicketRow {
  place: string
  value: unknown
  /** Why the row could not even be read. */
  problem?: string
}

const SLICE_CHARACTERS = 65_536

/**
 * The rows of a JSON (a list, or an object with the list `tickets`), JSONL, CSV or Excel file, told apart by its extension, one
 * after the other. Throws bad_request for another kind of file, and invalid for one that is broken as a whole.
 */
export function readTicketFile(fileName: string, bytes: Uint8Array): AsyncIterable<TicketRow> | Iterable<TicketRow> {
  switch (/\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase()) {
    case 'json':
      return fromJson(decodeText(bytes))
    case 'jsonl':
    case 'ndjson':
      return fromLines(decodeText(bytes))
    case 'csv':
      return fromCsv(decodeText(bytes))
    case 'xlsx':
      return workbookRows({ bytes, fileName })
    default:
      throw new AppError('bad_request', 'unsupported_file', 'file: must be a .csv, .json, .jsonl or .xlsx file')
  }
}

/** The rows of a list, as a request may hold it. */
export function* listRows(list: readonly unknown[]): Iterable<TicketRow> {
  for (const [at, value] of list.entries()) yield { place: `ticket ${at + 1}`, value }
}

function fromJson(text: string): Iterable<TicketRow> {
  if (text.trim() === '') return []
  const value = parseJsonOrNothing(text)
  if (value === undefined) throw invalid('is not valid JSON')
  const list = Array.isArray(value) ? value : listIn(value)
  if (!list) throw invalid('must be a list of tickets, or an object with the list "tickets"')
  return listRows(list)
}

/** The names of the list in answers of help desks' interfaces. */
const LISTS = 'tickets conversations issues results contents cases requests items records data list'.split(' ')

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return LISTS.map((name) => (value as Record<string, unknown>)[name]).find(Array.isArray)
}

function* fromLines(text: string): Iterable<TicketRow> {
  let number = 0
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? text.length : end).trim()
    start = end < 0 ? text.length : end + 1
    number += 1
    if (line === '') continue
    const value = parseJsonOrNothing(line)
    yield { place: `line ${number}`, value, ...(value === undefined ? { problem: 'is not valid JSON' } : {}) }
  }
}

async function* fromCsv(text: string): AsyncIterable<TicketRow> {
  const parser = parse({
    columns: true,
    // Jira writes a column for each comment, all of one name.
    group_columns_by_name: true,
    delimiter: delimiterOf(text),
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    info: true,
  })
  const rows: AsyncIterable<{ record: unknown; info: { lines: number } }> = Readable.from(slices(text)).pipe(parser)
  let line = 1
  try {
    for await (const { record, info } of rows) {
      // The parser counts where a record ends; people look where it begins.
      yield { place: `line ${line + 1}`, value: record }
      line = info.lines
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalid(`line ${line + 1}: is not valid CSV`)
  }
}

/** Tabs and semicolons stand between columns in some countries' spreadsheets. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const count = (delimiter: string): number => head.split(delimiter).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

function* slices(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) yield text.slice(at, at + SLICE_CHARACTERS)
}

function invalid(reason: string): AppError {
  return new AppError('invalid', 'tickets', `file: ${reason}`)
}
