import { median, type PdfLine } from './layout.ts'

/** Rows looked at from the top and from the bottom of each page. */
const MARGIN_ROWS = 3
const MIN_PAGES = 3
/** Found on at least this share of the pages, a row is a running header or footer. */
const MIN_SHARE = 0.5
const PAGE_NUMBER =
  /^(?:[-–—|]?\s?(?:page|p\.|seite)?\s?\d{1,5}(?:\s?(?:of|\/|von)\s?\d{1,5})?\s?[-–—|]?|第\s?\d{1,5}\s?页(?:\s?[,，/]?\s?共\s?\d{1,5}\s?页)?)$/iu

/** Removes running headers, footers and page numbers from the rows of each page. */
export function withoutFurniture(pages: PdfLine[][][]): PdfLine[][][] {
  const body = median(pages.flat(2).map((line) => line.size))
  const seen = new Map<string, number>()
  for (const rows of pages) {
    for (const key of new Set(marginRows(rows).map((row) => keyOf(row, body)))) seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  const enough = Math.max(MIN_PAGES, pages.length * MIN_SHARE)
  const repeated = (row: PdfLine[]) => (seen.get(keyOf(row, body)) ?? 0) >= enough
  return pages.map((rows) => {
    const margin = new Set(marginRows(rows).filter(repeated))
    const outer = new Set([rows[0], rows.at(-1)])
    return rows.filter((row) => !margin.has(row) && !(pages.length > 1 && outer.has(row) && isPageNumber(row)))
  })
}

function marginRows(rows: PdfLine[][]): PdfLine[][] {
  return [...new Set([...rows.slice(0, MARGIN_ROWS), ...rows.slice(-MARGIN_ROWS)])]
}

/** The same words at about the same height; the numbers of small print change from page to page, those of headings count. */
function keyOf(row: PdfLine[], body: number): string {
  const small = row.every((line) => line.size <= body * 1.1)
  const text = row.map((line) => line.text).join(' ')
  return `${Math.round((row[0]?.y ?? 0) / 8)} ${small ? text.replace(/\d+/g, '#') : text}`
}

function isPageNumber(row: PdfLine[]): boolean {
  return row.length === 1 && PAGE_NUMBER.test(row[0]?.text ?? '')
}
