import { isQuestion } from '../questions.ts'
import type { Block } from '../types.ts'
import { dataTable } from './table.ts'
import { BLOCK_TAGS, type DomNode, lineOf, rawText, textOf, tidyLines } from './text.ts'

/** Deeper elements are read as running text; `htmlDepth` refuses far deeper documents before they are parsed. */
const MAX_DEPTH = 450

interface Writer {
  blocks: Block[]
  /** Inline text that waits for the next block boundary. */
  inline: (string | { alt: string })[]
}

/** Walks the tree once. Text outside any block element becomes paragraphs. */
export function blocksFromDom(root: DomNode): Block[] {
  return blocksOf(root.children ?? [], 0)
}

function blocksOf(nodes: DomNode[], depth: number): Block[] {
  const writer: Writer = { blocks: [], inline: [] }
  walk(nodes, writer, depth)
  flush(writer)
  return writer.blocks
}

function walk(nodes: DomNode[], writer: Writer, depth: number): void {
  for (const node of nodes) {
    if (node.type === 'text') writer.inline.push((node.data ?? '').replace(/\s+/g, ' '))
    else if (node.type === 'tag' || node.type === 'root') walkTag(node, writer, depth)
  }
}

function walkTag(node: DomNode, writer: Writer, depth: number): void {
  if (node.name === 'br') writer.inline.push('\n')
  else if (node.name === 'img') writer.inline.push({ alt: node.attribs?.alt ?? '' })
  else if (depth >= MAX_DEPTH) writer.inline.push(textOf(node))
  else if (!BLOCK_TAGS.has(node.name ?? '')) walk(childrenOf(node), writer, depth + 1)
  else {
    flush(writer)
    const structure = structureOf(node, depth + 1)
    if (structure) for (const block of structure) writer.blocks.push(block)
    else walk(childrenOf(node), writer, depth + 1)
    flush(writer)
  }
}

function flush(writer: Writer): void {
  if (writer.inline.length === 0) return
  const isSaid = writer.inline.some((part) => typeof part === 'string' && part.trim() !== '')
  // The description of a picture that nobody sees is no text of its own.
  const text = isSaid
    ? tidyLines(writer.inline.map((part) => (typeof part === 'string' ? part : part.alt)).join(''))
    : ''
  writer.inline = []
  if (text !== '') writer.blocks.push({ type: 'paragraph', text })
}

/** Blocks of an element with a meaning of its own; null for a mere container. */
function structureOf(node: DomNode, depth: number): Block[] | null {
  switch (node.name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return headingBlocks(node, Number(node.name[1]))
    case 'pre':
      return codeBlocks(node)
    case 'ul':
    case 'ol':
    case 'menu':
      return listBlocks(node, depth)
    case 'table':
      return tableBlocks(node, depth)
    case 'dl':
      return termBlocks(node, depth)
    case 'details':
      return detailsBlocks(node, depth)
    case 'summary':
      // Reached only where Markdown parted it from its answer, which then follows as blocks of its own.
      return isQuestion(lineOf(node)) ? headingBlocks(node, 6) : null
    default:
      return null
  }
}

function headingBlocks(node: DomNode, level: number): Block[] {
  const text = lineOf(node)
  return text === '' ? [] : [{ type: 'heading', level, text }]
}

function codeBlocks(node: DomNode): Block[] {
  const text = rawText(node).replace(/^\n/, '').trimEnd()
  const hint = childrenOf(node).find((child) => child.name === 'code')?.attribs?.class ?? node.attribs?.class ?? ''
  const language = /\blang(?:uage)?-([\w+#-]{1,30})/.exec(hint)?.[1] ?? null
  return text.trim() === '' ? [] : [{ type: 'code', language, text }]
}

function tableBlocks(node: DomNode, depth: number): Block[] {
  const captions = childrenOf(node).filter((part) => part.name === 'caption')
  const table = dataTable(node)
  const rest = childrenOf(node).filter((part) => part.name !== 'caption')
  return [...blocksOf(captions, depth), ...(table ? [table] : blocksOf(rest, depth))]
}

const INSIDE_ITEMS = new Set<Block['type']>(['paragraph', 'list', 'code'])

function listBlocks(node: DomNode, depth: number): Block[] {
  const entries = childrenOf(node)
    .map((child) => blocksOf(child.name === 'li' ? childrenOf(child) : [child], depth))
    .filter((entry) => entry.length > 0)
  // Lists of headings or tables lay out a page; they are no enumeration.
  if (entries.some((entry) => entry.some((block) => !INSIDE_ITEMS.has(block.type)))) return entries.flat()
  const first = Number.parseInt(node.attribs?.start ?? '1', 10) || 1
  const items = entries.map((entry, index) => itemText(entry, node.name === 'ol' ? `${first + index}. ` : '- '))
  return items.length === 0 ? [] : [{ type: 'list', items }]
}

function itemText(blocks: Block[], marker: string): string {
  const lines = blocks.map((block) =>
    block.type === 'list' ? block.items.join('\n') : 'text' in block ? block.text : '',
  )
  return marker + lines.join('\n').replaceAll('\n', `\n${' '.repeat(marker.length)}`)
}

/** Terms that ask something are questions, their descriptions the answer. */
function termBlocks(node: DomNode, depth: number): Block[] {
  // A div may wrap each group of terms and descriptions.
  const parts = childrenOf(node).flatMap((child) => (child.name === 'div' ? childrenOf(child) : [child]))
  const groups: { term: string | null; answer: Block[] }[] = [{ term: null, answer: [] }]
  for (const part of parts) {
    if (part.name === 'dt') groups.push({ term: lineOf(part), answer: [] })
    else groups.at(-1)?.answer.push(...blocksOf(part.name === 'dd' ? childrenOf(part) : [part], depth))
  }
  return groups.flatMap((group) => answerBlocks(group.term, group.answer))
}

function detailsBlocks(node: DomNode, depth: number): Block[] {
  const summary = childrenOf(node).find((child) => child.name === 'summary')
  const rest = childrenOf(node).filter((child) => child !== summary)
  return answerBlocks(summary ? lineOf(summary) : null, blocksOf(rest, depth))
}

function answerBlocks(head: string | null, answer: Block[]): Block[] {
  if (head === null || head === '') return answer
  if (answer.length > 0 && isQuestion(head)) return [{ type: 'qa', question: head, answer, metadata: {} }]
  return [{ type: 'paragraph', text: head }, ...answer]
}

function childrenOf(node: DomNode): DomNode[] {
  return node.children ?? []
}
