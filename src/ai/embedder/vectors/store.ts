import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { memoize } from '../../../kernel/memoize.ts'
import { checksumOf, DIMENSIONS, HEADER_BYTES, type Rows, readVectors, type VectorFile } from './format.ts'
import { vectorKeys } from './keys.ts'

const PATH = new URL('./vectors.bin', import.meta.url)

let opened: VectorFile | undefined

/** The built-in vectors, read when they are first needed: 12 MB, some tens of milliseconds. */
export function openVectors(): VectorFile {
  opened ??= readVectors(new Uint8Array(readFileSync(PATH).buffer))
  return opened
}

/** Tells one file of vectors from another without reading it. */
export function readChecksum(): string {
  const header = new Uint8Array(HEADER_BYTES)
  const file = openSync(PATH, 'r')
  try {
    readSync(file, header)
  } finally {
    closeSync(file)
  }
  return checksumOf(header)
}

/**
 * The direction of a text's meaning: the sum of the rows of its words and ideographs, of length 1; zeros where none of
 * them is known.
 */
export function meaningOf(words: readonly string[], file?: VectorFile): Float32Array {
  const { words: rows, keys } = file ?? openVectors()
  const sum = new Float32Array(DIMENSIONS)
  for (const word of words) {
    for (const row of file ? rowsIn(keys, word) : knownRows(word)) addRow(sum, rows, row, 1)
  }
  return toUnit(sum)
}

/** The rows of a word and of its ideographs that are known. */
function rowsIn(keys: Uint32Array, word: string): number[] {
  return vectorKeys([word])
    .map((key) => rowOf(keys, key))
    .filter((row) => row >= 0)
}

const knownRows = memoize((word) => rowsIn(openVectors().keys, word), { maxEntries: 10_000, maxLength: 48 })

/** Scales a vector to length 1 in place; zeros stay zeros. */
export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0
  for (let d = 0; d < vector.length; d++) squares += vector[d]! * vector[d]!
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0
  for (let d = 0; d < vector.length; d++) vector[d]! *= factor
  return vector
}

export function addRow(sum: Float32Array, { scales, values }: Rows, row: number, weight: number): void {
  const factor = weight * scales[row]!
  for (let d = 0, at = row * DIMENSIONS; d < DIMENSIONS; d++) sum[d]! += factor * values[at + d]!
}

/** Binary search; -1 where the key is unknown. */
function rowOf(keys: Uint32Array, key: number): number {
  let low = 0
  let high = keys.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = keys[middle]!
    if (found === key) return middle
    if (found < key) low = middle + 1
    else high = middle - 1
  }
  return -1
}
