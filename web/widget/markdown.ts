import { h } from './dom.ts'

const SAFE_LINK = /^https?:\/\//i
const INLINE = /\*\*([^*\n]+)\*\*|`([^`\n]+)`|\[([^\]\n]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s<>"'，。；）)]+)/g

/**
 * The little Markdown that replies have, as nodes: paragraphs, lists, tables of `a | b`, bold, code and links. Whatever
 * else a text holds stays the text that it is.
 */
export function toNodes(text: string): Node[] {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map(toBlock)
}

function toBlock(block: string): Node {
  const lines = block.split('\n')
  if (lines.every((line) => /^\s*[-*•]\s+/.test(line))) {
    return h('ul', {}, ...lines.map((line) => h('li', {}, ...toInline(line.replace(/^\s*[-*•]\s+/, '')))))
  }
  if (lines.every((line) => /^\s*\d+[.)]\s+/.test(line))) {
    return h('ol', {}, ...lines.map((line) => h('li', {}, ...toInline(line.replace(/^\s*\d+[.)]\s+/, '')))))
  }
  if (lines.length > 1 && lines.every((line) => line.includes(' | '))) return toTable(lines)
  return h('p', {}, ...lines.flatMap((line, index) => (index > 0 ? [h('br'), ...toInline(line)] : toInline(line))))
}

function toTable(lines: readonly string[]): Node {
  const cells = (line: string) => line.replace(/^\s*\||\|\s*$/g, '').split('|')
  const rows = lines.filter((line) => !/^[\s|:-]+$/.test(line))
  const row = (line: string, name: 'th' | 'td') =>
    h('tr', {}, ...cells(line).map((cell) => h(name, {}, ...toInline(cell.trim()))))
  const [head = '', ...rest] = rows
  return h('table', {}, h('thead', {}, row(head, 'th')), h('tbody', {}, ...rest.map((line) => row(line, 'td'))))
}

function toInline(text: string): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, bold, code, label, target, address] = match
    nodes.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (bold) nodes.push(h('strong', {}, bold))
    else if (code) nodes.push(h('code', {}, code))
    else nodes.push(toLink(whole, label ?? address ?? '', target ?? address ?? ''))
  }
  nodes.push(text.slice(end))
  return nodes.filter((node) => node !== '')
}

/** A link only where it leads to a page: no other scheme is followed. */
export function toLink(whole: string, label: string, target: string): Node | string {
  if (!SAFE_LINK.test(target)) return whole
  return h('a', { href: target, target: '_blank', rel: 'noopener noreferrer' }, label)
}
