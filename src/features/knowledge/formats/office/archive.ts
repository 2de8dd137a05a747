import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { AppError } from '../../../../kernel/errors.ts'
import { malformedDocument, tooComplex, unsupportedFile } from '../failures.ts'

type OfficeFormat = 'docx' | 'xlsx' | 'pptx'

/** The verified parts of an Office file by name, without pictures and other embedded files. */
export interface Archive {
  parts: Map<string, Buffer>
}

const MAX_ENTRIES = 10_000
/** Inflated size of all entries together. */
const MAX_TOTAL_MB = 400
/** Inflated to stored size of the whole archive, looked at above `RATIO_FLOOR_BYTES`. */
const MAX_RATIO = 200
const MEGABYTE = 1024 * 1024
const RATIO_FLOOR_BYTES = 16 * MEGABYTE
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
export async function openArchive(bytes: Uint8Array, fileName: string): Promise<Archive & { format: OfficeFormat }> {
  const { fromBufferPromise } = await import('yauzl')
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
    })
    const entries = await checkArchive(zip, bytes.length, fileName)
    const format = officeFormat(entries, fileName)
    return { format, parts: await readParts(zip, entries, fileName) }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw malformedDocument(fileName, 'is a damaged Office or ZIP file', error)
  }
}

/** Reads the central directory alone. */
async function checkArchive(zip: ZipFile, storedBytes: number, fileName: string): Promise<Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) {
    throw tooComplex(fileName, `holds ${zip.entryCount} packed files; at most ${MAX_ENTRIES} are read`)
  }
  const entries: Entry[] = []
  let total = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw unsupportedFile(fileName, 'is protected by a password; save it without one')
    total += entry.uncompressedSize
    if (total > MAX_TOTAL_MB * MEGABYTE) {
      throw tooComplex(fileName, `unpacks to more than ${MAX_TOTAL_MB} MB`)
    }
    entries.push(entry)
  }
  if (total > RATIO_FLOOR_BYTES && total > storedBytes * MAX_RATIO) {
    throw tooComplex(fileName, `unpacks to more than ${MAX_RATIO} times its size, as only a zip bomb does`)
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
  const locals: Uint8Array[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, data] of parts) {
    const path = Buffer.from(name)
    const fields = entryFields(path, data)
    const local = Buffer.concat([littleEndian([4, 0x04034b50]), fields, path])
    locals.push(local, data)
    // Comment, disk, attributes, place of the entry.
    const rest = littleEndian([2, 0], [2, 0], [2, 0], [4, 0], [4, offset])
    directory.push(littleEndian([4, 0x02014b50], [2, 20]), fields, rest, path)
    offset += local.length + data.length
  }
  const count = locals.length / 2
  const central = Buffer.concat(directory)
  // Disks, entries here and in all, size and place of the directory, comment.
  const counts = littleEndian([2, 0], [2, 0], [2, count], [2, count], [4, central.length], [4, offset], [2, 0])
  return Buffer.concat([...locals, central, littleEndian([4, 0x06054b50]), counts])
}

/** Version, flags (UTF-8 names), method (stored), time, date, checksum, both sizes and the lengths of name and extra field. */
function entryFields(path: Buffer, data: Uint8Array): Buffer {
  const size = [4, data.length] as const
  const head = [
    [2, 20],
    [2, 0x0800],
    [2, 0],
    [2, 0],
    [2, 0x21],
    [4, crc32(data)],
  ] as const
  return littleEndian(...head, size, size, [2, path.length], [2, 0])
}

function littleEndian(...fields: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const written = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) at = written.writeUIntLE(value, at, bytes)
  return written
}
