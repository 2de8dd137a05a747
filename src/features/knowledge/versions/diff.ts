import { diff } from 'node:util'

/** A stretch of a text beside its earlier form. */
export interface Word {
  kind: 'same' | 'added' | 'removed'
  text: string
}

export interface LineChange {
  kind: 'same' | 'added' | 'removed' | 'changed'
  /** Number of the line, from 1, in the text before and after; null: it is not there. */
  before: number | null
  after: number | null
  /** The line as it is after, or was where it is gone. */
  text: string
  /** Of a changed line: what of it changed. */
  words: Word[]
}

export interface TextDiff {
  added: number
  removed: number
  changed: number
  unchanged: number
  /** Changes with some lines around them; a jump in the numbers leaves out what is the same. */
  lines: LineChange[]
  /** False: the texts are so long and differ so much that only the beginning was compared. */
  isComplete: boolean
}

/** The time that comparing takes grows with the square of what differs. */
const MAX_LINES = 2_000
const MAX_WORDS = 1_500
const MAX_SHOWN = 2_000
const CONTEXT = 3
/** Lines that share less of their words were not changed but replaced. */
const ALIKE = 0.4
const WORD = /\p{Script=Han}|[\p{L}\p{N}]+|\s+|[\s\S]/gu

/** Changes that make the other text of one: by lines, and by words where a line stayed in part. */
export function diffTexts(before: readonly string[], after: readonly string[]): TextDiff {
  const start = commonLength(before, after, (lines, i) => lines[i])
  const rest = Math.min(before.length, after.length) - start
  const end = Math.min(
    rest,
    commonLength(before, after, (lines, i) => lines[lines.length - 1 - i]),
  )
  const old = before.slice(start, before.length - end)
  const young = after.slice(start, after.length - end)
  const isComplete = Math.max(old.length, young.length) <= MAX_LINES
  const entries = [
    ...before.slice(0, start).map((text) => [0, text] as const),
    ...differences(old.slice(0, MAX_LINES), young.slice(0, MAX_LINES)),
    ...(isComplete ? before.slice(before.length - end).map((text) => [0, text] as const) : []),
  ]
  const lines = numbered(entries)
  const count = (kind: LineChange['kind']): number => lines.filter((line) => line.kind === kind).length
  const shown = withContext(lines)
  return {
    ...{ added: count('added'), removed: count('removed'), changed: count('changed'), unchanged: count('same') },
    lines: shown.slice(0, MAX_SHOWN),
    isComplete: isComplete && shown.length <= MAX_SHOWN,
  }
}

/** The library takes no empty texts. */
function differences(before: readonly string[], after: readonly string[]): Entry[] {
  if (before.length === 0) return after.map((text) => [-1, text])
  return after.length === 0 ? before.map((text) => [1, text]) : diff(before, after)
}

function commonLength(
  a: readonly string[],
  b: readonly string[],
  at: (lines: readonly string[], i: number) => string | undefined,
): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && at(a, length) === at(b, length)) length++
  return length
}

type Entry = readonly [operation: number, text: string]

/** Lines that went and lines that came in one place are told as changed ones, in pairs, where they are alike. */
function numbered(entries: readonly Entry[]): LineChange[] {
  const lines: LineChange[] = []
  let [before, after] = [0, 0]
  for (let i = 0; i < entries.length; ) {
    const [operation, text] = entries[i]!
    if (operation === 0) {
      lines.push({ kind: 'same', before: ++before, after: ++after, text, words: [] })
      i++
      continue
    }
    let last = i
    while (last < entries.length && entries[last]![0] !== 0) last++
    const run = entries.slice(i, last)
    const changes = pairUp(
      run.filter(([each]) => each > 0).map(([, line]) => line),
      run.filter(([each]) => each < 0).map(([, line]) => line),
    )
    for (const { kind, text: line, words } of changes) {
      const number = { before: kind === 'added' ? null : ++before, after: kind === 'removed' ? null : ++after }
      lines.push({ kind, ...number, text: line, words })
    }
    i = last
  }
  return lines
}

type Change = Pick<LineChange, 'kind' | 'text' | 'words'>

function pairUp(removed: readonly string[], added: readonly string[]): Change[] {
  const paired = Math.min(removed.length, added.length)
  const changes: Change[] = []
  for (let i = 0; i < paired; i++) {
    const words = diffWords(removed[i]!, added[i]!)
    if (words) changes.push({ kind: 'changed', text: added[i]!, words })
    else changes.push(gone(removed[i]!), come(added[i]!))
  }
  return [...changes, ...removed.slice(paired).map(gone), ...added.slice(paired).map(come)]
}

const gone = (text: string): Change => ({ kind: 'removed', text, words: [] })
const come = (text: string): Change => ({ kind: 'added', text, words: [] })

/** Null: the lines have too little in common, or are too long to tell. */
function diffWords(before: string, after: string): Word[] | null {
  const [old, young] = [before.match(WORD) ?? [], after.match(WORD) ?? []]
  if (Math.max(old.length, young.length) > MAX_WORDS) return null
  const words: Word[] = []
  for (const [operation, text] of differences(old, young)) {
    const kind = operation === 0 ? 'same' : operation > 0 ? 'removed' : 'added'
    const last = words.at(-1)
    if (last?.kind === kind) last.text += text
    else words.push({ kind, text })
  }
  const same = words.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.trim().length : 0), 0)
  return same >= ALIKE * Math.max(before.trim().length, after.trim().length) ? words : null
}

function withContext(lines: readonly LineChange[]): LineChange[] {
  const near = new Uint8Array(lines.length)
  for (const [i, { kind }] of lines.entries()) {
    if (kind !== 'same') near.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1)
  }
  return lines.filter((_, i) => near[i] === 1)
}
