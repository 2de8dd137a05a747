import { detectBinary, detectText } from './detect.ts'
import { decodeText } from './encoding.ts'
import { emptyDocument, tooComplex } from './failures.ts'
import { type DocumentFormat, FORMATS, type FormatInput } from './formats.ts'
import { languageOf } from './language.ts'
import { openArchive } from './office/archive.ts'
import {
  DEFAULT_LIMITS,
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
  if (container === 'pdf') return readAs('pdf', { ...input, limits })
  if (container === 'zip') {
    const archive = await openArchive(bytes, fileName)
    return readAs(archive.format, { ...input, archive, limits })
  }
  const { text } = decodeText(bytes)
  if (text.trim() === '') throw emptyDocument(fileName, 'contains no text')
  return readAs(detectText(text, fileName), { ...input, text, limits })
}

async function readAs(format: DocumentFormat, input: Omit<FormatInput, 'text' | 'archive'> & Partial<FormatInput>) {
  return { format, content: await FORMATS[format].read({ text: '', archive: { parts: new Map() }, ...input }) }
}
