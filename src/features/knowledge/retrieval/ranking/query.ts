import type { Alternative, Analyser } from '../../../../language/words/analyser.ts'
import { hashTerm } from '../../../../language/words/hash-term.ts'
import { isStopWord } from '../../../../language/words/stop-words.ts'
import { findPriceAsked, otherInterrogatives, type QuestionType, questionType } from './question-type.ts'
import { correctSpelling, splitCompound } from './spelling.ts'
import { inverseFrequency, rarestWeight, type TermStatistics, termWeight } from './term-statistics.ts'

/** How a word of a chunk matches a word of the query. */
export type Match = {
  /** Which of the query's slots. */
  readonly slot: number
  /** 1 for the word itself, less for another wording of it. */
  readonly strength: number
  /** Words that must stand right before it: the beginning of a phrase that means the same. */
  readonly before: readonly number[]
}

/** A query, analysed once and used for both retrieval and ranking. A slot is a distinct word of it. */
export type RankingQuery = {
  /** Terms for the lexical index; join them by blanks. Empty: nothing to search by. */
  readonly terms: readonly string[]
  readonly type: QuestionType
  /** The word of each slot. */
  readonly words: readonly string[]
  /** How much each slot says. */
  readonly weights: Float64Array
  readonly totalWeight: number
  /** Weight, 0 to 1, of the most telling known word beside the rarest that there could be: near 0 where nothing but function words is asked. */
  readonly telling: number
  readonly matches: ReadonlyMap<number, readonly Match[]>
  /** A bit for every hash modulo the filter's length that may be in `matches`: most words of a chunk are not. */
  readonly filter: Uint8Array
  /** Weight of each pair of neighbouring words, by the slot of the first times the number of slots plus that of the second. */
  readonly pairs: Float64Array
  readonly pairWeight: number
  readonly statistics: TermStatistics
}

export const MAX_SLOTS = 40
/** More terms cost more time in the index than they find; a long message has more that tell. */
const MAX_TERMS = 24
const MAX_LONG_TERMS = 40
const LONG_FROM_WORDS = 40
/** A long message would otherwise match nearly everything. */
const MAX_ALTERNATIVES = 64
const SYNONYM_STRENGTH = 0.6
const CORRECTION_STRENGTH = 0.7
const SPLIT_STRENGTH = 0.7
/** Two words of the question that the passage writes as one are the same words. */
const JOINED_STRENGTH = 0.9
const PART_STRENGTH = 0.6
/** Share of the content's weight that a question's stop words reach together at the most. */
const FRAME_SHARE = 0.2
const HAN_SINGLE = /^\p{Script=Han}$/u
const HAN_PAIR = /^\p{Script=Han}{2}$/u
const HAN = /^\p{Script=Han}{2,12}$/u
const FILTER_LENGTH = 4096

/** @param statistics of the chunks that are searched. */
export function prepareQuery(text: string, analyser: Analyser, statistics: TermStatistics): RankingQuery {
  const words = analyser.words(text)
  const slots = chooseSlots(words, statistics)
  const wordings = [
    ...synonyms(words, analyser),
    ...corrections(words, statistics),
    ...otherCountries(words, analyser, statistics),
    ...otherSegmentations(words, analyser, statistics),
    ...compounds(words, statistics),
    ...interrogatives(words),
    ...prices(words),
  ]
  const matches = collectMatches(slots, words, wordings)
  const weights = boundFrame(
    [...slots.keys()],
    Float64Array.from(slots.keys(), (word) => slotWeight(word, slots.get(word)!, matches, statistics)),
  )
  const pairs = pairWeights(words, slots, weights)
  return {
    terms: searchTerms(
      analyser.searchTerms(text),
      wordings,
      statistics,
      words.length < LONG_FROM_WORDS ? MAX_TERMS : MAX_LONG_TERMS,
    ),
    type: questionType(words),
    words: [...slots.keys()],
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0),
    telling: mostKnown(weights, matches, statistics) / rarestWeight(statistics),
    matches,
    filter: filterOf(matches.keys()),
    pairs,
    pairWeight: pairs.reduce((sum, weight) => sum + weight, 0),
    statistics,
  }
}

type Wording = Alternative & {
  readonly strength: number
  /** Pages say it so and not in the word of the question: where they hold that, it means something else. */
  readonly isInstead?: true
}

/** Distinct words in order; of a long message those that say most. */
function chooseSlots(words: readonly string[], statistics: TermStatistics): Map<string, number> {
  const distinct = mostTelling([...new Set(words)], MAX_SLOTS, statistics)
  return new Map(distinct.map((word, slot) => [word, slot]))
}

