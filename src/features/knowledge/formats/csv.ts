import { parse } from 'csv-parse/sync'
import { malformedDocument } from './failures.ts'
import { blocksFromRecords, type Fields, isKnownHeader } from './records.ts'
import type { Block, BlockPlace, ParsedContent } from './types.ts'

const DELIMITERS = [',', '\t', ';', '|'] as const
const SAMPLE_CHARS = 64 * 1024
const LENIENT = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true }

/** Comma, semicolon, tab or pipe separated values; the separator and the header row are found from the content. */
export function parseCsv(text: string, fileName: string): ParsedContent {
  const declared = /^sep=(.)\r?\n/i.exec(text)
  const body = declared ? text.slice(declared[0].length) : text
  const delimiter = declared?.[1] ?? detectDelimiter(body)
  return { title: null, blocks: blocksFromRows(readRows(body, delimiter, fileName)) }
}

/** Rows of cells, of which the first may be the header; shared with spreadsheets. */
export function blocksFromRows(rows: string[][], place: BlockPlace = {}): Block[] {
  const [first] = rows
  if (!first) return []
  const headed = isHeader(first, rows.slice(1, 50))
  const columns = headed ? first.map((name) => name.replace(/\s+/g, ' ').trim()) : []
  const body = headed ? rows.slice(1) : rows
  if (headed && body.length === 0) return blocksFromRecords([first.map((name) => ['', name])], place)
  return blocksFromRecords(
    body.map((row) => row.map((value, i): Fields[number] => [columns[i] ?? '', value])),
    place,
  )
}

function readRows(text: string, delimiter: string, fileName: string): string[][] {
  const options = { ...LENIENT, delimiter, bom: true, trim: true }
  try {
    return parse(text, options)
  } catch {
    // An unbalanced quote swallows the rest of the file: then quotes are ordinary characters.
    try {
      return parse(text, { ...options, quote: null })
    } catch (cause) {
      throw malformedDocument(fileName, 'cannot be read as comma-separated values', cause)
    }
  }
}

/** The candidate that cuts the first lines into the most columns with the same count in nearly all of them. */
function detectDelimiter(text: string): string {
  const sample =
    text.length > SAMPLE_CHARS ? text.slice(0, text.lastIndexOf('\n', SAMPLE_CHARS) + 1 || SAMPLE_CHARS) : text
  let best = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    const score = consistency(sample, delimiter)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

function consistency(sample: string, delimiter: string): number {
  try {
    const rows: string[][] = parse(sample, { ...LENIENT, delimiter, to: 30 })
    const width = rows[0]?.length ?? 0
    if (width < 2) return 0
    return rows.filter((row) => row.length === width).length / rows.length + width / 1000
  } catch {
    return 0
  }
}

/** A header has distinct, short, non-numeric names in every column that holds data. */
function isHeader(row: string[], below: string[][]): boolean {
  if (isKnownHeader(row)) return true
  const filled = row.filter((name) => name.trim() !== '')
  if (filled.length < 2 || filled.length < row.length * 0.6) return false
  if (new Set(filled).size !== filled.length) return false
  if (filled.some((name) => name.length > 60 || /^[\d\s.,:%$€¥￥+/-]+$/.test(name) || /[。？?！!]$/.test(name)))
    return false
  return below.length > 0 && !below.some((other) => other.join('\u0000') === row.join('\u0000'))
}
