/** A run of glyphs as pdf.js reports it, in points from the page's lower left corner. */
export interface PdfSpan {
  text: string
  x: number
  /** Baseline. */
  y: number
  width: number
  /** Font size. */
  size: number
}

/** Text of one line within one column; `y` is its baseline. */
export interface PdfLine {
  text: string
  left: number
  right: number
  y: number
  size: number
}

/** Lines that stand together, or a table; in reading order within the page. */
export type PdfRegion = { type: 'lines'; lines: PdfLine[] } | { type: 'table'; rows: string[][]; size: number }

/** In font sizes: a wider gap parts words, … */
const WORD_GAP = 0.18
/** … cells or columns; */
const CELL_GAP = 1.4
/** baselines closer than this are one line (superscripts), … */
const SAME_LINE = 0.4
/** … farther apart than this are two paragraphs. */
const LINE_GAP = 1.75
/** Glyphs of symbol fonts, which say nothing as text; in front of a line they may be its bullet. */
const SYMBOL_INSIDE = /(?<!^)[\ue000-\uf8ff]/gu
const MIN_TABLE_ROWS = 3
const CELL_ALIGNMENT_POINTS = 6
/** Cells that are all wider than this, in font sizes, are lines of running text in columns. */
const MAX_CELL_EMS = 14
/** A table's cells leave this share of their column empty on average; running text in columns fills it. */
const MAX_CELL_FILL = 0.75

/** Reading order of a page: tables are kept whole, columns go from left to right within each horizontal band. */
export function readingOrder(rows: PdfLine[][]): PdfRegion[] {
  const regions: PdfRegion[] = []
  let loose: PdfLine[] = []
  for (let i = 0; i < rows.length; ) {
    const end = tableEnd(rows, i)
    if (end - i < MIN_TABLE_ROWS) {
      loose.push(...(rows[i] as PdfLine[]))
      i++
      continue
    }
    regions.push(...orderedLines(loose))
    loose = []
    const table = rows.slice(i, end)
    regions.push({
      type: 'table',
      rows: table.map((row) => row.map((cell) => cell.text)),
      size: table[0]?.[0]?.size ?? 0,
    })
    i = end
  }
  return [...regions, ...orderedLines(loose)]
}

/** A page's lines by their baselines from top to bottom, each cut at gaps that part cells or columns. */
export function rowsOf(spans: PdfSpan[]): PdfLine[][] {
  const sorted = spans.toSorted((a, b) => b.y - a.y || a.x - b.x)
  const rows: PdfSpan[][] = []
  for (const span of sorted) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && first.y - span.y <= SAME_LINE * Math.max(first.size, span.size)) row.push(span)
    else rows.push([span])
  }
  return rows.map((row) => segments(row.toSorted((a, b) => a.x - b.x)))
}

function segments(row: PdfSpan[]): PdfLine[] {
  const lines: PdfLine[] = []
  let previous: PdfSpan | undefined
  for (const span of row) {
    const line = lines.at(-1)
    const gap = line ? span.x - line.right : 0
    if (previous && isRepeat(previous, span)) continue
    if (!line || gap > CELL_GAP * Math.max(span.size, line.size)) {
      lines.push({ text: span.text, left: span.x, right: span.x + span.width, y: span.y, size: span.size })
    } else {
      const space = gap > WORD_GAP * span.size && !/\s$/.test(line.text) && !/^\s/.test(span.text)
      line.text += (space ? ' ' : '') + span.text
      line.right = Math.max(line.right, span.x + span.width)
      line.size = Math.max(line.size, span.size)
    }
    previous = span
  }
  return lines
    .map((line) => ({ ...line, text: line.text.trim().replace(SYMBOL_INSIDE, '').replace(/\s+/g, ' ').trim() }))
    .filter((line) => line.text !== '')
}

/** Some programs print bold text twice, a fraction of a point apart. */
function isRepeat(a: PdfSpan, b: PdfSpan): boolean {
  return a.text === b.text && Math.abs(a.x - b.x) < 0.15 * a.size && Math.abs(a.y - b.y) < 0.15 * a.size
}

/** Index after the last of the rows from `start` that line up as a table; `start` when they do not. */
function tableEnd(rows: PdfLine[][], start: number): number {
  const first = rows[start] as PdfLine[]
  if (first.length < 2) return start
  let end = start + 1
  while (end < rows.length && linesUp(first, rows[end] as PdfLine[], rows[end - 1] as PdfLine[])) end++
  const block = rows.slice(start, end)
  return block.length >= MIN_TABLE_ROWS && !isProse(block) && cellFill(block) <= MAX_CELL_FILL ? end : start
}

