import { inverseFrequency } from './bm25.ts'
import { quoted } from './queries.ts'
import type { TermSample } from './term-sample.ts'

/** A question as Postgres' text search can ask it, and by what its finds are weighed. */
export interface TermQuery {
  /** Each a `tsquery`: the passages that hold enough of what says most match one of them. */
  texts: string[]
  /** Inverse document frequency of each term. */
  weights: ReadonlyMap<string, number>
  /** Whether every passage that holds any of the terms matches. */
  isWhole: boolean
}

/** Terms of a passage whose weights are summed up: three that say much say which passage is meant. */
const SUMMED = 3
/** Terms in the query's text, repetitions counted: Postgres judges all of it for each passage that may match. */
const MAX_LEAVES = 120
/** A term that no passage of the sample holds stands in a third of a passage for each of the sample. */
const UNSEEN = 1 / 3

/**
 * The query for about so many passages: those in which the weights of the three most telling terms come to a sum that in
 * the sample as many passages reach. A query for any of the terms gets most of a large base, in which every
 * passage then has to be scored; one for all of them gets nothing.
 *
 * @param terms distinct and not empty.
 * @param count passages of the base.
 * @param wanted passages that are to match, roughly.
 */
export function termQuery(terms: readonly string[], sample: TermSample, count: number, wanted: number): TermQuery {
  const { size } = sample
  const known = terms.map((term) => {
    const holders = sample.holders(term)
    return { text: quoted(term), term, holders, weight: weightOf(holders.length, size, count) }
  })
  const byWeight = known.sort((a, b) => b.weight - a.weight)
  const weights = new Map(byWeight.map(({ term, weight }) => [term, weight]))
  const least = count <= wanted ? 0 : leastSum(byWeight, size, (wanted / count) * size)
  for (let taken = byWeight.length; least > 0 && taken > 0; taken--) {
    const clauses = clausesOf(byWeight.slice(0, taken), least)
    if (clauses.length > 0 && leavesOf(clauses) <= MAX_LEAVES) {
      return { texts: clauses.map(({ text }) => text), weights, isWhole: false }
    }
  }
  return { texts: [byWeight.map(({ text }) => text).join(' | ')], weights, isWhole: true }
}

interface KnownTerm {
  /** As a `tsquery` names it. */
  text: string
  /** The sample's passages that hold it. */
  holders: readonly number[]
  weight: number
}

/** BM25's, of as many passages as the sample lets expect. */
function weightOf(held: number, size: number, count: number): number {
  const share = Math.max(held, size < count ? UNSEEN : 0) / Math.max(1, size)
  return inverseFrequency(share * count, count)
}

/** The sum that so many passages of the sample reach; 0: fewer hold any of the terms. */
function leastSum(byWeight: readonly KnownTerm[], size: number, rank: number): number {
  const sums = new Float64Array(size)
  const counts = new Uint8Array(size)
  for (const { holders, weight } of byWeight) {
    for (const passage of holders) if (counts[passage]!++ < SUMMED) sums[passage]! += weight
  }
  const reached = sums.filter((sum) => sum > 0).sort()
  if (reached.length < rank) return 0
  const least = reached[reached.length - Math.max(1, Math.round(rank))]!
  // Very many may reach the same sum, those that hold the one common term, say. Of these Postgres would return any.
  const larger = reached.findIndex((sum) => sum > least)
  const more = larger < 0 ? 0 : reached.length - larger
  const same = reached.length - reached.indexOf(least)
  return same > rank * TOO_MANY && more >= rank * ENOUGH ? reached[larger]! : least
}

/** Passages that match, beside those that are wanted, from which on a smaller part of them is better, and how small it may be. */
const TOO_MANY = 3
const ENOUGH = 1 / 6

interface Clause {
  text: string
  /** Terms in the text, repetitions counted. */
  leaves: number
}

/** Sums of weights are compared with a grain of salt: they are added in another order. */
const TOLERANCE = 1e-6

/**
 * Clauses for terms of a sum of at least `need`, at most `left` of them; each begins with the term that weighs most in it.
 * One scan of the index for each is faster than one for all: that one asks for each passage of a common term that stands
 * in any of them whether all of the text matches.
 */
function clausesOf(byWeight: readonly KnownTerm[], need: number, left = SUMMED): Clause[] {
  const clauses: Clause[] = []
  for (const [i, { text, weight }] of byWeight.entries()) {
    // The following terms weigh less: when this one and its next cannot reach the sum, none of them can.
    if (sumOf(byWeight, i, left) < need - TOLERANCE) break
    if (weight >= need - TOLERANCE) clauses.push({ text, leaves: 1 })
    else {
      const others = clausesOf(byWeight.slice(i + 1), need - weight, left - 1)
      if (others.length > 0) clauses.push({ text: `${text} & ${anyOf(others)}`, leaves: 1 + leavesOf(others) })
    }
  }
  return clauses
}

function anyOf(clauses: readonly Clause[]): string {
  const texts = clauses.map(({ text }) => text)
  return texts.length === 1 ? texts[0]! : `(${texts.join(' | ')})`
}

function leavesOf(clauses: readonly Clause[]): number {
  return clauses.reduce((sum, { leaves }) => sum + leaves, 0)
}

function sumOf(terms: readonly KnownTerm[], start: number, count: number): number {
  return terms.slice(start, start + count).reduce((sum, { weight }) => sum + weight, 0)
}
