import { readFileSync } from 'node:fs'
import { DIMENSIONS } from '../../src/ai/embedder/vectors/format.ts'
import { vectorKeys } from '../../src/ai/embedder/vectors/keys.ts'
import type { Random } from '../../test/contract/support/random.ts'
import type { Text } from './train.ts'

/** About the length of the rows that are started from. */
const NEW_ROW_DEVIATION = 0.1
const BASE_HEADER_BYTES = 12

export interface Vocabulary {
  keys: Uint32Array
  /** In the order of the keys. */
  rows: Float32Array
  encode(text: string): Text
}

/**
 * The rows to train: those of the base, where one is given, and of every word and character of the texts; what is new
 * begins at random.
 */
export function createVocabulary(
  texts: readonly string[],
  words: (text: string) => string[],
  { base, random }: { base: string | undefined; random: Random },
): Vocabulary {
  const known = base === undefined ? new Map<number, Float32Array>() : readBase(base)
  const wanted = new Set(known.keys())
  const seen = new Set<number>()
  for (const text of texts) {
    // A word that stands in one text alone tells nothing about others.
    for (const key of new Set(vectorKeys(words(text)))) (seen.has(key) ? wanted : seen).add(key)
  }
  const keys = Uint32Array.from(wanted).sort()
  const rows = new Float32Array(keys.length * DIMENSIONS)
  for (const [row, key] of keys.entries()) {
    const own = known.get(key) ?? Float32Array.from({ length: DIMENSIONS }, () => NEW_ROW_DEVIATION * normal(random))
    rows.set(own, row * DIMENSIONS)
  }
  const placeOf = new Map([...keys].map((key, row) => [key, row]))
  const encode = (text: string): Text =>
    Uint32Array.from(vectorKeys(words(text)).flatMap((key) => placeOf.get(key) ?? []))
  return { keys, rows, encode }
}

/** `FDSV`, u8 version, u8 dimensions, u16 0, u32 rows; u32 keys; f32 scales; int8 rows. */
function readBase(path: string): Map<number, Float32Array> {
  const bytes = readFileSync(path)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.toString('latin1', 0, 4) !== 'FDSV' || bytes[4] !== 1 || bytes[5] !== DIMENSIONS) {
    throw new Error(`${path} holds no vectors to start from`)
  }
  const count = view.getUint32(8, true)
  const scalesAt = BASE_HEADER_BYTES + 4 * count
  const rowsAt = scalesAt + 4 * count
  const rows = new Map<number, Float32Array>()
  for (let row = 0; row < count; row++) {
    const scale = view.getFloat32(scalesAt + 4 * row, true)
    const at = rowsAt + row * DIMENSIONS
    rows.set(
      view.getUint32(BASE_HEADER_BYTES + 4 * row, true),
      Float32Array.from({ length: DIMENSIONS }, (_, d) => view.getInt8(at + d) * scale),
    )
  }
  return rows
}

/** Box and Muller (1958). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
