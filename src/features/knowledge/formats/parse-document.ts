import { type Archive, openArchive } from './archive.ts'
import { parseCsv } from './csv.ts'
import { detectBinary, detectText } from './detect.ts'
import { parseEml } from './eml.ts'
import { decodeText } from './encoding.ts'
import { emptyDocument, tooComplex } from './failures.ts'
import { htmlDepth, parseHtml } from './html.ts'
import { parseJson, parseJsonLines } from './json.ts'
import { languageOf } from './language.ts'
import { parseMarkdown } from './markdown.ts'
import { parsePdf } from './pdf.ts'
import { parsePlainText } from './plain-text.ts'
import {
  DEFAULT_LIMITS,
  type DocumentFormat,
  type DocumentInput,
  type ParsedContent,
  type ParsedDocument,
  type ParseLimits,
} from './types.ts'

/**
 * Reads a file into blocks. The type is decided by content; the name is a hint. Nothing is executed or fetched.
 * Throws AppError bad_request with code unsupported_file, malformed_document, empty_document or document_too_complex.
 */
export async function parseDocument(input: DocumentInput, limits: Partial<ParseLimits> = {}): Promise<ParsedDocument> {
  const all = { ...DEFAULT_LIMITS, ...limits }
  const { bytes, fileName } = input
  if (bytes.length === 0) throw emptyDocument(fileName, 'is empty')
  if (bytes.length > all.maxBytes) throw tooComplex(fileName, `is larger than ${all.maxBytes} bytes`)
  const { format, content } = await parseContent(input, all)
  if (content.blocks.length === 0) throw emptyDocument(fileName, 'contains no text')
  if (content.blocks.length > all.maxBlocks) {
    throw tooComplex(fileName, `has more than ${all.maxBlocks} paragraphs or rows; split it into several files`)
  }
  return {
    format,
    title: content.title,
    language: content.language?.toLowerCase().split(/[-_]/)[0] || languageOf(content.blocks),
    metadata: content.metadata ?? {},
    blocks: content.blocks,
  }
}

async function parseContent(
  input: DocumentInput,
  limits: ParseLimits,
): Promise<{ format: DocumentFormat; content: ParsedContent }> {
  const { bytes, fileName } = input
  const container = detectBinary(bytes, fileName)
  if (container === 'pdf') return { format: 'pdf', content: await parsePdf(bytes, fileName, limits.maxPages) }
  if (container === 'zip') return parseOffice(await openArchive(bytes, fileName), fileName, limits)
  const { text } = decodeText(bytes)
  if (text.trim() === '') throw emptyDocument(fileName, 'contains no text')
  const format = detectText(text, fileName)
  if (format === 'eml') return { format, content: await parseEml(bytes, fileName) }
  return { format, content: parseText(format, text, fileName, limits) }
}

/** pdf.js and the Office readers are loaded with the first such file: most processes that import this read none. */
async function parseOffice(
  archive: Archive,
  fileName: string,
  limits: ParseLimits,
): Promise<{ format: DocumentFormat; content: ParsedContent }> {
  switch (archive.format) {
    case 'docx': {
      const { parseDocx } = await import('./docx.ts')
      return { format: 'docx', content: await parseDocx(archive, fileName) }
    }
    case 'xlsx': {
      const { parseXlsx } = await import('./xlsx.ts')
      return { format: 'xlsx', content: await parseXlsx(archive, fileName) }
    }
    case 'pptx': {
      const { parsePptx } = await import('./pptx.ts')
      return { format: 'pptx', content: parsePptx(archive, fileName, limits.maxPages) }
    }
  }
}

function parseText(format: DocumentFormat, text: string, fileName: string, limits: ParseLimits): ParsedContent {
  switch (format) {
    case 'md':
      return parseMarkdown(text)
    case 'html':
      if (htmlDepth(text) > limits.maxDepth)
        throw tooComplex(fileName, `nests elements more than ${limits.maxDepth} levels deep`)
      return parseHtml(text)
    case 'csv':
      return parseCsv(text, fileName)
    case 'json':
      return parseJson(text, fileName)
    case 'jsonl':
      return parseJsonLines(text, fileName)
    default:
      return parsePlainText(text)
  }
}
