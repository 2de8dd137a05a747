import { difference, putSigns, SIGN_WORDS, signsOf, smallest } from '../../../ai/embedder/vectors/signs.ts'
import { decodeMeanings } from './ranking/chunk-features.ts'
import { type AskedMeaning, semanticSimilarity } from './ranking/semantics.ts'

/** Signs of what the heading means, then of the whole. */
const ROW_WORDS = 2 * SIGN_WORDS
const FIRST_ROWS = 1_024
/** Chunks compared exactly for each that is wanted: signs alone order those next to each other badly. */
const OVERSAMPLING = 3
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
    const meanings = decodeMeanings(features[row]!)
    const at = row * ROW_WORDS
    if (!meanings) return void signs.fill(0, at, at + ROW_WORDS)
    // A passage without a heading means what it says as a whole.
    const topic = meanings.topic.scale > 0 ? meanings.topic : meanings.whole
    putSigns(signs, at, { ...topic, start: 0 }, centre)
    putSigns(signs, at + SIGN_WORDS, { ...meanings.whole, start: 0 }, centre)
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
        .map((row) => ({ chunkId: chunkIds[row]!, score: semanticSimilarity(asked, decodeMeanings(features[row]!)) }))
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

/** Rows whose signs differ least from those asked for, by heading or as a whole. */
function promising(signs: Uint32Array, count: number, asked: Uint32Array, wanted: number): number[] {
  const differences = new Uint8Array(count)
  for (let row = 0, at = 0; row < count; row++, at += ROW_WORDS) {
    differences[row] = Math.min(difference(signs, at, asked), difference(signs, at + SIGN_WORDS, asked))
  }
  return smallest(differences, wanted)
}