/** So many words, in order: of too many those that say most among those that the knowledge base knows. */
function mostTelling(words: readonly string[], count: number, statistics: TermStatistics): readonly string[] {
  if (words.length <= count) return words
  const weight = (word: string): number => {
    const hash = hashTerm(word)
    return statistics.documentFrequency(hash) > 0 ? termWeight(hash, statistics) : 0
  }
  const weights = new Map(words.map((word) => [word, weight(word)]))
  const chosen = new Set(words.toSorted((a, b) => weights.get(b)! - weights.get(a)!).slice(0, count))
  return words.filter((word) => chosen.has(word))
}

function synonyms(words: readonly string[], analyser: Analyser): Wording[] {
  return analyser
    .alternatives(words)
    .slice(0, MAX_ALTERNATIVES)
    .map((alternative) => ({ ...alternative, strength: SYNONYM_STRENGTH }))
}

/** Words for what is abroad, in place of a country that no passage names. */
function otherCountries(words: readonly string[], analyser: Analyser, statistics: TermStatistics): Wording[] {
  const isUnknown = (word: string): boolean => statistics.documentFrequency(hashTerm(word)) === 0
  return analyser
    .abroad(words.slice(0, MAX_SLOTS))
    .filter(({ at, length }) => words.slice(at, at + length).some(isUnknown))
    .map((alternative) => ({ ...alternative, strength: SYNONYM_STRENGTH }))
}

/** Known words that unknown ones may have been meant as. */
function corrections(words: readonly string[], statistics: TermStatistics): Wording[] {
  const wordings: Wording[] = []
  for (const [at, word] of words.slice(0, MAX_SLOTS).entries()) {
    if (isStopWord(word) || statistics.documentFrequency(hashTerm(word)) > 0) continue
    const corrected = correctSpelling(word, statistics)
    if (corrected) wordings.push({ at, length: 1, words: [corrected], strength: CORRECTION_STRENGTH })
    else {
      const parts = splitCompound(word, statistics)
      if (parts) wordings.push({ at, length: 1, words: parts, strength: SPLIT_STRENGTH })
    }
  }
  return wordings
}

/**
 * A Chinese text has no blanks, and where a segmenter cuts depends on the neighbours: what is one word in the question
 * may be two in the passage, and the other way round.
 */
function otherSegmentations(words: readonly string[], analyser: Analyser, statistics: TermStatistics): Wording[] {
  const isKnown = (word: string): boolean => statistics.documentFrequency(hashTerm(word)) > 0
  const wordings: Wording[] = []
  for (const [at, word] of words.slice(0, MAX_SLOTS).entries()) {
    const joined = word + (words[at + 1] ?? '')
    if (HAN.test(joined) && at + 1 < words.length && isKnown(joined))
      wordings.push({ at, length: 2, words: [joined], strength: JOINED_STRENGTH })
    if (isKnown(word)) continue
    for (const part of analyser.parts(word)) wordings.push({ at, length: 1, words: [part], strength: PART_STRENGTH })
  }
  return wordings
}

/** Verbs that Chinese dictionaries hold together with what they are done to: 开发票. */
const VERBS = [...'开退换寄发收交查改补领']

/**
 * Words of the passages that hold a word of two characters and one more: 开发票 for 发票. Where the question says that
 * character too, wherever, the one word is both.
 */
function compounds(words: readonly string[], statistics: TermStatistics): Wording[] {
  const opening = [...words.slice(0, MAX_SLOTS).entries()].filter(([, word]) => !isStopWord(word))
  const singles = new Map(opening.filter(([, word]) => HAN_SINGLE.test(word)).map(([at, word]) => [word, at]))
  const inFront = [...new Set([...singles.keys(), ...VERBS])]
  return opening
    .filter(([, word]) => HAN_PAIR.test(word))
    .flatMap(([at, word]) =>
      [
        ...inFront.map((sign) => ({ sign, compound: sign + word })),
        ...[...singles.keys()].map((sign) => ({ sign, compound: word + sign })),
      ]
        .filter(({ compound }) => statistics.documentFrequency(hashTerm(compound)) > 0)
        .flatMap(({ sign, compound }): Wording[] => {
          const single = singles.get(sign)
          if (single === undefined) return [{ at, length: 1, words: [compound], strength: PART_STRENGTH }]
          return [at, single].map((one) => ({ at: one, length: 1, words: [compound], strength: JOINED_STRENGTH }))
        }),
    )
}

/** How something is asked is no part of what is asked. */
function interrogatives(words: readonly string[]): Wording[] {
  return [...words.slice(0, MAX_SLOTS).entries()].flatMap(([at, word]) =>
    otherInterrogatives(word).map((other) => ({ at, length: 1, words: [other], strength: 1 })),
  )
}

