import { ANSWER_MARKER, QUESTION_MARKER } from '../questions.ts'
import type { Block } from '../types.ts'
import { median, type PdfLine, type PdfRegion } from './layout.ts'

export interface PdfPage {
  /** From 1. */
  number: number
  regions: PdfRegion[]
}

/** Text set this much larger than the body is a heading, … */
const HEADING_RATIO = 1.15
/** … unless it is as long as a paragraph. */
const MAX_HEADING_CHARS = 150
/** A line that ends this far (of the box's width) before the right edge may end its paragraph. */
const SHORT_LINE = 0.12
/** A gap this many times the usual one parts paragraphs. */
const WIDE_GAP = 1.3

/** Signs of symbol fonts stand in Unicode's private area. */
const BULLET = /^[•·●○▪■□◦‣▸►➢✓✔–—\ue000-\uf8ff-]\s{0,3}(?=\S)/u
/** "1.5 hours" is no item. */
const NUMBER = /^(?:\d{1,2}[.)、．](?!\d)|[（(]\d{1,2}[)）]|[a-z][.)])\s{0,3}(?=\S)/u
const NUMBERED_HEADING =
  /^(?:\d{1,2}(?:\.\d{1,2}){1,3}\.?\s{1,4}\S|第[一二三四五六七八九十百零\d]{1,5}[章节条條部分篇]|[一二三四五六七八九十]{1,3}、)/u
/** A line that begins so begins a paragraph. */
const OPENERS = [BULLET, NUMBER, QUESTION_MARKER, ANSWER_MARKER]
const SENTENCE_END = /[.!?:;。！？：；…]["'”’」』)）]{0,2}$/u

/** Headings by font size, paragraphs, lists and tables of all pages; a paragraph that crosses a column or page is one. */
export function blocksFromPages(pages: PdfPage[]): Block[] {
  const body = bodySize(pages)
  const levels = headingLevels(pages, body)
  const blocks: Block[] = []
  for (const page of pages) {
    for (const region of page.regions) {
      const [first, ...rest] = regionBlocks(region, levels).map((block) => ({ ...block, page: page.number }))
      const last = blocks.at(-1)
      if (last?.type === 'paragraph' && first?.type === 'paragraph' && goesOn(last.text, first.text)) {
        last.text = joinText(last.text, first.text)
      } else if (first) blocks.push(first)
      for (const block of rest) blocks.push(block)
    }
  }
  return joinLists(blocks)
}

/** Whether a column or page ended in the middle of a sentence. */
function goesOn(last: string, first: string): boolean {
  return !SENTENCE_END.test(last) && /^[\p{Ll}\p{Script=Han}]/u.test(first) && last.length > 40
}

/** The size that most characters are set in. */
function bodySize(pages: PdfPage[]): number {
  const counts = new Map<number, number>()
  const count = (size: number, text: string) =>
    counts.set(rounded(size), (counts.get(rounded(size)) ?? 0) + text.length)
  for (const line of allLines(pages)) count(line.size, line.text)
  for (const region of pages.flatMap((page) => page.regions)) {
    if (region.type === 'table') for (const row of region.rows) count(region.size, row.join(''))
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
  return most?.[0] ?? 10
}

/** Level 1 for the largest size above the body's, 2 for the next, …, at most 5. */
function headingLevels(pages: PdfPage[], body: number): Map<number, number> {
  const sizes = new Set(
    [...allLines(pages)].map((line) => rounded(line.size)).filter((size) => size >= body * HEADING_RATIO),
  )
  const ranked = [...sizes].toSorted((a, b) => b - a)
  return new Map(ranked.map((size, index) => [size, Math.min(index + 1, 5)]))
}

function* allLines(pages: PdfPage[]): Generator<PdfLine> {
  for (const page of pages) for (const region of page.regions) if (region.type === 'lines') yield* region.lines
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2
}

function regionBlocks(region: PdfRegion, levels: Map<number, number>): Block[] {
  if (region.type === 'table') {
    const [header = [], ...rows] = region.rows
    return [{ type: 'table', header, rows }]
  }
  const blocks: Block[] = []
  for (const group of paragraphsOf(region.lines)) {
    const text = group.map((line) => line.text).reduce(joinText)
    const level = headingLevel(group, text, levels)
    blocks.push(level > 0 ? { type: 'heading', level, text } : { type: 'paragraph', text })
  }
  return blocks
}

function headingLevel(lines: PdfLine[], text: string, levels: Map<number, number>): number {
  if (text.length > MAX_HEADING_CHARS || !/\p{L}/u.test(text)) return 0
  const bySize = levels.get(rounded(Math.min(...lines.map((line) => line.size))))
  if (bySize !== undefined) return bySize
  const numbered = lines.length === 1 && text.length <= 60 && NUMBERED_HEADING.test(text) && !SENTENCE_END.test(text)
  return numbered ? Math.min(levels.size + (/^[\d.]+/.exec(text)?.[0].split('.').length ?? 1), 6) : 0
}

function paragraphsOf(lines: PdfLine[]): PdfLine[][] {
  const right = Math.max(...lines.map((line) => line.right))
  const left = Math.min(...lines.map((line) => line.left))
  const gap = median(lines.slice(1).map((line, index) => (lines[index] as PdfLine).y - line.y))
  const groups: PdfLine[][] = []
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    const group = groups.at(-1)
    if (!above || !group || startsParagraph(line, above, { left, right, gap })) groups.push([line])
    else group.push(line)
  }
  return groups
}

function startsParagraph(line: PdfLine, above: PdfLine, box: { left: number; right: number; gap: number }): boolean {
  if (OPENERS.some((opener) => opener.test(line.text.slice(0, 80)))) return true
  if (Math.abs(line.size - above.size) > 0.12 * above.size) return true
  if (above.y - line.y > WIDE_GAP * box.gap) return true
  const short = above.right < box.right - SHORT_LINE * (box.right - box.left)
  // A full line that ends no sentence goes on in the next, whatever number that begins with.
  if (NUMBERED_HEADING.test(line.text.slice(0, 80)) && (short || SENTENCE_END.test(above.text))) return true
  if (short && SENTENCE_END.test(above.text)) return true
  const indented = line.left - above.left > 0.8 * line.size && above.left - box.left < 0.5 * line.size
  return indented && SENTENCE_END.test(above.text)
}

/** Joins what a line end parted: hyphenated words whole, Chinese without a space. */
function joinText(text: string, next: string): string {
  if (/\p{L}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next
  const cjk =
    /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]$/u.test(text) &&
    /^[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(next)
  return cjk ? text + next : `${text} ${next}`
}

/** Neighbouring paragraphs that begin with a bullet or number are one list. */
function joinLists(blocks: Block[]): Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    const item = block.type === 'paragraph' ? itemText(block.text) : null
    if (item === null) result.push(block)
    else if (last?.type === 'list' && last.page === block.page) last.items.push(item)
    else result.push({ type: 'list', items: [item], ...(block.page !== undefined && { page: block.page }) })
  }
  return result
}

function itemText(text: string): string | null {
  if (BULLET.test(text)) return `- ${text.replace(BULLET, '')}`
  return NUMBER.test(text) ? text : null
}
