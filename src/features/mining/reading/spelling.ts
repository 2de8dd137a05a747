import { slipFinder } from '../../../language/spelling.ts'

/** How much more frequent a word must be for a rarer one to be taken for a slip of it. */
const MIN_RATIO = 20
const CORRECTABLE = /^[a-z]{5,}$/

/**
 * For each word the word that was meant: of two that differ by one dropped, added or swapped letter the far more frequent
 * one. A replaced letter makes another word too easily (change, charge). In a large collection slips are frequent enough
 * to form groups of their own, so they are undone before texts are compared. Words may be stems.
 */
export function correctSlips(words: readonly string[], counts: readonly number[]): Uint32Array {
  const numbers = new Map(words.map((word, number) => [word, number]))
  const frequent = words.filter((word, number) => counts[number]! >= MIN_RATIO && CORRECTABLE.test(word))
  const slipsOf = slipFinder(frequent)
  const meant = Uint32Array.from(words, (_, number) => number)
  const byFrequency = [...meant].sort((a, b) => counts[b]! - counts[a]! || a - b)
  for (const number of byFrequency) {
    const word = words[number]!
    if (!CORRECTABLE.test(word)) continue
    const [best] = slipsOf(word)
      .filter((other) => !isReplaced(word, other))
      .map((other) => numbers.get(other)!)
      .filter((other) => counts[other]! >= counts[number]! * MIN_RATIO)
      .sort((a, b) => counts[b]! - counts[a]!)
    // The more frequent word was settled before.
    if (best !== undefined) meant[number] = meant[best]!
  }
  return meant
}

/** Of two words one slip apart: the same letters in another order are swapped, not replaced. */
function isReplaced(a: string, b: string): boolean {
  return a.length === b.length && [...a].sort().join('') !== [...b].sort().join('')
}
