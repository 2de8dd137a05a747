import type { MarkdownPiece } from './pieces.ts'

/**
 * Tables of GitHub's Markdown, row by row. The parser's time grows with the square of a table's rows, and most rows hold
 * nothing that it would change: those are read here, and only the others are parsed, a few at a time.
 */

/** Rows with markup that are parsed together, in characters; more where the header alone is as long. */
const PARSED_CHARS = 1_024
const MAX_HEAD_CHARS = 16 * 1_024

const RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
/** The beginning of another block, which ends a table. */
const OTHER_BLOCK =
  /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|([-*_])(?:[ \t]*\1){2,}[ \t]*$)|^(?: {4}| {0,3}\t)/
/** Characters that the parser might read as markup. A row that begins with a tag may even be no row. */
const ROW_MARKUP = /[\\`*_[\]~<]|&[#a-zA-Z]/

/** Where the two lines end with which a table begins at `at`; -1: none does. */
export function tableHeadEnd(text: string, at: number): number {
  const headerEnd = lineEnd(text, at)
  const ruleEnd = lineEnd(text, headerEnd)
  if (headerEnd === ruleEnd || ruleEnd - at > MAX_HEAD_CHARS) return -1
  const rule = text.slice(headerEnd, ruleEnd).trimEnd()
  if (!rule.includes('|') || !RULE.test(rule)) return -1
  const header = text.slice(at, headerEnd).trimEnd()
  if (!header.includes('|') || OTHER_BLOCK.test(header) || /[\\`<]/.test(header)) return -1
  return cellsOf(header).length === cellsOf(rule).length ? ruleEnd : -1
}

/** The pieces of a table whose head stands from `at` to `headEnd`; returns where what follows it begins. */
export function* tablePieces(text: string, at: number, headEnd: number): Generator<MarkdownPiece, number> {
  const head = text.slice(at, headEnd)
  const most = Math.max(PARSED_CHARS, head.length)
  yield { source: head, continues: false }
  let plain: string[][] = []
  let marked = -1
  let next = headEnd
  while (next < text.length) {
    const end = lineEnd(text, next)
    const line = text.slice(next, end).trimEnd()
    if (line === '' || OTHER_BLOCK.test(line)) break
    const isMarked = ROW_MARKUP.test(line)
    if (isMarked && plain.length > 0) {
      yield rowsOf(plain)
      plain = []
    }
    if (marked >= 0 && (!isMarked || next - marked >= most)) {
      yield { source: head + text.slice(marked, next), continues: true }
      marked = -1
    }
    if (!isMarked) plain.push(cellsOf(line))
    else if (marked < 0) marked = next
    next = end
  }
  if (plain.length > 0) yield rowsOf(plain)
  if (marked >= 0) yield { source: head + text.slice(marked, next), continues: true }
  return next
}

function rowsOf(rows: string[][]): MarkdownPiece {
  return { block: { type: 'table', header: [], rows }, continues: true }
}

/** Cells of a row without escaped bars. */
function cellsOf(line: string): string[] {
  const row = line.trim()
  const from = row.startsWith('|') ? 1 : 0
  const to = row.length > from && row.endsWith('|') ? -1 : row.length
  return row
    .slice(from, to)
    .split('|')
    .map((cell) => cell.replace(/\s+/g, ' ').trim())
}

/** Where the line ends that begins at `at`, with its line feed. */
export function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline + 1
}
