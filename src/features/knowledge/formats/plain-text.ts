import { pairQuestions } from './pair-questions.ts'
import { isQuestion } from './questions.ts'
import { soleTopHeading } from './titles.ts'
import type { Block, ParsedContent } from './types.ts'

const ITEM =
  /^\s{0,12}(?:[-*•·●○▪◦–]\s{1,8}|(?:\d{1,3}|[a-zA-Z])[.)、）]\s{0,8}|[（(](?:\d{1,3}|[一二三四五六七八九十]{1,3})[）)])(?=\S)/u
const CHAPTER =
  /^\s{0,8}(?:第[一二三四五六七八九十百零\d]{1,6}[章节條条部分篇]|chapter \d{1,3}\b|[一二三四五六七八九十]{1,3}、)/iu
const UNDERLINE = /^(?:={3,}|-{3,})\s*$/
const MAX_HEADING_CHARS = 60

/** Text without markup: blank lines part paragraphs; chapters, underlined lines, list items and Q/A lines are recognised. */
export function parsePlainText(text: string): ParsedContent {
  const blocks = headed(pairQuestions(plainTextBlocks(text)))
  return { title: soleTopHeading(blocks), blocks: headStandingQuestions(blocks) }
}

/** A first line that stands alone above the rest and is no sentence heads all of it. */
function headed(blocks: Block[]): Block[] {
  const [first, ...rest] = blocks
  if (first?.type !== 'paragraph' || rest.length === 0) return blocks
  const { text } = first
  const isHeading = text.length <= MAX_HEADING_CHARS && !/\n|[。．.!！?？;；:：,，、…]$/u.test(text)
  return isHeading ? [{ type: 'heading', level: 1, text }, ...rest] : blocks
}

/** The blocks of a text without markup, its Q/A lines still unpaired. */
export function plainTextBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  for (const line of text.split(/\r\n?|\n|\f|\u2028|\u2029/)) {
    if (line.trim() !== '') lines.push(line.trimEnd())
    else if (lines.length > 0) {
      writeGroup(lines, blocks)
      lines = []
    }
  }
  if (lines.length > 0) writeGroup(lines, blocks)
  return blocks
}

/** Lines between two blank lines: a heading, list items and paragraphs in any mixture. */
function writeGroup(lines: string[], blocks: Block[]): void {
  let run: string[] = []
  let items: string[] = []
  const closeRun = () => {
    if (run.length > 0) blocks.push({ type: 'paragraph', text: unwrap(run) })
    run = []
  }
  const closeItems = () => {
    if (items.length > 0) blocks.push({ type: 'list', items })
    items = []
  }
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const level = headingLevel(line, lines[i + 1])
    if (level > 0) {
      closeRun()
      closeItems()
      blocks.push({ type: 'heading', level, text: line.trim() })
      if (UNDERLINE.test(lines[i + 1] ?? '')) i++
    } else if (ITEM.test(line)) {
      closeRun()
      items.push(line.trim())
    } else if (items.length > 0 && /^\s{2,}/.test(line)) items[items.length - 1] += `\n  ${line.trim()}`
    else {
      closeItems()
      run.push(line)
    }
  }
  closeRun()
  closeItems()
}

function headingLevel(line: string, next: string | undefined): number {
  const text = line.trim()
  if (text.length > MAX_HEADING_CHARS) return 0
  if (next !== undefined && UNDERLINE.test(next) && !UNDERLINE.test(text)) return next.startsWith('=') ? 1 : 2
  return CHAPTER.test(line) && !/[。；;，,：:.]$/u.test(text) ? 2 : 0
}

/** Joins lines that a fixed width broke: a long line without an end mark, before one that goes on in the same script. */
function unwrap(lines: string[]): string {
  let text = lines[0]?.trim() ?? ''
  const parts: string[] = []
  for (let i = 1; i < lines.length; i++) {
    const previous = lines[i - 1] as string
    const next = (lines[i] as string).trim()
    const latin = previous.length >= 50 && /[\p{Ll},;-]$/u.test(previous) && /^[\p{Ll}(]/u.test(next)
    const cjk = previous.length >= 30 && /[\p{Script=Han}，、]$/u.test(previous) && /^\p{Script=Han}/u.test(next)
    if (latin) parts.push(text, ' ')
    else if (cjk) parts.push(text)
    else parts.push(text, '\n')
    text = next
  }
  parts.push(text)
  return parts.join('')
}

/** In a text with at least two short lines that stand alone and ask, each of them heads what follows. */
function headStandingQuestions(blocks: Block[]): Block[] {
  const asks = (block: Block | undefined) =>
    block?.type === 'paragraph' &&
    block.text.length <= 160 &&
    !block.text.includes('\n') &&
    /[?？]$/.test(block.text) &&
    isQuestion(block.text)
  const heads = blocks.map((block, index) => asks(block) && !asks(blocks[index + 1]) && index + 1 < blocks.length)
  if (heads.filter(Boolean).length < 2) return blocks
  return blocks.map((block, index) =>
    heads[index] && block.type === 'paragraph' ? { ...block, type: 'heading', level: 6 } : block,
  )
}