function isProse(rows: PdfLine[][]): boolean {
  return (rows[0] ?? []).every((_, column) => {
    const ems = rows.map((row) => ((row[column]?.right ?? 0) - (row[column]?.left ?? 0)) / (row[column]?.size || 1))
    return median(ems) > MAX_CELL_EMS
  })
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function linesUp(first: PdfLine[], row: PdfLine[], above: PdfLine[]): boolean {
  const close = (above[0]?.y ?? 0) - (row[0]?.y ?? 0) <= 3.5 * (row[0]?.size ?? 0)
  const aligned = (a: PdfLine, b: PdfLine | undefined) =>
    b !== undefined &&
    (Math.abs(a.left - b.left) <= CELL_ALIGNMENT_POINTS || Math.abs(a.right - b.right) <= CELL_ALIGNMENT_POINTS)
  return close && row.length === first.length && first.every((cell, i) => aligned(cell, row[i]))
}

/** How much of the distance to the next column the cells fill on average; the last column has no next one. */
function cellFill(rows: PdfLine[][]): number {
  const columns = (rows[0]?.length ?? 1) - 1
  let filled = 0
  for (let c = 0; c < columns; c++) {
    const left = Math.min(...rows.map((row) => row[c]?.left ?? 0))
    const pitch = Math.min(...rows.map((row) => row[c + 1]?.left ?? 0)) - left
    filled += median(rows.map((row) => (row[c]?.right ?? 0) - left)) / Math.max(1, pitch)
  }
  return columns === 0 ? 1 : filled / columns
}

interface Box {
  lines: PdfLine[]
  left: number
  right: number
  top: number
  bottom: number
}

function orderedLines(lines: PdfLine[]): PdfRegion[] {
  return ordered(boxesOf(lines), 0).map((box) => ({ type: 'lines', lines: box.lines }))
}

/** Joins each line to the text right above it: same size, overlapping sideways, no more than a line's distance. */
function boxesOf(lines: PdfLine[]): Box[] {
  const boxes: Box[] = []
  let open: Box[] = []
  for (const line of lines) {
    open = open.filter((box) => box.bottom - line.y <= LINE_GAP * 2 * line.size)
    const box = open.find((candidate) => continues(candidate, line))
    if (box) grow(box, line)
    else {
      const fresh = { lines: [line], left: line.left, right: line.right, top: line.y + line.size, bottom: line.y }
      boxes.push(fresh)
      open.push(fresh)
    }
  }
  return boxes
}

function continues(box: Box, line: PdfLine): boolean {
  const last = box.lines.at(-1) as PdfLine
  const overlap = Math.min(box.right, line.right) - Math.max(box.left, line.left)
  const sameSize = Math.abs(last.size - line.size) <= 0.12 * last.size
  const near = last.y > line.y && last.y - line.y <= LINE_GAP * Math.max(last.size, line.size)
  return sameSize && near && overlap > 0.3 * Math.min(box.right - box.left, line.right - line.left)
}

function grow(box: Box, line: PdfLine): void {
  box.lines.push(line)
  box.left = Math.min(box.left, line.left)
  box.right = Math.max(box.right, line.right)
  box.bottom = line.y
}

const MAX_CUTS = 12

/**
 * Recursive cutting at white space (Nagy and Seth's X-Y cut): a gutter through all boxes parts columns; otherwise bands
 * are parted at horizontal gaps, neighbours staying together while one gutter runs through them all.
 */
function ordered(boxes: Box[], depth: number): Box[] {
  if (boxes.length <= 1 || depth > MAX_CUTS) return boxes.toSorted((a, b) => b.top - a.top || a.left - b.left)
  const columns = cutByGutter(boxes)
  if (columns) return columns.flatMap((column) => ordered(column, depth + 1))
  const bands = joinedBands(cutByGap(boxes))
  if (bands.length === 1) return boxes.toSorted((a, b) => b.top - a.top || a.left - b.left)
  return bands.flatMap((band) => ordered(band, depth + 1))
}

/** Columns when empty space of at least a font size runs from top to bottom; null otherwise. */
function cutByGutter(boxes: Box[]): Box[][] | null {
  const columns: Box[][] = []
  let right = Number.NEGATIVE_INFINITY
  for (const box of boxes.toSorted((a, b) => a.left - b.left)) {
    const size = box.lines[0]?.size ?? 10
    if (columns.length === 0 || box.left - right > 0.8 * size) columns.push([box])
    else columns.at(-1)?.push(box)
    right = Math.max(right, box.right)
  }
  return columns.length > 1 ? columns : null
}

function cutByGap(boxes: Box[]): Box[][] {
  const bands: Box[][] = []
  let bottom = Number.POSITIVE_INFINITY
  for (const box of boxes.toSorted((a, b) => b.top - a.top)) {
    if (bands.length === 0 || box.top < bottom) bands.push([box])
    else bands.at(-1)?.push(box)
    bottom = Math.min(bottom, box.bottom)
  }
  return bands
}

/** Bands that share a gutter are one stretch of columns, read column by column. */
function joinedBands(bands: Box[][]): Box[][] {
  const joined: Box[][] = []
  for (const band of bands) {
    const last = joined.at(-1)
    const together = last && cutByGutter(last) !== null && cutByGutter([...last, ...band]) !== null
    if (last && together && (cutByGutter(band) !== null || sameType(last, band))) last.push(...band)
    else joined.push([...band])
  }
  return joined
}

/** Whether a band of one column goes on with the columns above rather than heading what follows. */
function sameType(above: Box[], band: Box[]): boolean {
  const sizeOf = (boxes: Box[]) => boxes.at(-1)?.lines.at(-1)?.size ?? 0
  return Math.abs(sizeOf(above) - sizeOf(band)) <= 0.05 * sizeOf(above)
}
