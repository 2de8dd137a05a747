import { tooComplex } from './failures.ts'
import type { Archive } from './office/archive.ts'
import type { DocumentInput, ParsedContent, ParseLimits } from './types.ts'

/** A file on its way to the reader of its format. */
export interface FormatInput extends DocumentInput {
  /** The decoded text; empty for a container. */
  text: string
  /** The parts of an Office file; empty for anything else. */
  archive: Archive
  limits: ParseLimits
}

interface Format {
  /** Lower case with the dot. A text's extension is a hint, a container is known by its content. */
  extensions: readonly string[]
  isText: boolean
  /** A reader is loaded with the first file of its format: most processes that import this read few formats. */
  read(input: FormatInput): Promise<ParsedContent>
}

const text = (extensions: readonly string[], read: Format['read']): Format => ({ extensions, isText: true, read })
const container = (extension: string, read: Format['read']): Format => ({
  extensions: [extension],
  isText: false,
  read,
})

/** The file types that the knowledge base reads, each said once. */
export const FORMATS = {
  md: text(['.md', '.markdown', '.mdx'], async (file) =>
    (await import('./markdown/parse.ts')).parseMarkdown(file.text),
  ),
  txt: text(['.txt', '.text'], async (file) => (await import('./plain-text.ts')).parsePlainText(file.text)),
  html: text(['.html', '.htm', '.xhtml'], async ({ text, fileName, limits: { maxDepth } }) => {
    const { htmlDepth, parseHtml } = await import('./html/parse.ts')
    if (htmlDepth(text) > maxDepth) throw tooComplex(fileName, `nests elements more than ${maxDepth} levels deep`)
    return parseHtml(text)
  }),
  csv: text(['.csv', '.tsv'], async (file) => (await import('./csv.ts')).parseCsv(file.text, file.fileName)),
  json: text(['.json'], async (file) => (await import('./json.ts')).parseJson(file.text, file.fileName)),
  jsonl: text(['.jsonl', '.ndjson'], async (file) => {
    const { parseJsonLines } = await import('./json.ts')
    return parseJsonLines(file.text, file.fileName)
  }),
  pdf: container('.pdf', async ({ bytes, fileName, limits }) => {
    const { parsePdf } = await import('./pdf/parse.ts')
    return parsePdf(bytes, fileName, limits.maxPages)
  }),
  docx: container('.docx', async (file) => (await import('./office/docx.ts')).parseDocx(file.archive, file.fileName)),
  xlsx: container('.xlsx', async (file) => (await import('./office/xlsx.ts')).parseXlsx(file.archive, file.fileName)),
  pptx: container('.pptx', async ({ archive, fileName, limits }) => {
    const { parsePptx } = await import('./office/pptx.ts')
    return parsePptx(archive, fileName, limits.maxPages)
  }),
  eml: text(['.eml'], async (file) => (await import('./eml.ts')).parseEml(file.bytes, file.fileName)),
} satisfies Record<string, Format>

export type DocumentFormat = keyof typeof FORMATS
