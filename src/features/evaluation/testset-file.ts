import { type CsvError, parse } from 'csv-parse/sync'
import { decodeText } from '../../kernel/decode-text.ts'
import { AppError } from '../../kernel/errors.ts'
import { parseJsonOrNothing } from '../../kernel/json.ts'
import { foldText } from './targets.ts'
import { isRecord, wrongColumns } from './testset-columns.ts'
import type { EvaluationCase, HistoryMessage } from './types.ts'

const MAX_CASES = 2_000
const MAX_QUERY = 8_000
const MAX_TEXT = 8_000
const MAX_ITEMS = 50
const MAX_CATEGORY = 100
export const DEFAULT_CATEGORY = 'general'

type Row = { place: string; value: unknown }

/** A problem with one row; named by its place when it is reported. */
class RowError extends Error {}

/**
 * Reads a test set from JSON (a list, or `{cases: […]}`), JSONL or CSV by its extension. Only `query` is required; in CSV
 * several values of a cell are separated by bars or written as JSON; see `wrongColumns` for further columns. Throws bad_request for another kind of file and
 * invalid, with the place of the first problem, for a wrong one; both begin with `field`.
 */
export function parseTestset(field: string, fileName: string, bytes: Uint8Array): EvaluationCase[] {
  const rows = readRows(field, fileName, decodeText(bytes))
  if (rows.length === 0) throw invalid(field, 'the test set has no cases')
  if (rows.length > MAX_CASES) throw invalid(field, `the test set has ${rows.length} cases, at most ${MAX_CASES} fit`)
  const wrong = wrongColumns(rows.map(({ value }) => value))
  if (wrong !== null) throw invalid(field, wrong)
  return rows.map(({ place, value }) => {
    try {
      return toCase(value)
    } catch (error) {
      throw error instanceof RowError ? invalid(field, `${place}: ${error.message}`) : error
    }
  })
}

function invalid(field: string, reason: string): AppError {
  return new AppError('invalid', 'testset', `${field}: ${reason}`)
}

function readRows(field: string, fileName: string, text: string): Row[] {
  switch (/\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase()) {
    case 'json':
      return fromJson(field, text)
    case 'jsonl':
    case 'ndjson':
      return fromLines(field, text)
    case 'csv':
      return fromCsv(field, text)
    default:
      throw new AppError('bad_request', 'unsupported_file', `${field}: a test set must be a .json, .jsonl or .csv file`)
  }
}

function fromJson(field: string, text: string): Row[] {
  if (text.trim() === '') return []
  const value = parseJson(text, () => invalid(field, 'is not valid JSON'))
  const list = isRecord(value) ? value.cases : value
  if (!Array.isArray(list)) throw invalid(field, 'must be a list of cases, or an object with the list "cases"')
  return list.map((each, i) => ({ place: `case ${i + 1}`, value: each }))
}

function fromLines(field: string, text: string): Row[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === '') return []
    const place = `line ${i + 1}`
    return [{ place, value: parseJson(line, () => invalid(field, `${place}: is not valid JSON`)) }]
  })
}

function fromCsv(field: string, text: string): Row[] {
  const options = { columns: true, bom: true, skip_empty_lines: true, trim: true, info: true } as const
  try {
    const records: { record: Record<string, string>; info: { lines: number } }[] = parse(text, options)
    return records.map(({ record, info }) => ({ place: `line ${info.lines}`, value: unpack(record) }))
  } catch (error) {
    throw invalid(field, `line ${(error as CsvError).lines ?? '?'}: is not valid CSV`)
  }
}

function parseJson(text: string, problem: () => AppError): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem()
  }
}

/** Cells are texts: lists in them are JSON or separated by bars. */
function unpack(record: Record<string, string>): unknown {
  const entries = Object.entries(record).map(([name, cell]) => {
    if (cell === '') return [name, undefined]
    if (name === 'query' || name === 'category') return [name, cell]
    if (/^[[{]/.test(cell)) return [name, parseJsonOrNothing(cell) ?? [cell]]
    return [name, cell.split('|').map((part) => part.trim())]
  })
  return Object.fromEntries(entries)
}

function toCase(value: unknown): EvaluationCase {
  if (!isRecord(value)) throw new RowError('is no object')
  const category = value.category ?? DEFAULT_CATEGORY
  return {
    query: text('query', value.query, MAX_QUERY),
    expectedSources: texts('expected_sources', value.expected_sources),
    expectedDocIds: texts('expected_doc_ids', value.expected_doc_ids),
    expectedContent: texts('expected_content', value.expected_content).map(meaningful),
    category: text('category', category === '' ? DEFAULT_CATEGORY : category, MAX_CATEGORY),
    history: list('history', value.history).map(toMessage),
  }
}

function text(name: string, value: unknown, maxLength: number): string {
  if (value === undefined || value === null) throw new RowError(`${name} is required`)
  if (typeof value !== 'string') throw new RowError(`${name} must be text`)
  const trimmed = value.replaceAll('\u0000', '').toWellFormed().trim()
  if (trimmed === '') throw new RowError(`${name} is empty`)
  if (trimmed.length > maxLength) throw new RowError(`${name} is longer than ${maxLength} characters`)
  return trimmed
}

/** One text stands for a list of it. */
function texts(name: string, value: unknown): string[] {
  return list(name, typeof value === 'string' ? [value] : value).map((each) => text(name, each, MAX_TEXT))
}

function list(name: string, value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new RowError(`${name} must be a list`)
  if (value.length > MAX_ITEMS) throw new RowError(`${name} has more than ${MAX_ITEMS} entries`)
  return value
}

function meaningful(content: string): string {
  if (foldText(content) === '') throw new RowError('expected_content needs a letter or a digit')
  return content
}

/** A bare text is something that the customer said. */
function toMessage(value: unknown): HistoryMessage {
  if (typeof value === 'string') return { role: 'user', content: text('history', value, MAX_TEXT) }
  if (!isRecord(value)) throw new RowError('history must hold texts or objects with role and content')
  const { role, content } = value
  if (role !== 'user' && role !== 'assistant') throw new RowError('history: role must be user or assistant')
  return { role, content: text('history: content', content, MAX_TEXT) }
}
