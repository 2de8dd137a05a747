import { htmlFragmentBlocks } from '../html/parse.ts'
import type { Block } from '../types.ts'

/** The part of an mdast node that is read here; a structural type because mdast's unions cover node kinds that we skip. */
export interface MdastNode {
  type: string
  children?: MdastNode[]
  value?: string
  depth?: number
  ordered?: boolean | null
  start?: number | null
  checked?: boolean | null
  lang?: string | null
  alt?: string | null
}

const MAX_DEPTH = 100

/** Flow content as blocks. Quotes are unwrapped; nested lists stay inside their item. */
export function blocksFromMdast(root: MdastNode, depth = 0): Block[] {
  const blocks: Block[] = []
  for (const node of root.children ?? []) blocks.push(...blocksOfNode(node, depth))
  return blocks
}

function blocksOfNode(node: MdastNode, depth: number): Block[] {
  switch (node.type) {
    case 'heading':
      return [{ type: 'heading', level: node.depth ?? 1, text: oneLine(inlineText(node)) }]
    case 'paragraph':
      // The description of a picture that nobody sees is no text of its own.
      return [{ type: 'paragraph', text: isPicture(node) ? '' : inlineText(node).trim() }]
    case 'list':
      return [{ type: 'list', items: listItems(node, depth) }]
    case 'code':
      return [{ type: 'code', language: node.lang ?? null, text: node.value ?? '' }]
    case 'table':
      return tableBlock(node)
    case 'html':
      return htmlFragmentBlocks(node.value ?? '')
    case 'blockquote':
    case 'footnoteDefinition':
      return depth < MAX_DEPTH ? blocksFromMdast(node, depth + 1) : [{ type: 'paragraph', text: inlineText(node) }]
    default:
      return []
  }
}

function isPicture({ children = [] }: MdastNode): boolean {
  const pictures = children.filter(({ type }) => type === 'image' || type === 'imageReference')
  const others = children.filter((child) => !pictures.includes(child))
  return pictures.length > 0 && others.every(({ type, value }) => type === 'text' && value?.trim() === '')
}

function tableBlock(node: MdastNode): Block[] {
  const rows = (node.children ?? []).map((row) => (row.children ?? []).map((cell) => oneLine(inlineText(cell))))
  const [header = [], ...rest] = rows
  return [{ type: 'table', header, rows: rest }]
}

function listItems(list: MdastNode, depth: number): string[] {
  const first = list.start ?? 1
  return (list.children ?? []).map((item, index) => {
    const marker = list.ordered ? `${first + index}. ` : '- '
    const check = item.checked === true ? '[x] ' : item.checked === false ? '[ ] ' : ''
    return marker + check + indent(itemText(item, depth + 1), ' '.repeat(marker.length))
  })
}

function itemText(item: MdastNode, depth: number): string {
  if (depth > MAX_DEPTH) return inlineText(item)
  const parts = (item.children ?? []).flatMap((child) => blocksOfNode(child, depth)).map(plainBlock)
  return parts.filter((part) => part !== '').join('\n')
}

/** A block inside a list item, as lines. */
function plainBlock(block: Block): string {
  switch (block.type) {
    case 'list':
      return block.items.join('\n')
    case 'table':
      return [block.header, ...block.rows].map((row) => row.join(' | ')).join('\n')
    case 'heading':
    case 'paragraph':
    case 'code':
      return block.text
    default:
      return ''
  }
}

function indent(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`)
}

/** Visible text of inline content: links and emphasis vanish, images show their description, raw tags are dropped. */
function inlineText(node: MdastNode): string {
  const out: string[] = []
  const stack: MdastNode[] = [node]
  for (let current = stack.pop(); current; current = stack.pop()) {
    const own = ownText(current)
    if (own !== null) out.push(own)
    else for (const child of (current.children ?? []).toReversed()) stack.push(child)
  }
  return out.join('')
}

/** Text that the node itself stands for; null when its children have to be read. */
function ownText(node: MdastNode): string | null {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return node.value ?? ''
    case 'break':
      return '\n'
    case 'html':
      return /^<br\s{0,5}\/?>/i.test(node.value ?? '') ? '\n' : ''
    case 'image':
    case 'imageReference':
      return node.alt ?? ''
    case 'footnoteReference':
      return ''
    default:
      return null
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
