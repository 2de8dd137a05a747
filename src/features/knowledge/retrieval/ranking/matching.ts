import { MAX_SLOTS, type Match, mayMatch, type RankingQuery } from './query.ts'

/** How a query is found in one field of a chunk. */
export type FieldMatch = {
  /** How well each slot is found, 0 to 1. There may be more places than slots. */
  readonly strengths: Float64Array
  /** How often each slot is found, other wordings counting by their strength. */
  readonly counts: Float64Array
  /** Share, 0 to 1, of the query's pairs of neighbouring words that are neighbours here too, by weight. */
  readonly adjacency: number
  /** Share, 0 to 1, of the query's weight in the best stretch of WINDOW words. */
  readonly window: number
}

const WINDOW = 25
const NO_MATCHES: readonly Match[] = []
const ZEROS = new Float64Array(MAX_SLOTS)
const NOTHING: FieldMatch = { strengths: ZEROS, counts: ZEROS, adjacency: 0, window: 0 }

/** Walks over a field's words once. Most fields hold nothing of a query and cost no memory. */
export function matchField(query: RankingQuery, words: Uint32Array): FieldMatch {
  let found: Found | undefined
  let previous = -1
  for (let i = 0; i < words.length; i++) {
    let exact = -1
    for (const { slot, strength, before } of matchesOf(query, words[i]!)) {
      if (!precededBy(words, i, before)) continue
      if (strength === 1) exact = slot
      found ??= createFound(query)
      found.add(slot, strength, i)
    }
    if (exact >= 0 && previous >= 0) found?.addPair(previous, exact)
    previous = exact
  }
  return found ? found.result() : NOTHING
}

type Found = ReturnType<typeof createFound>

function createFound(query: RankingQuery) {
  const slots = query.weights.length
  const strengths = new Float64Array(slots)
  const counts = new Float64Array(slots)
  const nearby = createWindow(query)
  const pairs = new Set<number>()
  return {
    add(slot: number, strength: number, position: number): void {
      if (strength > strengths[slot]!) strengths[slot] = strength
      counts[slot]! += strength
      nearby.add(slot, strength, position)
    },
    addPair: (first: number, second: number): void => void pairs.add(first * slots + second),
    result: (): FieldMatch => ({ strengths, counts, adjacency: adjacencyOf(query, pairs), window: nearby.best() }),
  }
}

function matchesOf(query: RankingQuery, hash: number): readonly Match[] {
  return mayMatch(query, hash) ? (query.matches.get(hash) ?? NO_MATCHES) : NO_MATCHES
}

function precededBy(words: Uint32Array, at: number, before: readonly number[]): boolean {
  const start = at - before.length
  return before.length === 0 || (start >= 0 && before.every((hash, i) => words[start + i] === hash))
}

function adjacencyOf({ pairs, pairWeight }: RankingQuery, found: ReadonlySet<number>): number {
  if (pairWeight === 0) return 0
  let sum = 0
  for (const pair of found) sum += pairs[pair]!
  return sum / pairWeight
}

/** Follows which slots were seen within the last WINDOW words. */
function createWindow({ weights, totalWeight }: RankingQuery) {
  const lastSeen = new Int32Array(weights.length).fill(-WINDOW)
  const strengths = new Float64Array(weights.length)
  let best = 0
  const sumAt = (position: number): number => {
    let sum = 0
    for (let i = 0; i < weights.length; i++) if (position - lastSeen[i]! < WINDOW) sum += weights[i]! * strengths[i]!
    return sum
  }
  return {
    add(slot: number, strength: number, position: number): void {
      const left = position - lastSeen[slot]! >= WINDOW
      const gained = left || strength > strengths[slot]!
      if (left || strength >= strengths[slot]!) {
        lastSeen[slot] = position
        strengths[slot] = strength
      }
      // A word that is in the stretch already adds nothing to it: most hits of frequent words end here.
      if (gained) best = Math.max(best, sumAt(position))
    },
    best: (): number => (totalWeight > 0 ? best / totalWeight : 0),
  }
}
