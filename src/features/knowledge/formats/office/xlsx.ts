import readXlsxFile from 'read-excel-file/universal'
import { blocksFromRows } from '../csv.ts'
import { malformedDocument, tooComplex, unsupportedFile } from '../failures.ts'
import type { Block, ParsedContent } from '../types.ts'
import { type Archive, openArchive, repack } from './archive.ts'
import { coreProperties } from './properties.ts'
import { elementsBelow, readXml } from './xml.ts'

/** The reader fills every gap up to the last used row and column, so that two far-off cells would cost the whole plane. */
const MAX_CELLS = 4_000_000

/** Each visible sheet as rows under its header; a sheet's name heads its rows when there are several. */
export async function parseXlsx(archive: Archive, fileName: string): Promise<ParsedContent> {
  const filled = await filledSheets(archive, fileName)
  const blocks = filled.flatMap(({ sheet, rows }): Block[] => {
    const heading: Block = { type: 'heading', level: 1, text: sheet, sheet }
    return [...(filled.length > 1 ? [heading] : []), ...blocksFromRows(rows, { sheet })]
  })
  const { title, metadata } = coreProperties(archive)
  return { title, metadata, blocks }
}

/** The rows of each visible sheet that holds any, as texts. Throws as `openArchive` does. */
export async function readWorkbook(
  bytes: Uint8Array,
  fileName: string,
): Promise<{ sheet: string; rows: string[][] }[]> {
  const archive = await openArchive(bytes, fileName)
  if (archive.format !== 'xlsx') throw unsupportedFile(fileName, 'is no Excel workbook')
  return filledSheets(archive, fileName)
}

async function filledSheets(archive: Archive, fileName: string): Promise<{ sheet: string; rows: string[][] }[]> {
  refuseVastSheets(archive, fileName)
  const hidden = hiddenSheets(archive)
  const sheets = (await readSheets(archive, fileName)).filter(({ sheet }) => !hidden.has(sheet))
  const filled = sheets.filter(({ data }) => data.some((row) => row.some((cell) => cell !== null)))
  return filled.map(({ sheet, data }) => {
    return { sheet, rows: data.map((row) => row.map(cellText)).filter((row) => row.some((cell) => cell !== '')) }
  })
}

type Cell = string | number | boolean | Date | null

async function readSheets(archive: Archive, fileName: string): Promise<{ sheet: string; data: Cell[][] }[]> {
  try {
    const bytes = repack(archive.parts)
    const sheets = await readXlsxFile(new Blob([new Uint8Array(bytes)]))
    return sheets as { sheet: string; data: Cell[][] }[]
  } catch (cause) {
    throw malformedDocument(fileName, 'cannot be read as an Excel workbook', cause)
  }
}

function refuseVastSheets(archive: Archive, fileName: string): void {
  for (const [name, part] of archive.parts) {
    if (!/^xl\/worksheets\/[^/]{1,200}\.xml$/.test(name)) continue
    const { rows, columns } = extent(part.toString('latin1'))
    if (rows * columns > MAX_CELLS) {
      throw tooComplex(
        fileName,
        `has a sheet of ${rows} rows by ${columns} columns; at most ${MAX_CELLS} cells are read`,
      )
    }
  }
}

/** Last row and column that any cell names ("BC120": row 120, column 55), or as many as there are. */
function extent(xml: string): { rows: number; columns: number } {
  let rows = 0
  let columns = 1
  for (const match of xml.matchAll(/<(?:\w{1,20}:)?(row|c)\b|\br=["']([A-Z]{0,7})(\d{1,9})["']/g)) {
    if (match[1] === 'row') rows++
    if (match[3] !== undefined) rows = Math.max(rows, Number(match[3]))
    if (match[2]) columns = Math.max(columns, columnNumber(match[2]))
  }
  return { rows, columns }
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}

function hiddenSheets(archive: Archive): Set<string> {
  const sheets = elementsBelow(readXml(archive, 'xl/workbook.xml'), ['sheet'])
  const hidden = sheets.filter(({ attribs }) => attribs?.state === 'hidden' || attribs?.state === 'veryHidden')
  return new Set(hidden.map(({ attribs }) => attribs?.name ?? ''))
}

/** Dates as ISO days (with the time when there is one); numbers without the noise of binary fractions. */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (cell instanceof Date)
    return cell
      .toISOString()
      .replace('T00:00:00.000Z', '')
      .replace(/\.\d{3}Z$/, 'Z')
  if (typeof cell === 'number') return String(Number(cell.toPrecision(15)))
  return String(cell).trim()
}
