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
  const isTable = () => lines.filter((line) => !RULE.test(text.slice(line.start, line.end))).length > 1
  const flush = () => {
    if (lines.length === 0) return
    if (isTable()) pieces.push({ kind: 'table', rows: rowsOf(text, lines) })
    else addText(pieces, { start: lines[0]?.start ?? 0, end: lines.at(-1)?.end ?? 0 })
    lines = []
  }
  for (const line of linesOf(text)) {
    const own = text.slice(line.start, line.end)
    if (ROW.test(own) || (lines.length > 0 && RULE.test(own))) lines.push(line)
    else {
      flush()
      addText(pieces, line)
    }
  }
  flush()
  return pieces
}

function addText(pieces: Piece[], { start, end }: Span): void {
  const last = pieces.at(-1)
  if (last?.kind === 'text') last.end = end
  else pieces.push({ kind: 'text', start, end })
}

function linesOf(text: string): Span[] {
  let start = 0
  return text.split('\n').map((line) => {
    const span = { start, end: start + line.length }
    start = span.end + 1
    return span
  })
}

function rowsOf(text: string, lines: readonly Span[]): Span[][] {
  return lines.filter(({ start, end }) => !RULE.test(text.slice(start, end))).map((line) => cellsOf(text, line))
}

function cellsOf(text: string, line: Span): Span[] {
  const own = text.slice(line.start, line.end)
  const from = /^\s*\|?/.exec(own)?.[0].length ?? 0
  const until = own.length - (/\|?\s*$/.exec(own)?.[0].length ?? 0)
  let at = line.start + from
  return own
    .slice(from, Math.max(from, until))
    .split('|')
    .map((cell) => {
      const start = at + (cell.length - cell.trimStart().length)
      at += cell.length + 1
      return { start, end: Math.max(start, at - 1 - (cell.length - cell.trimEnd().length)) }
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

function blockOf<N>(block: string, make: Make<N>): N {
  const lines = block.split('\n')
  for (const [name, mark] of [
    ['ul', /^\s*[-*•]\s+/],
    ['ol', /^\s*\d+[.)]\s+/],
  ] as const) {
    if (!lines.every((line) => mark.test(line))) continue
    return make(name, {}, ...lines.map((line) => make('li', {}, ...inlineOf(line.replace(mark, ''), make))))
  }
  return make(
    'p',
    {},
    ...lines.flatMap((line, index) => (index > 0 ? [make('br', {}), ...inlineOf(line, make)] : inlineOf(line, make))),
  )
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
  return make('a', { href: target, target: '_blank', rel: 'noopener noreferrer' }, label)
}

/** A reply without the lines that name its sources, for where they stand beside it. */
export function withoutSources(text: string): string {
  return text.replace(/(?:^|\n+)(?:Sources?|来源)[:：][^\n]*/g, '').trim()
}
