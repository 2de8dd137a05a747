import type { Block } from '../types.ts'
import { lineEnd, tableHeadEnd, tablePieces } from './tables.ts'

/**
 * A part of a Markdown text that means the same alone as in the whole. A `block` is ready: a fenced code block, a bare
 * heading or a paragraph without any markup. A `source` has to be parsed. With `continues` it goes on with the list, table
 * or paragraph that the part before ended in.
 */
export type MarkdownPiece = { continues: boolean } & ({ block: Block } | { source: string })

/** micromark takes 2 to 10 s per MB up to this size, and its time grows with the square of the input beyond (1 MB: 34 s). */
const PIECE_CHARS = 8 * 1024
/** A paragraph with more emphasis marks than any author writes takes seconds; it is kept as plain text. */
const MAX_MARKS = 1_200
const MAX_STRAY_BRACKETS = 200
const MAX_CONTAINER_DEPTH = 40
const MAX_LINE_CHARS = 4 * PIECE_CHARS

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})[ \t]*([\w+#.-]{0,30})/
const INNER_FENCE = /^[ \t]+(`{3,}|~{3,})/
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const HEADING = /^#{1,6}(?:[ \t]|$)/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-{1,200}:?[ \t]*(?:\|[ \t:|-]*)?$/
const MARKUP =
  /[\\`*_[\]<>&|~!#{}@]|^(?: {4}| {0,3}\t| {0,3}(?:[-+]|\d{1,9}[.)])(?:[ \t]|$))|^ {0,3}(?:=+|-+)[ \t]*$|www\.|:\/\//m

interface Scan {
  text: string
  /** Where the current run of lines began. */
  start: number
  /** Where the runs that wait to be parsed together began; equal to `start` when none waits. */
  waiting: number
  continues: boolean
  /** The head that a cut table needs before its next rows. */
  prefix: string
  /** State of the line before. */
  blank: boolean
  listing: boolean
  innerFence: string | null
  /** Nothing in the current run needs the parser: a table may begin after it. */
  plain: boolean
  previous: string
  /** Header and rule of the table that the line before belongs to. */
  tableHead: string
}

/** Cuts at headings, fences and at blank lines before unindented text, in one pass. `text` has line feeds only. */
export function* markdownPieces(text: string): Generator<MarkdownPiece> {
  const scan = newScan(text)
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at)
    const line = text.slice(at, Math.min(end, at + 400)).trimEnd()
    const fence = scan.innerFence === null ? FENCE.exec(line) : null
    if (fence) {
      yield* closeRun(scan, at)
      yield* flush(scan, at)
      const close = fenceEnd(text, end, fence[1] as string)
      yield { block: codeBlock(fence[2] ?? '', text.slice(end, close.contentEnd)), continues: false }
      Object.assign(scan, newScan(text), { start: close.next, waiting: close.next })
      at = close.next
      continue
    }
    const heading = scan.innerFence === null && HEADING.test(line)
    const isFresh = heading || startsAfresh(scan, line)
    if (isFresh) yield* closeRun(scan, at)
    const headEnd =
      !heading && scan.innerFence === null && scan.plain && line.includes('|') ? tableHeadEnd(text, at) : -1
    if (headEnd >= 0) {
      yield* closeRun(scan, at)
      yield* flush(scan, at)
      at = yield* guarded(tablePieces(text, at, headEnd))
      Object.assign(scan, newScan(text), { start: at, waiting: at })
      continue
    }
    if (!isFresh && at - scan.start > PIECE_CHARS) yield* cutRun(scan, at, line)
    remember(scan, line)
    at = end
    if (heading) yield* closeRun(scan, at)
  }
  yield* closeRun(scan, text.length)
  yield* flush(scan, text.length)
}

function newScan(text: string): Scan {
  const state = { blank: true, listing: false, innerFence: null, plain: true, previous: '', tableHead: '' }
  return { text, start: 0, waiting: 0, continues: false, prefix: '', ...state }
}

function startsAfresh(scan: Scan, line: string): boolean {
  return scan.innerFence === null && scan.blank && /^\S/.test(line) && !(scan.listing && ITEM.test(line))
}

function remember(scan: Scan, line: string): void {
  const inner = INNER_FENCE.exec(line)?.[1]
  if (scan.innerFence === null) scan.innerFence = inner ?? null
  else if (inner?.startsWith(scan.innerFence)) scan.innerFence = null
  if (ITEM.test(line)) scan.listing = true
  if (TABLE_RULE.test(line) && line.includes('-') && scan.previous.includes('|'))
    scan.tableHead = `${scan.previous}\n${line}\n`
  else if (!line.includes('|')) scan.tableHead = ''
  scan.plain &&= line.length < 400 && !MARKUP.test(line)
  scan.previous = line
  scan.blank = line === ''
}

/** Ends a run of lines: yields it when it needs no parser, else lets it wait for company. */
function* closeRun(scan: Scan, end: number): Generator<MarkdownPiece> {
  if (end <= scan.start) return
  const block = plainBlock(scan.text.slice(scan.start, end))
  if (block) {
    yield* flush(scan, scan.start)
    if (block.type !== 'paragraph' || block.text !== '') yield { block, continues: scan.continues }
    scan.waiting = end
    scan.continues = false
  } else if (end - scan.waiting > PIECE_CHARS) {
    if (scan.waiting < scan.start) yield* flush(scan, scan.start)
    yield* flush(scan, end)
  }
  scan.start = end
  scan.listing = false
  scan.plain = true
}

function* flush(scan: Scan, end: number): Generator<MarkdownPiece> {
  if (end <= scan.waiting) return
  yield { source: scan.prefix + scan.text.slice(scan.waiting, end), continues: scan.continues }
  scan.waiting = end
  scan.continues = false
  scan.prefix = ''
}

/** A run longer than a piece is cut at any line, best before an unindented one; a cut table gets its header again. */
function* cutRun(scan: Scan, at: number, line: string): Generator<MarkdownPiece> {
  if (/^[ \t]/.test(line) && at - scan.start < 2 * PIECE_CHARS) return
  const { listing } = scan
  yield* closeRun(scan, at)
  yield* flush(scan, at)
  scan.listing = listing
  scan.plain = false
  scan.continues = true
  scan.prefix = line.includes('|') ? scan.tableHead : ''
}

/** Rows that are there to keep a parser busy are kept as text. */
function* guarded(pieces: Generator<MarkdownPiece, number>): Generator<MarkdownPiece, number> {
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done) return piece.value
    const { value } = piece
    const block = 'source' in value && isHostile(value.source) ? plainBlock(value.source) : null
    yield block ? { block, continues: false } : value
  }
}

