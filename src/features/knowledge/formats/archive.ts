import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { AppError } from '../../../kernel/errors.ts'
import { malformedDocument, tooComplex, unsupportedFile } from './failures.ts'

export interface ArchiveLimits {
  maxEntries: number
  /** Inflated size of all entries together. */
  maxTotalBytes: number
  /** Inflated to stored size of the whole archive, looked at above `RATIO_FLOOR_BYTES`. */
  maxRatio: number
}

const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 10_000,
  maxTotalBytes: 400 * 1024 * 1024,
  maxRatio: 200,
}

export type OfficeFormat = 'docx' | 'xlsx' | 'pptx'

/** The verified parts of an Office file by name, without pictures and other embedded files. */
export interface Archive {
  format: OfficeFormat
  parts: Map<string, Buffer>
}

const RATIO_FLOOR_BYTES = 16 * 1024 * 1024
const MEGABYTE = 1024 * 1024
/** Never read as text, and allowed to hold anything. */
const BINARY_PART =
  /\/(?:media|embeddings|fonts|activeX)\/|vbaProject|\.(?:png|jpe?g|gif|emf|wmf|bin|ttf|odttf|svg|tiff?)$/i
const MAIN_PARTS: [part: string, format: OfficeFormat][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
]

/**
 * Checks a zip before anything is inflated (number of entries, total size, ratio, names, encryption), then inflates what
 * the readers need, each entry held to the size it declares. Throws AppError bad_request: unsupported_file,
 * malformed_document or document_too_complex.
 */
export async function openArchive(
  bytes: Uint8Array,
  fileName: string,
  limits: Partial<ArchiveLimits> = {},
): Promise<Archive> {
  const all = { ...DEFAULT_ARCHIVE_LIMITS, ...limits }
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
    })
    const entries = await checkArchive(zip, bytes.length, fileName, all)
    const format = officeFormat(entries, fileName)
    return { format, parts: await readParts(zip, entries, fileName) }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw malformedDocument(fileName, 'is a damaged Office or ZIP file', error)
  }
}

/** Reads the central directory alone. */
async function checkArchive(
  zip: ZipFile,
  storedBytes: number,
  fileName: string,
  limits: ArchiveLimits,
): Promise<Entry[]> {
  if (zip.entryCount > limits.maxEntries) {
    throw tooComplex(fileName, `holds ${zip.entryCount} packed files; at most ${limits.maxEntries} are read`)
  }
  const entries: Entry[] = []
  let total = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw unsupportedFile(fileName, 'is protected by a password; save it without one')
    total += entry.uncompressedSize
    if (total > limits.maxTotalBytes) {
      throw tooComplex(fileName, `unpacks to more than ${Math.round(limits.maxTotalBytes / MEGABYTE)} MB`)
    }
    entries.push(entry)
  }
  if (total > RATIO_FLOOR_BYTES && total > storedBytes * limits.maxRatio) {
    throw tooComplex(fileName, `unpacks to more than ${limits.maxRatio} times its size, as only a zip bomb does`)
  }
  return entries
}

function officeFormat(entries: Entry[], fileName: string): OfficeFormat {
  const names = new Set(entries.map((entry) => entry.fileName))
  const found = MAIN_PARTS.find(([part]) => names.has(part))
  if (found) return found[1]
  if (names.has('mimetype') && names.has('content.xml')) {
    throw unsupportedFile(fileName, 'is an OpenDocument file; save it as docx, xlsx or pptx')
  }
  if (names.has('xl/workbook.bin')) throw unsupportedFile(fileName, 'is a binary workbook; save it as xlsx')
  throw unsupportedFile(
    fileName,
    'is a ZIP archive but no Word, Excel or PowerPoint document; upload its files one by one',
  )
}

async function readParts(zip: ZipFile, entries: Entry[], fileName: string): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>()
  for (const entry of entries) {
    if (entry.fileName.endsWith('/') || BINARY_PART.test(entry.fileName)) continue
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    const part = Buffer.concat(chunks)
    refuseTypeDeclaration(part, fileName)
    parts.set(entry.fileName, part)
  }
  return parts
}

/** Entities can only be declared in a document type declaration, which Office parts must not have (ECMA-376 part 2, 6.1.4). */
function refuseTypeDeclaration(part: Buffer, fileName: string): void {
  const utf16 = Buffer.from('<!DOCTYPE', 'utf16le')
  if (part.includes('<!DOCTYPE') || part.includes(utf16) || part.includes(utf16.subarray(1))) {
    throw tooComplex(fileName, 'declares XML entities, which Office files never do and which can expand without end')
  }
}

/**
 * The parts as a zip without compression (APPNOTE.TXT 6.3.10), so that the readers of each format see exactly what was
 * checked: they find entries by other rules than the central directory's, and trust declared sizes.
 */
export function repack(parts: Iterable<[name: string, data: Uint8Array]>): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, data] of parts) {
    const fields = entryFields(name, data)
    const local = Buffer.concat([uint32(0x04034b50), fields, Buffer.from(name)])
    locals.push(local, Buffer.from(data.buffer, data.byteOffset, data.byteLength))
    const attributes = Buffer.alloc(14)
    attributes.writeUInt32LE(offset, 10)
    directory.push(uint32(0x02014b50), uint16(20), fields, attributes, Buffer.from(name))
    offset += local.length + data.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(locals.length / 2, 4)
  end.writeUInt16LE(locals.length / 2, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, central, uint32(0x06054b50), end])
}

/** Version, flags (UTF-8 names), method (stored), time, checksum, both sizes and the lengths of name and extra field. */
function entryFields(name: string, data: Uint8Array): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x0800, 2)
  fields.writeUInt16LE(0x21, 8)
  fields.writeUInt32LE(crc32(data), 10)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(data.length, 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  return fields
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
