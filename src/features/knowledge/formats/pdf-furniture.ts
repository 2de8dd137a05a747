import type { PdfLine } from './pdf-layout.ts'

/** Rows looked at from the top and from the bottom of each page. */
const MARGIN_ROWS = 3
const MIN_PAGES = 3
/** Found on at least this share of the pages, a row is a running header or footer. */
const MIN_SHARE = 0.5
const PAGE_NUMBER =
  /^(?:[-–—|]?\s?(?:page|p\.|seite)?\s?\d{1,5}(?:\s?(?:of|\/|von)\s?\d{1,5})?\s?[-–—|]?|第\s?\d{1,5}\s?页(?:\s?[,，/]?\s?共\s?\d{1,5}\s?页)?)$/iu

/** Removes running headers, footers and page numbers from the rows of each page. */
export function withoutFurniture(pages: PdfLine[][][]): PdfLine[][][] {
  const seen = new Map<string, number>()
  for (const rows of pages) {
    for (const key of new Set(marginRows(rows).map((row) => keyOf(row)))) seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  const repeated = (row: PdfLine[]) =>
    pages.length >= MIN_PAGES && (seen.get(keyOf(row)) ?? 0) >= Math.max(MIN_PAGES, pages.length * MIN_SHARE)
  return pages.map((rows) => {
    const margin = new Set(marginRows(rows))
    const outer = new Set([rows[0], rows.at(-1)])
    return rows.filter(
      (row) => !(margin.has(row) && repeated(row)) && !(outer.has(row) && isPageNumber(row) && pages.length > 1),
    )
  })
}

function marginRows(rows: PdfLine[][]): PdfLine[][] {
  return [...new Set([...rows.slice(0, MARGIN_ROWS), ...rows.slice(-MARGIN_ROWS)])]
}

/** The same words at about the same height; numbers differ from page to page. */
function keyOf(row: PdfLine[]): string {
  const text = row.map((line) => line.text.replace(/\d+/g, '#')).join(' ')
  return `${Math.round((row[0]?.y ?? 0) / 8)} ${text}`
}

function isPageNumber(row: PdfLine[]): boolean {
  return row.length === 1 && PAGE_NUMBER.test(row[0]?.text ?? '')
}