/** A heading or paragraph without markup, or a paragraph that is nothing but markup; null when it needs the parser. */
function plainBlock(run: string): Block | null {
  const mark = /^(#{1,6})[ \t]+/.exec(run)
  const body = mark ? run.slice(mark[0].length).trim() : run
  if (mark && !MARKUP.test(body))
    return { type: 'heading', level: (mark[1] as string).length, text: body.replace(/\s+/g, ' ') }
  if (!MARKUP.test(run) || isHostile(run))
    return { type: 'paragraph', text: run.replace(/(?<![ \t])[ \t]*\n[ \t]*/g, '\n').trim() }
  return null
}

function codeBlock(language: string, content: string): Block {
  return { type: 'code', language: language === '' ? null : language, text: content.replace(/\n$/, '') }
}

/** The line that closes a fence: the same character, at least as often, nothing else (CommonMark 0.31, section 4.5). */
function fenceEnd(text: string, from: number, mark: string): { contentEnd: number; next: number } {
  for (let at = from; at < text.length; ) {
    const end = lineEnd(text, at)
    const line = text.slice(at, Math.min(end, at + 200)).trim()
    if (line.startsWith(mark) && line === line.charAt(0).repeat(line.length)) return { contentEnd: at, next: end }
    at = end
  }
  return { contentEnd: text.length, next: text.length }
}

/** Text whose only purpose can be to keep a parser busy or to overflow its stack. */
function isHostile(run: string): boolean {
  // Only a single line can be longer than a piece.
  if (run.length > MAX_LINE_CHARS) return true
  let marks = 0
  for (let i = 0; i < run.length; i++) if ('*_~'.includes(run[i] as string)) marks++
  if (marks > MAX_MARKS && marks > run.length / 6) return true
  if (strayBrackets(run) > MAX_STRAY_BRACKETS) return true
  return run.split('\n').some((line) => containerMarks(line) > MAX_CONTAINER_DEPTH)
}

/** Brackets that close what none opened: for each of them the parser looks through everything before it. */
function strayBrackets(run: string): number {
  let open = 0
  let stray = 0
  for (let i = 0; i < run.length; i++) {
    if (run[i] === '[') open++
    else if (run[i] === ']' && open > 0) open--
    else if (run[i] === ']') stray++
  }
  return stray
}

function containerMarks(line: string): number {
  const lead = /^[ \t>*+-]*/.exec(line)?.[0] ?? ''
  return lead.length <= MAX_CONTAINER_DEPTH ? 0 : lead.replace(/[ \t]/g, '').length
}
