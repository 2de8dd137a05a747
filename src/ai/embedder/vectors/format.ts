import { crc32 } from 'node:zlib'

/** The dimensions of the built-in vectors. */
export const DIMENSIONS = 128
const MAGIC = 'FDSV'
const VERSION = 2
/** Before the rows, so that the vectors can be told apart without reading them. */
const CHECKSUM_AT = 16
export const HEADER_BYTES = 20

/** Rows of bytes, each with the factor that turns it back into numbers. */
export interface Rows {
  readonly count: number
  readonly scales: Float32Array
  readonly values: Int8Array
}

/**
 * Contents of the file that `npm run train:vectors` writes: a vector for each word, and for each family of wordings some that stand for it.
 * Keys are `hashTerm` of a word, or of `c:` and a character for single ideographs, ascending.
 */
export interface VectorFile {
  readonly keys: Uint32Array
  readonly words: Rows
  /** `perFamily` rows for each family, one family after the other. */
  readonly families: Rows
  readonly perFamily: number
}

/**
 * Little endian: `FDSV`, u8 version, u8 dimensions, u8 vectors a family, u8 0, u32 words, u32 families, u32 CRC-32 of what
 * follows; u32 keys; f32
 * scales of words, then of families' vectors; the rows as int8, words first.
 */
export function writeVectors({ keys, words, families, perFamily }: VectorFile): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES)
  header.set([...MAGIC].map((letter) => letter.charCodeAt(0)))
  header.set([VERSION, DIMENSIONS, perFamily], 4)
  const counts = new DataView(header.buffer)
  counts.setUint32(8, words.count, true)
  counts.setUint32(12, families.count / perFamily, true)
  const parts = [header, keys, words.scales, families.scales, words.values, families.values]
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at)
    at += part.byteLength
  }
  counts.setUint32(CHECKSUM_AT, crc32(bytes.subarray(HEADER_BYTES)), true)
  bytes.set(header)
  return bytes
}

/** The checksum of the rows, from the first bytes of a file. */
export function checksumOf(header: Uint8Array): string {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  return view.getUint32(CHECKSUM_AT, true).toString(16).padStart(8, '0')
}

/** Views into the bytes, which are not copied. Throws on anything but a whole file of this version. */
export function readVectors(bytes: Uint8Array<ArrayBuffer | SharedArrayBuffer>): VectorFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const magic = String.fromCharCode(...bytes.subarray(0, 4))
  if (bytes.length < HEADER_BYTES || magic !== MAGIC || bytes[4] !== VERSION || bytes[5] !== DIMENSIONS) {
    throw new Error('The file of vectors is of another kind or version')
  }
  const perFamily = bytes[6] ?? 0
  const wordCount = view.getUint32(8, true)
  const familyRows = view.getUint32(12, true) * perFamily
  if (bytes.length !== HEADER_BYTES + wordCount * (8 + DIMENSIONS) + familyRows * (4 + DIMENSIONS)) {
    throw new Error('The file of vectors is cut off')
  }
  const { buffer } = bytes
  let at = bytes.byteOffset + HEADER_BYTES
  const next = (byteLength: number): number => {
    const start = at
    at += byteLength
    return start
  }
  const keys = new Uint32Array(buffer, next(4 * wordCount), wordCount)
  const wordScales = new Float32Array(buffer, next(4 * wordCount), wordCount)
  const familyScales = new Float32Array(buffer, next(4 * familyRows), familyRows)
  const words = new Int8Array(buffer, next(wordCount * DIMENSIONS), wordCount * DIMENSIONS)
  const families = new Int8Array(buffer, next(familyRows * DIMENSIONS), familyRows * DIMENSIONS)
  return {
    keys,
    words: { count: wordCount, scales: wordScales, values: words },
    families: { count: familyRows, scales: familyScales, values: families },
    perFamily,
  }
}

/** Numbers as bytes with one factor a row. @param values rows one after the other */
export function toRows(values: Float32Array): Rows {
  const count = values.length / DIMENSIONS
  const scales = new Float32Array(count)
  const bytes = new Int8Array(values.length)
  for (let row = 0; row < count; row++) {
    const own = values.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)
    const largest = own.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
    const scale = largest / 127 || 1
    scales[row] = scale
    for (const [i, value] of own.entries()) bytes[row * DIMENSIONS + i] = Math.round(value / scale)
  }
  return { count, scales, values: bytes }
}
