import { DIMENSIONS } from '../../../ai/embedder/vectors/format.ts'
import { type Meanings, product, UNKNOWN } from './meanings.ts'
import type { Neighbours } from './neighbours.ts'

export interface MeaningSearch {
  /** Neighbours of each text, at most 255. */
  k: number
  /** Each tree divides the texts in another way; more of them miss fewer neighbours. */
  trees: number
  /** Texts that are compared with each other at the end of a branch. */
  leaf: number
}

/** Of so many texts the one least like the first becomes the second pole of a division. */
const POLES = 32
/** The golden ratio's fraction: multiples of it spread evenly, so that each division begins elsewhere. */
const SPREAD = 0.618_033_988_75

/**
 * Finds for each text those whose meaning is nearest, through trees that halve the texts again and again between two poles: in each
 * tree a text is compared with those at the end of its branch. Work grows as n log n; there is no chance in it.
 */
export function nearestMeanings(meanings: Meanings, { k, trees, leaf }: MeaningSearch): Neighbours {
  const count = meanings.languages.length
  const found = {
    k,
    counts: new Uint8Array(count),
    texts: new Uint32Array(count * k),
    similarities: new Float32Array(count * k),
  }
  for (const [language, texts] of Map.groupBy(meanings.languages.keys(), (text) => meanings.languages[text])) {
    if (language === UNKNOWN) continue
    for (let tree = 0; tree < trees; tree++) {
      for (const branch of divide(meanings, texts, tree, leaf)) compareAll(meanings.rows, branch, found)
    }
  }
  return found
}

function* divide(meanings: Meanings, all: readonly number[], tree: number, leaf: number): Iterable<readonly number[]> {
  const waiting = [{ texts: all, depth: 1 }]
  for (let branch = waiting.pop(); branch; branch = waiting.pop()) {
    const { texts, depth } = branch
    if (texts.length <= leaf) yield texts
    else
      for (const half of halve(meanings.rows, texts, tree * 7 + depth)) waiting.push({ texts: half, depth: depth + 1 })
  }
}

/** Two halves of one size: those nearer to the one pole, and those nearer to the other. */
function halve(rows: Float32Array, texts: readonly number[], turn: number): [number[], number[]] {
  const first = texts[Math.floor(((turn * SPREAD) % 1) * texts.length)] as number
  const step = Math.ceil(texts.length / POLES)
  const second = texts
    .filter((_, at) => at % step === turn % step)
    .reduce((far, text) => (product(rows, text, rows, first) < product(rows, far, rows, first) ? text : far), first)
  const axis = new Float32Array(DIMENSIONS)
  for (let d = 0; d < DIMENSIONS; d++) axis[d] = rows[first * DIMENSIONS + d]! - rows[second * DIMENSIONS + d]!
  const places = Float32Array.from(texts, (text) => product(rows, text, axis, 0))
  const middle = places.toSorted()[texts.length >> 1]!
  const halves: [number[], number[]] = [[], []]
  for (const [at, text] of texts.entries()) {
    // Of those just in the middle each half takes what it lacks.
    const side = places[at]! < middle || (places[at] === middle && halves[0].length < texts.length >> 1) ? 0 : 1
    halves[side].push(text)
  }
  return halves
}

function compareAll(rows: Float32Array, texts: readonly number[], found: MutableNeighbours): void {
  for (let i = 0; i < texts.length; i++) {
    for (let j = i + 1; j < texts.length; j++) {
      const similarity = product(rows, texts[i]!, rows, texts[j]!)
      if (similarity <= 0) continue
      note(found, texts[i]!, texts[j]!, similarity)
      note(found, texts[j]!, texts[i]!, similarity)
    }
  }
}

type MutableNeighbours = { -readonly [K in keyof Neighbours]: Neighbours[K] }

/** Keeps a neighbour at its place among the nearest, unless it is known already or farther than all. */
function note(
  { k, counts, texts, similarities }: MutableNeighbours,
  text: number,
  other: number,
  similarity: number,
): void {
  const start = text * k
  let end = start + counts[text]!
  if (end === start + k && similarity <= similarities[end - 1]!) return
  for (let at = start; at < end; at++) if (texts[at] === other) return
  if (end < start + k) counts[text]! += 1
  else end -= 1
  while (end > start && similarities[end - 1]! < similarity) {
    texts[end] = texts[end - 1]!
    similarities[end] = similarities[end - 1]!
    end -= 1
  }
  texts[end] = other
  similarities[end] = similarity
}