/** Words of a page for what "how much is it?" asks, and how nearly they say it. */
const PRICES = { price: 0.9, cost: SYNONYM_STRENGTH, fee: SYNONYM_STRENGTH }

/** A page that holds "much" tells no price by it. */
function prices(words: readonly string[]): Wording[] {
  const at = findPriceAsked(words)
  if (at < 0) return []
  return Object.entries(PRICES).map(([price, strength]) => {
    return { at, length: 1, words: [price], strength, isInstead: true }
  })
}

function collectMatches(
  slots: ReadonlyMap<string, number>,
  words: readonly string[],
  wordings: readonly Wording[],
): Map<number, Match[]> {
  const matches = new Map<number, Match[]>()
  const add = (hashes: readonly number[], slot: number, strength: number): void => {
    const last = hashes.at(-1)!
    matches.set(last, [...(matches.get(last) ?? []), { slot, strength, before: hashes.slice(0, -1) }])
  }
  const unsaid = new Set(wordings.filter(({ isInstead }) => isInstead).map(({ at }) => words[at]))
  for (const [word, slot] of slots) if (!unsaid.has(word)) add([hashTerm(word)], slot, 1)
  for (const { at, length, words: other, strength } of wordings) {
    const hashes = other.map(hashTerm)
    for (const word of words.slice(at, at + length)) {
      const slot = slots.get(word)
      if (slot !== undefined && (length === 1 || !isStopWord(word))) add(hashes, slot, strength)
    }
  }
  return matches
}

/** An unknown word weighs as much as the best known wording of it; one without any keeps the weight of the rarest. */
function slotWeight(
  word: string,
  slot: number,
  matches: ReadonlyMap<number, readonly Match[]>,
  statistics: TermStatistics,
): number {
  const hash = hashTerm(word)
  const weight = termWeight(hash, statistics)
  if (statistics.documentFrequency(hash) > 0) return weight
  let best = 0
  for (const [other, found] of matches) {
    if (other === hash || statistics.documentFrequency(other) === 0) continue
    if (found.some((match) => match.slot === slot)) best = Math.max(best, inverseFrequency(other, statistics))
  }
  return best > 0 ? Math.min(weight, Math.max(best, 1)) : weight
}

/** However politely something is asked, the words around it take no more than a small share of what it says. */
function boundFrame(words: readonly string[], weights: Float64Array): Float64Array {
  let frame = 0
  let content = 0
  for (const [slot, word] of words.entries()) {
    if (isStopWord(word)) frame += weights[slot]!
    else content += weights[slot]!
  }
  const most = FRAME_SHARE * content
  if (content === 0 || frame <= most) return weights
  return weights.map((weight, slot) => (isStopWord(words[slot]!) ? (weight * most) / frame : weight))
}

/** Weight of the most telling word that the base knows in some wording. */
function mostKnown(
  weights: Float64Array,
  matches: ReadonlyMap<number, readonly Match[]>,
  statistics: TermStatistics,
): number {
  let most = 0
  for (const [hash, found] of matches) {
    if (statistics.documentFrequency(hash) === 0) continue
    for (const { slot } of found) most = Math.max(most, weights[slot]!)
  }
  return most
}

function pairWeights(
  words: readonly string[],
  slots: ReadonlyMap<string, number>,
  weights: Float64Array,
): Float64Array {
  const pairs = new Float64Array(slots.size * slots.size)
  for (let i = 1; i < words.length; i++) {
    const first = slots.get(words[i - 1]!)
    const second = slots.get(words[i]!)
    if (first === undefined || second === undefined) continue
    // A word beside one that says nothing ("of", 的) is no phrase: the weaker of the two counts.
    pairs[first * slots.size + second] = 2 * Math.min(weights[first]!, weights[second]!)
  }
  return pairs
}

/** The query's own terms, of too many the most telling, and single words of other wordings that the knowledge base knows. */
function searchTerms(
  own: readonly string[],
  wordings: readonly Wording[],
  statistics: TermStatistics,
  count: number,
): string[] {
  const terms = new Set(mostTelling(own, count, statistics))
  for (const { words } of wordings) {
    for (const word of words) {
      if (terms.size >= count) return [...terms]
      if (!isStopWord(word) && statistics.documentFrequency(hashTerm(word)) > 0) terms.add(word)
    }
  }
  return [...terms]
}

function filterOf(hashes: Iterable<number>): Uint8Array {
  const filter = new Uint8Array(FILTER_LENGTH)
  for (const hash of hashes) filter[hash % FILTER_LENGTH] = 1
  return filter
}

/** False for most words that match nothing in the query, true for all that do. */
export function mayMatch({ filter }: RankingQuery, hash: number): boolean {
  return filter[hash % FILTER_LENGTH] === 1
}
