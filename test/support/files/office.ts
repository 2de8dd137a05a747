import { type ZipEntry, zipOf } from './zip.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument'

/** A Word document; `body` is the inner XML of w:body, e.g. made by `wordParagraph`. */
export function docxOf(
  body: string,
  options: { title?: string; prolog?: string; extra?: ZipEntry[] } = {},
): Uint8Array {
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  return zipOf([
    contentTypes([['/word/document.xml', `${TYPES}.wordprocessingml.document.main+xml`]]),
    relationships('_rels/.rels', [['officeDocument', 'word/document.xml']]),
    {
      name: 'word/document.xml',
      data: `${XML}${options.prolog ?? ''}<w:document ${word}><w:body>${body}</w:body></w:document>`,
    },
    {
      name: 'word/styles.xml',
      data: `${XML}<w:styles ${word}>${[1, 2, 3].map((n) => `<w:style w:type="paragraph" w:styleId="Heading${n}"><w:name w:val="heading ${n}"/></w:style>`).join('')}</w:styles>`,
    },
    relationships('word/_rels/document.xml.rels', [['styles', 'styles.xml']]),
    ...coreTitle(options.title),
    ...(options.extra ?? []),
  ])
}

export function wordParagraph(text: string, style?: string): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`
}

export function wordTable(rows: string[][]): string {
  const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`
}

export interface SheetOf {
  name: string
  rows: (string | number)[][]
  hidden?: boolean
  /** Replaces the whole inner XML of sheetData. */
  xml?: string
}

/** A workbook with inline strings. */
export function xlsxOf(sheets: SheetOf[]): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const tags = sheets.map(
    (sheet, i) =>
      `<sheet name="${escapeXml(sheet.name)}" sheetId="${i + 1}" r:id="rId${i + 1}"${sheet.hidden ? ' state="hidden"' : ''}/>`,
  )
  return zipOf([
    contentTypes([['/xl/workbook.xml', `${TYPES}.spreadsheetml.sheet.main+xml`]]),
    relationships('_rels/.rels', [['officeDocument', 'xl/workbook.xml']]),
    {
      name: 'xl/workbook.xml',
      data: `${XML}<workbook ${main} xmlns:r="${OFFICE}/relationships"><sheets>${tags.join('')}</sheets></workbook>`,
    },
    relationships(
      'xl/_rels/workbook.xml.rels',
      sheets.map((_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`]),
    ),
    ...sheets.map((sheet, i) => ({
      name: `xl/worksheets/sheet${i + 1}.xml`,
      data: `${XML}<worksheet ${main}><sheetData>${sheet.xml ?? sheet.rows.map(sheetRow).join('')}</sheetData></worksheet>`,
    })),
  ])
}

function sheetRow(cells: (string | number)[], row: number): string {
  const tags = cells.map((value, column) => {
    const at = `${String.fromCharCode(65 + column)}${row + 1}`
    return typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`
  })
  return `<row r="${row + 1}">${tags.join('')}</row>`
}

export interface SlideOf {
  title: string
  bullets: { text: string; level?: number }[]
  table?: string[][]
  notes?: string
}

/** A presentation whose slide files are numbered backwards, so that only the slide list gives their order. */
export function pptxOf(slides: SlideOf[]): Uint8Array {
  const file = (index: number) => `slide${slides.length - index}.xml`
  const ids = slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 1}"/>`).join('')
  return zipOf([
    contentTypes([['/ppt/presentation.xml', `${TYPES}.presentationml.presentation.main+xml`]]),
    relationships('_rels/.rels', [['officeDocument', 'ppt/presentation.xml']]),
    {
      name: 'ppt/presentation.xml',
      data: `${XML}<p:presentation ${SLIDE_NAMESPACES}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    },
    relationships(
      'ppt/_rels/presentation.xml.rels',
      slides.map((_, i) => ['slide', `slides/${file(i)}`]),
    ),
    ...slides.flatMap((slide, i) => slideParts(slide, file(i))),
  ])
}

const SLIDE_NAMESPACES = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}/relationships"`

function slideParts(slide: SlideOf, file: string): ZipEntry[] {
  const run = (text: string, level = 0) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p>`
  const shape = (type: string, inside: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${inside}</p:txBody></p:sp>`
  const body = shape('body', slide.bullets.map((bullet) => run(bullet.text, bullet.level)).join(''))
  const rows = (slide.table ?? []).map(
    (row) => `<a:tr>${row.map((text) => `<a:tc><a:txBody>${run(text)}</a:txBody></a:tc>`).join('')}</a:tr>`,
  )
  const table =
    rows.length > 0
      ? `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${rows.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
      : ''
  const tree = (inside: string) => `<p:cSld><p:spTree>${inside}</p:spTree></p:cSld>`
  const number = shape('sldNum', run('7'))
  const parts = [
    {
      name: `ppt/slides/${file}`,
      data: `${XML}<p:sld ${SLIDE_NAMESPACES}>${tree(body + table + shape('title', run(slide.title)) + number)}</p:sld>`,
    },
  ]
  if (slide.notes === undefined) return parts
  return [
    ...parts,
    relationships(`ppt/slides/_rels/${file}.rels`, [['notesSlide', `../notesSlides/notes-${file}`]]),
    {
      name: `ppt/notesSlides/notes-${file}`,
      data: `${XML}<p:notes ${SLIDE_NAMESPACES}>${tree(shape('body', run(slide.notes)) + number)}</p:notes>`,
    },
  ]
}

function contentTypes(parts: [part: string, type: string][]): ZipEntry {
  const overrides = parts.map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`).join('')
  const defaults = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>`
  return {
    name: '[Content_Types].xml',
    data: `${XML}<Types xmlns="${PACKAGE}/content-types">${defaults}${overrides}</Types>`,
  }
}

function relationships(name: string, targets: string[][]): ZipEntry {
  const tags = targets.map(
    ([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${OFFICE}/relationships/${type}" Target="${target}"/>`,
  )
  return { name, data: `${XML}<Relationships xmlns="${PACKAGE}/relationships">${tags.join('')}</Relationships>` }
}

function coreTitle(title: string | undefined): ZipEntry[] {
  if (title === undefined) return []
  const data = `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:creator>Ann</dc:creator></cp:coreProperties>`
  return [{ name: 'docProps/core.xml', data }]
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
