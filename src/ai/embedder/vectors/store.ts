import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
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
export function meaningOf(words: readonly string[], file: VectorFile = openVectors()): Float32Array {
  const places = placesOf(file)
  const found: number[] = []
  for (const key of vectorKeys(words)) {
    const row = places.rowOf(key)
    if (row >= 0) found.push(row)
  }
  return toUnit(sumOf(file.words, found))
}

/** Rows added one after the other, four at a time: the sum is the same to the last bit. */
function sumOf(all: Rows, rows: readonly number[]): Float32Array {
  const { scales, values } = all
  const sum = new Float32Array(DIMENSIONS)
  const whole = rows.length - (rows.length % 4)
  for (let i = 0; i < whole; i += 4) {
    const [a, b, c, e] = [rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!]
    const [ofA, ofB, ofC, ofE] = [scales[a]!, scales[b]!, scales[c]!, scales[e]!]
    const [atA, atB, atC, atE] = [a * DIMENSIONS, b * DIMENSIONS, c * DIMENSIONS, e * DIMENSIONS]
    for (let d = 0; d < DIMENSIONS; d++) {
      const two = Math.fround(Math.fround(sum[d]! + ofA * values[atA + d]!) + ofB * values[atB + d]!)
      sum[d] = Math.fround(two + ofC * values[atC + d]!) + ofE * values[atE + d]!
    }
  }
  for (let i = whole; i < rows.length; i++) addRow(sum, all, rows[i]!, 1)
  return sum
}

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

const placesByFile = new WeakMap<VectorFile, Places>()

type Places = ReturnType<typeof findPlaces>

function placesOf(file: VectorFile): Places {
  const known = placesByFile.get(file)
  if (known) return known
  const places = findPlaces(file.keys)
  placesByFile.set(file, places)
  return places
}

/** A hash table over the keys, which are hashes already: half a megabyte, where to search in their order took as long as the sums. */
function findPlaces(keys: Uint32Array) {
  const size = 2 ** Math.ceil(Math.log2(keys.length * 1.5 + 1))
  const table = new Int32Array(size).fill(-1)
  for (let row = 0; row < keys.length; row++) {
    let at = keys[row]! & (size - 1)
    while (table[at] !== -1) at = (at + 1) & (size - 1)
    table[at] = row
  }
  return {
    /** -1 where the key is unknown. */
    rowOf(key: number): number {
      let at = key & (size - 1)
      while (table[at] !== -1 && keys[table[at]!] !== key) at = (at + 1) & (size - 1)
      return table[at]!
    },
  }
}
