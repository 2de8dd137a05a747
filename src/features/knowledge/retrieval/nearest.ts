import { DIMENSIONS } from '../../../ai/embedder/vectors/format.ts'
import { decodeFeatures, type Meaning } from './ranking/chunk-features.ts'
import { type AskedMeaning, semanticSimilarity } from './ranking/semantics.ts'

/** 32 dimensions a word. */
const SIGN_WORDS = DIMENSIONS / 32
const ROW_WORDS = 2 * SIGN_WORDS
const FIRST_ROWS = 1_024
/** Chunks compared exactly for each that is wanted: signs alone order those next to each other badly. */
const OVERSAMPLING = 4
/** The signs are taken anew when the base has grown or shrunk by half: what all passages have in common has moved by then. */
const DRIFT = 1.5

/**
 * Finds the chunks nearest to a question in meaning without the database: by the signs of their vectors' dimensions, less
 * what all have in common, then exactly among the best of these. A chunk costs 32 bytes and some nanoseconds a search.
 */
export function createNearest(meanOfAll: () => Float32Array) {
  let signs = new Uint32Array(FIRST_ROWS * ROW_WORDS)
  let centre = meanOfAll()
  let centredAt = 0
  const chunkIds: number[] = []
  const features: Uint8Array[] = []
  const rows = new Map<number, number>()

  function write(row: number): void {
    const { meanings } = decodeFeatures(features[row]!)
    const at = row * ROW_WORDS
    putSigns(signs, at, meanings?.topic, centre)
    // A passage without a heading means what it says as a whole.
    const whole = meanings && meanings.topic.scale > 0 ? meanings.whole : undefined
    if (whole) putSigns(signs, at + SIGN_WORDS, whole, centre)
    else {
      putSigns(signs, at, meanings?.whole, centre)
      signs.copyWithin(at + SIGN_WORDS, at, at + SIGN_WORDS)
    }
  }

  function centreAnew(): void {
    const count = chunkIds.length
    if (count <= centredAt * DRIFT && count * DRIFT >= centredAt) return
    centre = meanOfAll()
    centredAt = count
    for (let row = 0; row < count; row++) write(row)
  }

  return {
    add(chunkId: number, encoded: Uint8Array): void {
      const row = chunkIds.length
      if ((row + 1) * ROW_WORDS > signs.length) signs = grown(signs)
      chunkIds.push(chunkId)
      features.push(encoded)
      rows.set(chunkId, row)
      write(row)
    },
    remove(chunkId: number): void {
      const row = rows.get(chunkId)
      if (row === undefined) return
      const last = chunkIds.length - 1
      rows.delete(chunkId)
      if (row !== last) {
        chunkIds[row] = chunkIds[last]!
        features[row] = features[last]!
        rows.set(chunkIds[row]!, row)
        signs.copyWithin(row * ROW_WORDS, last * ROW_WORDS, (last + 1) * ROW_WORDS)
      }
      chunkIds.pop()
      features.pop()
    },
    /** The nearest chunks with their similarity, best first. */
    find(asked: AskedMeaning, count: number): { chunkId: number; score: number }[] {
      centreAnew()
      return promising(signs, chunkIds.length, signsOf(asked.vector), count * OVERSAMPLING)
        .map((row) => ({ chunkId: chunkIds[row]!, score: semanticSimilarity(asked, decodeFeatures(features[row]!)) }))
        .sort((a, b) => b.score - a.score || a.chunkId - b.chunkId)
        .slice(0, count)
    },
  }
}

function grown(signs: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * signs.length)
  larger.set(signs)
  return larger
}

function putSigns(signs: Uint32Array, at: number, meaning: Meaning | undefined, centre: Float32Array): void {
  for (let word = 0; word < SIGN_WORDS; word++) {
    let bits = 0
    for (let bit = 0; bit < 32; bit++) {
      const d = word * 32 + bit
      if (meaning && meaning.values[d]! * meaning.scale > centre[d]!) bits |= 1 << bit
    }
    signs[at + word] = bits
  }
}

function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(SIGN_WORDS)
  for (const [d, value] of vector.entries()) if (value > 0) signs[d >> 5]! |= 1 << (d & 31)
  return signs
}

/** Rows whose signs differ least from those asked for, by heading or as a whole. */
function promising(signs: Uint32Array, count: number, asked: Uint32Array, wanted: number): number[] {
  const distances = new Uint8Array(count)
  const histogram = new Uint32Array(DIMENSIONS + 1)
  const [a, b, c, d] = asked as unknown as [number, number, number, number]
  for (let row = 0, at = 0; row < count; row++, at += ROW_WORDS) {
    const topic = ones(signs[at]! ^ a) + ones(signs[at + 1]! ^ b) + ones(signs[at + 2]! ^ c) + ones(signs[at + 3]! ^ d)
    const whole =
      ones(signs[at + 4]! ^ a) + ones(signs[at + 5]! ^ b) + ones(signs[at + 6]! ^ c) + ones(signs[at + 7]! ^ d)
    const distance = topic < whole ? topic : whole
    distances[row] = distance
    histogram[distance]!++
  }
  let limit = 0
  let nearer = 0
  while (limit < DIMENSIONS && nearer + histogram[limit]! < wanted) nearer += histogram[limit++]!
  let places = wanted - nearer
  const found: number[] = []
  for (let row = 0; row < count; row++) {
    if (distances[row]! < limit || (distances[row] === limit && places-- > 0)) found.push(row)
  }
  return found
}

/** How many bits are set. */
function ones(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
