import type { Block } from './types.ts'

/**
 * A part of a Markdown text that means the same alone as in the whole. `block` is ready: a fenced code block, a bare
 * heading or a paragraph without any markup. `source` has to be parsed; with `continues` it goes on with the list, table
 * or paragraph that the part before ended in.
 */
export type MarkdownPiece = { block: Block } | { source: string; continues: boolean }

/** micromark takes 2 to 10 s per MB up to this size, and its time grows with the square of the input beyond (1 MB: 34 s). */
const PIECE_CHARS = 8 * 1024
/** A paragraph with more markup characters than any author writes takes seconds; it is kept as plain text. */
const MAX_MARKS = 1_200
const MAX_CONTAINER_DEPTH = 40

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})[ \t]*([\w+#.-]{0,30})/
const INNER_FENCE = /^[ \t]+(`{3,}|~{3,})/
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
const HEADING = /^(#{1,6})(?:[ \t]|$)/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-{1,200}:?[ \t]*(?:\|[ \t:|-]*)?$/
const MARKUP = /[\\`*_[\]<>&|~!#{}]|^(?:[ \t]{4}|\t| {0,3}(?:[-+]|\d{1,9}[.)])(?:[ \t]|$))|^ {0,3}(?:=+|-+)[ \t]*$/m

interface Scan {
  text: string
  /** Where the current run of lines began. */
  start: number
  /** Where the source that waits to be yielded began; equal to `start` when nothing waits. */
  waiting: number
  continues: boolean
  /** Header and rule of the table that the current line belongs to. */
  tableHead: string
}

/** Cuts at headings, fences and at blank lines before unindented text, in one pass. `text` has line feeds only. */
export function* markdownPieces(text: string): Generator<MarkdownPiece> {
  const scan: Scan = { text, start: 0, waiting: 0, continues: false, tableHead: '' }
  let blank = true
  let listing = false
  let innerFence: string | null = null
  let previous = ''
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at)
    const line = text.slice(at, Math.min(end, at + 400)).trimEnd()
    const fence = innerFence === null ? FENCE.exec(line) : null
    const heading = innerFence === null && HEADING.test(line)
    if (fence) {
      yield* closeRun(scan, at)
      yield* flushSource(scan, at)
      const close = fenceEnd(text, end, fence[1] as string)
      yield { block: codeBlock(fence[2] ?? '', text.slice(end, close.content)) }
      scan.start = scan.waiting = close.next
      at = close.next
      ;[blank, listing, scan.tableHead, previous] = [true, false, '', '']
      continue
    }
    const fresh = innerFence === null && (heading || (blank && /^\S/.test(line) && !(listing && ITEM.test(line))))
    if (at > scan.start && fresh) {
      yield* closeRun(scan, at)
      listing = false
    } else if (at - scan.start > PIECE_CHARS) yield* forceCut(scan, at, line)
    innerFence = nextInnerFence(innerFence, line)
    if (ITEM.test(line)) listing = true
    scan.tableHead = nextTableHead(scan.tableHead, previous, line)
    previous = line
    blank = line === ''
    at = end
    if (heading) yield* closeRun(scan, at)
  }
  yield* closeRun(scan, text.length)
  yield* flushSource(scan, text.length)
}

/** Ends a run of lines: yields it when it needs no parser, else lets it wait for company. */
function* closeRun(scan: Scan, end: number): Generator<MarkdownPiece> {
  if (end <= scan.start) return
  const run = scan.text.slice(scan.start, end)
  const block = scan.continues ? null : plainBlock(run)
  if (block) {
    yield* flushSource(scan, scan.start)
    if (block.type !== 'paragraph' || block.text !== '') yield { block }
    scan.waiting = end
  } else if (end - scan.waiting > PIECE_CHARS) {
    if (scan.waiting < scan.start) yield* flushSource(scan, scan.start)
    yield* flushSource(scan, end)
  }
  scan.start = end
}

function* flushSource(scan: Scan, end: number): Generator<MarkdownPiece> {
  if (end > scan.waiting) yield { source: scan.text.slice(scan.waiting, end), continues: scan.continues }
  scan.waiting = end
  scan.continues = false
}

/** A run longer than a piece is cut at any line, best before an unindented one; a cut table gets its header again. */
function* forceCut(scan: Scan, at: number, line: string): Generator<MarkdownPiece> {
  if (/^[ \t]/.test(line) && at - scan.start < 2 * PIECE_CHARS) return
  const head = line.includes('|') ? scan.tableHead : ''
  const block = scan.continues ? null : plainBlock(scan.text.slice(scan.start, at))
  if (block) {
    yield* flushSource(scan, scan.start)
    yield { block }
  } else yield* flushSource(scan, at)
  scan.start = scan.waiting = at
  scan.continues = true
  if (head === '') return
  // The header must stand right before its rows, so this part of the text is replaced rather than cut out.
  scan.text = scan.text.slice(0, at) + scan.text.slice(at)
}
