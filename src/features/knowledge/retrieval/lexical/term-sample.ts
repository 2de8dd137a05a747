import { hashTerm } from '../../../../language/words/hash-term.ts'

/** Passages in a piece: as many as can be sorted before other requests get their turn. */
const PIECE = 1_024

/** Terms of a number of passages, by which it is told how common terms are, alone and together. */
export interface TermSample {
  /** Passages in the sample. */
  readonly size: number
  /** Terms of a passage, repetitions counted; 1 at least. */
  readonly averageLength: number
  /** Those of the sample's passages that hold a term, by their number, 0 to `size` - 1. */
  holders(term: string): number[]
}

/** Postings of some passages: sorted by term, so that a term takes a binary search and no object of its own. */
interface Piece {
  /** Hashes that occur, ascending. */
  hashes: Uint32Array
  /** Where each one's passages begin, and the end of the last. */
  starts: Uint32Array
  passages: Uint16Array
}

/** Some megabytes for ten thousand passages. */
export function createTermSample() {
  const pieces: Piece[] = []
  let texts: string[] = []
  let size = 0
  let length = 0

  function finish(): void {
    if (texts.length > 0) pieces.push(pieceOf(texts))
    texts = []
  }
  return {
    get size() {
      return size
    },
    get averageLength() {
      return Math.max(1, length / Math.max(1, size))
    },
    holders(term: string): number[] {
      const hash = hashTerm(term)
      return pieces.flatMap((piece, i) => passagesOf(piece, hash).map((passage) => i * PIECE + passage))
    },
    /**
     * Adds the terms of a passage, joined by blanks.
     * @returns whether it is time to let others have their turn
     */
    add(terms: string): boolean {
      texts.push(terms)
      size++
      length += countTerms(terms)
      if (texts.length < PIECE) return false
      finish()
      return true
    },
    /** Everything that is to be in it was added. */
    finish,
  }
}

/** A term and a passage fit into one number of 48 bits, and numbers are sorted fastest. */
function pieceOf(texts: readonly string[]): Piece {
  const pairs: number[] = []
  for (const [passage, text] of texts.entries()) {
    for (const term of new Set(text.split(' '))) pairs.push(hashTerm(term) * PIECE + passage)
  }
  const sorted = Float64Array.from(pairs).sort()
  const hashes: number[] = []
  const starts: number[] = []
  const passages = new Uint16Array(sorted.length)
  let last = -1
  for (const [i, pair] of sorted.entries()) {
    const hash = Math.floor(pair / PIECE)
    passages[i] = pair - hash * PIECE
    if (hash === last) continue
    last = hash
    hashes.push(hash)
    starts.push(i)
  }
  return { hashes: Uint32Array.from(hashes), starts: Uint32Array.from([...starts, sorted.length]), passages }
}

function passagesOf({ hashes, starts, passages }: Piece, hash: number): number[] {
  let low = 0
  let high = hashes.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (hashes[middle]! < hash) low = middle + 1
    else high = middle
  }
  return hashes[low] === hash ? [...passages.subarray(starts[low]!, starts[low + 1]!)] : []
}

/** Terms of a text in which they are joined by blanks. */
export function countTerms(text: string): number {
  let count = 1
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) count++
  return count
}
