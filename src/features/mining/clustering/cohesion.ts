import { DIMENSIONS } from '../../../ai/embedder/vectors/format.ts'
import type { Matter } from './likeness.ts'
import { UNKNOWN } from './meanings.ts'

/**
 * How alike the tickets of a group are: the mean likeness of two of them, 0 to 1, by words, and by meaning as far as it is known. Found
 * from the length of their sum, so linear in the group. A group of one text is of one mind.
 *
 * @param counts for how many tickets each text stands.
 */
export function cohesionOf(
  { words, meanings, share }: Matter,
  texts: readonly number[],
  counts: readonly number[],
): number {
  if (texts.length === 1) return 1
  const tickets = texts.reduce((sum, text) => sum + counts[text]!, 0)
  const byWords = wordCohesion(words, texts, counts) / (tickets * (tickets - 1))
  const known = texts.filter((text) => meanings.languages[text] !== UNKNOWN)
  const ofKnown = known.reduce((sum, text) => sum + counts[text]!, 0)
  if (share === 0 || ofKnown < 2) return Math.min(1, Math.max(0, byWords))
  const byMeaning = meaningCohesion(meanings, known, counts) / (ofKnown * (ofKnown - 1))
  const weight = (share * ofKnown) / tickets
  return Math.min(1, Math.max(0, (1 - weight) * byWords + weight * byMeaning))
}

/** The sum of the cosines of all ordered pairs of tickets. */
function wordCohesion(
  { offsets, columns, weights }: Matter['words'],
  texts: readonly number[],
  counts: readonly number[],
): number {
  const sums = new Map<number, number>()
  let withWords = 0
  for (const text of texts) {
    const count = counts[text]!
    if (offsets[text + 1]! > offsets[text]!) withWords += count
    for (let at = offsets[text]!; at < offsets[text + 1]!; at++) {
      sums.set(columns[at]!, (sums.get(columns[at]!) ?? 0) + count * weights[at]!)
    }
  }
  let squares = 0
  for (const sum of sums.values()) squares += sum * sum
  return squares - withWords
}

/** The same by meaning; of two languages nothing is alike. */
function meaningCohesion(
  { rows, languages }: Matter['meanings'],
  texts: readonly number[],
  counts: readonly number[],
): number {
  let squares = 0
  let tickets = 0
  for (const own of Map.groupBy(texts, (text) => languages[text]).values()) {
    const sum = new Float64Array(DIMENSIONS)
    for (const text of own) {
      tickets += counts[text]!
      for (let d = 0, at = text * DIMENSIONS; d < DIMENSIONS; d++) sum[d]! += counts[text]! * rows[at + d]!
    }
    for (const value of sum) squares += value * value
  }
  return squares - tickets
}
