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

/** So many texts stand for the two sides of a division. */
const POLES = 8
/** The golden ratio's fraction: multiples of it spread evenly, so that each division begins elsewhere. */
const SPREAD = 0.618_033_988_75

/**
 * Finds for each text those whose meaning is nearest, through trees that halve the texts again and again: in each tree a text is compared
 * with those at the end of its branch, and at last with the neighbours of its neighbours. Work grows as n log n; there is no chance in it.
 * Of the five nearest it finds nine of ten where texts speak of a hundred things, and 99 of 100 where they speak of thirty.
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
  askNeighbours(meanings.rows, found)
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

/** Two halves of one size: those nearer to some texts from all over, and those nearer to some others. */
function halve(rows: Float32Array, texts: readonly number[], turn: number): [number[], number[]] {
  const axis = new Float32Array(DIMENSIONS)
  for (let pole = 0; pole < POLES; pole++) {
    const text = texts[Math.floor((((turn * POLES + pole) * SPREAD) % 1) * texts.length)] as number
    for (let d = 0, at = text * DIMENSIONS; d < DIMENSIONS; d++) axis[d]! += (pole % 2 === 0 ? 1 : -1) * rows[at + d]!
  }
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
    for (let j = i + 1; j < texts.length; j++) compare(rows, texts[i]!, texts[j]!, found)
  }
}

function compare(rows: Float32Array, text: number, other: number, found: MutableNeighbours): void {
  const similarity = product(rows, text, rows, other)
  if (similarity <= 0) return
  note(found, text, other, similarity)
  note(found, other, text, similarity)
}

/** Neighbours of neighbours, which may be near as well. */
function askNeighbours(rows: Float32Array, found: MutableNeighbours): void {
  const before = { ...found, counts: found.counts.slice(), texts: found.texts.slice() }
  for (const text of before.counts.keys()) {
    const near = neighboursOf(before, text)
    const known = new Set([text, ...near])
    for (const other of new Set(near.flatMap((each) => neighboursOf(before, each)))) {
      if (!known.has(other)) compare(rows, text, other, found)
    }
  }
}

function neighboursOf({ k, counts, texts }: Neighbours, text: number): number[] {
  return [...texts.subarray(text * k, text * k + counts[text]!)]
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
