import { fromMarkdown } from 'mdast-util-from-markdown'
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { parse as parseYaml } from 'yaml'
import { blocksFromMdast, type MdastNode } from './mdast-blocks.ts'
import { pairQuestions } from './questions.ts'
import { soleTopHeading } from './titles.ts'
import type { Block, ParsedContent } from './types.ts'

/** micromark's time grows with the square of its input (1 MB took 34 s), so that it gets pieces of this many characters. */
const PIECE_CHARS = 8 * 1024
/** Paragraphs with more markup characters than any author writes would take seconds; they are kept as plain text. */
const MAX_MARKS_PER_PARAGRAPH = 1_500
const MAX_CONTAINER_DEPTH = 40
const MAX_DEFINITIONS = 500

/** CommonMark with GitHub tables, task lists and front matter. Raw HTML inside is read as HTML, comments are dropped. */
export function parseMarkdown(text: string): ParsedContent {
  const { attributes, body } = splitFrontMatter(text)
  const blocks = pairQuestions(markdownBlocks(body))
  const language = attributes.lang ?? attributes.language ?? null
  return { title: attributes.title ?? soleTopHeading(blocks), language, metadata: attributes, blocks }
}

/** The blocks of a Markdown text without front matter. */
export function markdownBlocks(text: string): Block[] {
  const normalised = text.replace(/\r\n?/g, '\n')
  const definitions = linkDefinitions(normalised)
  const blocks: Block[] = []
  for (const piece of pieces(normalised)) {
    if (piece.plain) blocks.push({ type: 'paragraph', text: piece.text.trim() })
    else for (const block of parsePiece(piece.text, definitions)) blocks.push(block)
  }
  return blocks.filter((block) => block.type !== 'paragraph' || block.text !== '')
}

function parsePiece(text: string, definitions: string): Block[] {
  const source = definitions !== '' && text.includes('][') ? `${text}\n\n${definitions}` : text
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return blocksFromMdast(tree as MdastNode)
}

function splitFrontMatter(text: string): { attributes: Record<string, string>; body: string } {
  const match = /^---[ \t]*\r?\n/.exec(text)
  const end = match ? text.slice(0, 64 * 1024).search(/\r?\n---[ \t]*(?:\r?\n|$)/) : -1
  if (end < 0) return { attributes: {}, body: text }
  const tree = fromMarkdown(text.slice(0, text.indexOf('---', end) + 3), {
    extensions: [frontmatter(['yaml'])],
    mdastExtensions: [frontmatterFromMarkdown(['yaml'])],
  })
  const first = tree.children[0]
  if (first?.type !== 'yaml') return { attributes: {}, body: text }
  return { attributes: scalarAttributes(first.value), body: text.slice(text.indexOf('---', end) + 3) }
}

/** Scalars and flat lists of the front matter as text; a front matter that is not YAML is ignored. */
function scalarAttributes(yaml: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  try {
    const value: unknown = parseYaml(yaml, { maxAliasCount: 10 })
    if (typeof value !== 'object' || value === null) return {}
    for (const [name, entry] of Object.entries(value).slice(0, 40)) {
      const text = Array.isArray(entry) ? entry.filter((item) => typeof item !== 'object').join(', ') : entry
      if (typeof text !== 'object' && String(text).trim() !== '')
        attributes[name.slice(0, 60)] = String(text).slice(0, 500)
    }
  } catch {
    return {}
  }
  return attributes
}

/** Reference definitions of the whole text: a piece would otherwise show "[text][label]" for those of another piece. */
function linkDefinitions(text: string): string {
  if (text.length <= PIECE_CHARS) return ''
  const found = text.match(/^ {0,3}\[[^\]\n]{1,200}\]: {0,4}\S{1,500}$/gm) ?? []
  return found.slice(0, MAX_DEFINITIONS).join('\n')
}

interface Piece {
  text: string
  plain: boolean
}

/** Cuts at blank lines outside fenced code, preferring headings, so that every piece parses as it would in the whole. */
function* pieces(text: string): Generator<Piece> {
  let start = 0
  let end = 0
  for (const group of groups(text)) {
    const plain = isHostile(text.slice(group.start, group.end))
    const full = group.end - start > PIECE_CHARS || (group.heading && group.start - start > PIECE_CHARS / 2)
    if ((plain || full) && end > start) {
      yield { text: text.slice(start, end), plain: false }
      start = group.start
    }
    if (plain) {
      yield { text: text.slice(group.start, group.end), plain: true }
      start = group.end
    }
    end = group.end
  }
  if (end > start) yield { text: text.slice(start, end), plain: false }
}

interface Group {
  start: number
  end: number
  heading: boolean
}

/**
 * Runs of lines that may be parsed apart: a run ends at a blank line that is followed by an unindented line which is no
 * list item, outside fences. Runs longer than a piece end at any line.
 */
function* groups(text: string): Generator<Group> {
  let start = 0
  let fence: string | null = null
  let blank = false
  let listing = false
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 ? text.length : newline + 1
    const head = text.slice(at, Math.min(lineEnd, at + 80))
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(head)?.[1]
    const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(head)
    const heading = fence === null && /^#{1,6}\s/.test(head)
    const fresh = heading || (blank && /^\S/.test(head) && !(listing && item))
    if (at > start && ((fence === null && fresh) || at - start > PIECE_CHARS)) {
      yield { start, end: at, heading: /^#{1,6}\s/.test(text.slice(start, start + 8)) }
      start = at
      listing = false
    }
    if (fence === null && mark) fence = mark
    else if (fence !== null && mark?.startsWith(fence)) fence = null
    if (item) listing = true
    blank = head.trim() === ''
    at = lineEnd
  }
  if (start < text.length) yield { start, end: text.length, heading: /^#{1,6}\s/.test(text.slice(start, start + 8)) }
}

/** Text whose only purpose can be to keep a parser busy or to overflow its stack. */
function isHostile(group: string): boolean {
  let marks = 0
  let leading = 0
  let atLineStart = true
  for (let i = 0; i < group.length; i++) {
    const char = group[i] as string
    if (char === '\n') {
      atLineStart = true
      leading = 0
    } else if (atLineStart && '>-*+ \t'.includes(char)) {
      if (char !== ' ' && char !== '\t' && group[i + 1] !== char && ++leading > MAX_CONTAINER_DEPTH) return true
      if (char === '>' && group[i + 1] === '>' && ++leading > MAX_CONTAINER_DEPTH) return true
    } else {
      atLineStart = false
      if ('[]*_~<!'.includes(char)) marks++
    }
  }
  return marks > MAX_MARKS_PER_PARAGRAPH && marks > group.length / 12
}
