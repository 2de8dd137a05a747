import { isQuestion } from './questions.ts'
import type { Block } from './types.ts'

/** The part of a domhandler node that is read here. */
export interface DomNode {
  type: string
  name?: string
  data?: string
  attribs?: Record<string, string>
  children?: DomNode[]
}

const BLOCK_TAGS = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul caption'.split(
    ' ',
  ),
)
/** Deeper elements are read as running text; `htmlDepth` refuses far deeper documents before they are parsed. */
const MAX_DEPTH = 450

interface Writer {
  blocks: Block[]
  /** Inline text that waits for the next block boundary. */
  inline: string[]
}

/** Walks the tree once. Text outside any block element becomes paragraphs. */
export function blocksFromDom(root: DomNode): Block[] {
  const writer: Writer = { blocks: [], inline: [] }
  walk(root, writer, 0)
  flush(writer)
  return writer.blocks
}

function walk(node: DomNode, writer: Writer, depth: number): void {
  for (const child of node.children ?? []) {
    if (child.type === 'text') writer.inline.push(collapse(child.data ?? ''))
    else if (child.type !== 'tag') continue
    else if (child.name === 'br') writer.inline.push('\n')
    else if (child.name === 'img') writer.inline.push(child.attribs?.alt ?? '')
    else if (depth >= MAX_DEPTH) writer.inline.push(textOf(child))
    else if (BLOCK_TAGS.has(child.name ?? '')) {
      flush(writer)
      writeBlock(child, writer, depth + 1)
      flush(writer)
    } else walk(child, writer, depth + 1)
  }
}

function writeBlock(node: DomNode, writer: Writer, depth: number): void {
  const name = node.name ?? ''
  if (/^h[1-6]$/.test(name))
    pushText(writer, textOf(node), (text) => ({ type: 'heading', level: Number(name[1]), text }))
  else if (name === 'pre') pushCode(node, writer)
  else if (name === 'ul' || name === 'ol' || name === 'menu') pushList(node, writer, depth)
  else if (name === 'table') pushTable(node, writer, depth)
  else if (name === 'dt' || name === 'summary') pushTerm(node, writer)
  else walk(node, writer, depth)
}

function flush(writer: Writer): void {
  if (writer.inline.length === 0) return
  const text = tidyLines(writer.inline.join(''))
  writer.inline = []
  if (text !== '') writer.blocks.push({ type: 'paragraph', text })
}

function pushText(writer: Writer, raw: string, make: (text: string) => Block): void {
  const text = raw.replace(/\s+/g, ' ').trim()
  if (text !== '') writer.blocks.push(make(text))
}

function pushCode(node: DomNode, writer: Writer): void {
  const text = rawText(node).replace(/^\n|\s+$/g, '')
  const hint = node.children?.find((child) => child.name === 'code')?.attribs?.class ?? node.attribs?.class ?? ''
  const language = /\blang(?:uage)?-([\w+#-]{1,30})/.exec(hint)?.[1] ?? null
  if (text.trim() !== '') writer.blocks.push({ type: 'code', language, text })
}

/** A term or disclosure summary that asks something heads its answer; any other is a paragraph of its own. */
function pushTerm(node: DomNode, writer: Writer): void {
  const asks = isQuestion(textOf(node).trim())
  pushText(writer, textOf(node), (text) => (asks ? { type: 'heading', level: 6, text } : { type: 'paragraph', text }))
}

function pushList(node: DomNode, writer: Writer, depth: number): void {
  const items = (node.children ?? []).filter((child) => child.type === 'tag')
  const first = Number.parseInt(node.attribs?.start ?? '1', 10) || 1
  const texts: string[] = []
  for (const item of items) {
    const inner: Writer = { blocks: [], inline: [] }
    walk({ ...item, children: item.name === 'li' ? (item.children ?? []) : [item] }, inner, depth)
    flush(inner)
    if (inner.blocks.length === 0) continue
    // Lists of headings or tables lay out a page; they are no enumeration.
    if (inner.blocks.some((block) => block.type === 'heading' || block.type === 'table')) {
      if (texts.length > 0) writer.blocks.push({ type: 'list', items: texts.splice(0) })
      writer.blocks.push(...inner.blocks)
      continue
    }
    const marker = node.name === 'ol' ? `${first + texts.length}. ` : '- '
    const lines = inner.blocks.map((block) =>
      'text' in block ? block.text : 'items' in block ? block.items.join('\n') : '',
    )
    texts.push(marker + lines.join('\n').replaceAll('\n', `\n${' '.repeat(marker.length)}`))
  }
  if (texts.length > 0) writer.blocks.push({ type: 'list', items: texts })
}

function pushTable(table: DomNode, writer: Writer, depth: number): void {
  const rows = tableRows(table)
  const nested = rows.some((row) => row.cells.some((cell) => hasBlockTable(cell)))
  const width = Math.max(0, ...rows.map((row) => row.cells.length))
  if (nested || width <= 1) {
    for (const row of rows) for (const cell of row.cells) walk(cell, writer, depth)
    return
  }
  const texts = rows.map((row) => ({ header: row.header, cells: row.cells.map(cellText) }))
  const head = texts[0]?.header ? texts.shift() : undefined
  const body = texts.map((row) => row.cells).filter((cells) => cells.some((cell) => cell !== ''))
  const header = head?.cells ?? []
  if (body.length > 0 || header.length > 0) writer.blocks.push({ type: 'table', header, rows: body })
}

interface TableRow {
  header: boolean
  cells: DomNode[]
}

function tableRows(table: DomNode): TableRow[] {
  const rows: TableRow[] = []
  for (const child of table.children ?? []) {
    if (child.name === 'caption') rows.push({ header: false, cells: [child] })
    const lines = child.name === 'tr' ? [child] : (child.children ?? []).filter((line) => line.name === 'tr')
    for (const line of lines) {
      const cells = (line.children ?? []).filter((cell) => cell.name === 'td' || cell.name === 'th')
      if (cells.length === 0) continue
      rows.push({ header: child.name === 'thead' || cells.every((cell) => cell.name === 'th'), cells })
    }
  }
  return rows
}

function hasBlockTable(cell: DomNode): boolean {
  return (cell.children ?? []).some((child) => child.name === 'table' || /^h[1-6]$/.test(child.name ?? ''))
}

function cellText(cell: DomNode): string {
  return textOf(cell).replace(/\s+/g, ' ').trim()
}

/** Visible text with a space at each block boundary; iterative, since it also reads what is too deep to walk. */
function textOf(node: DomNode): string {
  const out: string[] = []
  const stack: (DomNode | string)[] = [node]
  while (stack.length > 0) {
    const current = stack.pop() as DomNode | string
    if (typeof current === 'string') out.push(current)
    else if (current.type === 'text') out.push(current.data ?? '')
    else if (current.name === 'br') out.push('\n')
    else if (current.name === 'img') out.push(current.attribs?.alt ?? '')
    else {
      const children = current.children ?? []
      const apart = BLOCK_TAGS.has(current.name ?? '') ? ' ' : ''
      stack.push(apart)
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i] as DomNode)
      stack.push(apart)
    }
  }
  return out.join('')
}

function rawText(node: DomNode): string {
  return textOf({ ...node, name: 'span' })
}

function collapse(text: string): string {
  return text.replace(/[\s ]+/g, ' ')
}

function tidyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}
