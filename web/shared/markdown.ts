/** A part of a text, by where it stands. */
export interface Span {
  start: number
  end: number
}
/** The parts of a text, in their order; of a table the first row is its head. */
export type Piece = (Span & { kind: 'text' }) | { kind: 'table'; rows: Span[][] }

/** Makes an element; what a page is built with gives its own. */
export type Make<N> = (name: Name, attributes: Record<string, string>, ...children: (N | string)[]) => N
type Name = 'p' | 'br' | 'ul' | 'ol' | 'li' | 'table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td' | 'strong' | 'code' | 'a'

const SAFE_LINK = /^https?:\/\//i
const INLINE = /\*\*([^*\n]+)\*\*|`([^`\n]+)`|\[([^\]\n]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s<>"'，。；）)]+)/g
/** `a | b`, with or without a line at either end. */
const ROW = /^\s*(\|.*\||.*\S \| \S.*)\s*$/
const RULE = /^[\s|:-]*-[\s|:-]*$/

/** Lines of `a | b` that follow each other are a table; a single one is text, as anything may hold such a sign. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let lines: Span[] = []
  let start = 0
  const flush = () => {
    const rows = lines.filter((line) => !RULE.test(text.slice(line.start, line.end)))
    if (rows.length > 1) pieces.push({ kind: 'table', rows: rows.map((row) => cellsOf(text, row)) })
    else for (const line of lines) addText(pieces, line)
    lines = []
  }
  for (const line of text.split('\n')) {
    const span = { start, end: start + line.length }
    start = span.end + 1
    if (ROW.test(line) || (lines[0] && RULE.test(line))) lines.push(span)
    else {
      flush()
      addText(pieces, span)
    }
  }
  flush()
  return pieces
}

function addText(pieces: Piece[], span: Span): void {
  const last = pieces.at(-1)
  if (last?.kind === 'text') last.end = span.end
  else pieces.push({ kind: 'text', ...span })
}

function cellsOf(text: string, { start, end }: Span): Span[] {
  const row = text.slice(start, end).replace(/\|?\s*$/, '')
  const [lead = ''] = /^\s*\|?/.exec(row) ?? []
  let at = start + lead.length
  return row
    .slice(lead.length)
    .split('|')
    .map((cell) => {
      const from = at + cell.search(/\S|$/)
      at += cell.length + 1
      return { start: from, end: from + cell.trim().length }
    })
}

/**
 * The little Markdown that replies have, as elements: paragraphs, lists, tables of `a | b`, bold, code and links. Whatever
 * else a text holds stays the text that it is.
 */
export function markdownOf<N>(text: string, make: Make<N>): N[] {
  return piecesOf(text).flatMap((piece) =>
    piece.kind === 'table'
      ? [tableOf(piece.rows, make, ({ start, end }) => inlineOf(text.slice(start, end), make))]
      : text
          .slice(piece.start, piece.end)
          .split(/\n{2,}/)
          .filter((block) => block.trim() !== '')
          .map((block) => blockOf(block.replace(/^\n+|\n+$/g, ''), make)),
  )
}

/** A table of cells whose contents are made elsewhere. */
export function tableOf<N>(rows: readonly Span[][], make: Make<N>, contentOf: (cell: Span) => (N | string)[]): N {
  const row = (cells: readonly Span[], name: 'th' | 'td') =>
    make('tr', {}, ...cells.map((cell) => make(name, {}, ...contentOf(cell))))
  const [head = [], ...rest] = rows
  return make(
    'table',
    {},
    make('thead', {}, row(head, 'th')),
    make('tbody', {}, ...rest.map((cells) => row(cells, 'td'))),
  )
}

const MARKS = [
  ['ul', /^\s*[-*•]\s+/],
  ['ol', /^\s*\d+[.)]\s+/],
] as const

function blockOf<N>(block: string, make: Make<N>): N {
  const lines = block.split('\n')
  const [name, mark] = MARKS.find(([, each]) => lines.every((line) => each.test(line))) ?? []
  if (name) return make(name, {}, ...lines.map((line) => make('li', {}, ...inlineOf(line.replace(mark, ''), make))))
  return make('p', {}, ...lines.flatMap((line) => [make('br', {}), ...inlineOf(line, make)]).slice(1))
}

/** The inside of a line. */
export function inlineOf<N>(text: string, make: Make<N>): (N | string)[] {
  const nodes: (N | string)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [whole, bold, code, label, target, address] = match
    nodes.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (bold) nodes.push(make('strong', {}, bold))
    else if (code) nodes.push(make('code', {}, code))
    else nodes.push(linkOf(whole, label ?? address ?? '', target ?? address ?? '', make))
  }
  nodes.push(text.slice(end))
  return nodes.filter((node) => node !== '')
}

/** A link only where it leads to a page: no other scheme is followed. */
export function linkOf<N>(whole: string, label: string, target: string, make: Make<N>): N | string {
  if (!SAFE_LINK.test(target)) return whole
  return make('a', { href: target, target: '_blank', rel: 'noreferrer' }, label)
}

/** A reply without the lines that name its sources, for where they stand beside it. */
export function withoutSources(text: string): string {
  return text.replace(/(?:^|\n+)(?:Sources?|来源)[:：][^\n]*/g, '').trim()
}
