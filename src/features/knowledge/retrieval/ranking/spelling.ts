import { hashTerm } from '../../../../language/words/hash-term.ts'
import type { TermStatistics } from './term-statistics.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const MIN_LENGTH = 5
const MAX_LENGTH = 24

/**
 * The most frequent known word that is one edit away (a letter left out, added, replaced or two neighbours swapped), or null.
 * Asks the statistics for every such word (Norvig's corrector), some 500 look-ups of a hash; so no dictionary has to be kept.
 * The first letter stays: it is rarely wrong and half of the false friends differ in it.
 */
export function correctSpelling(word: string, statistics: TermStatistics): string | null {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word)) return null
  let best: string | null = null
  let bestFrequency = 0
  for (const edited of edits(word)) {
    const frequency = statistics.documentFrequency(hashTerm(edited))
    if (frequency > bestFrequency) {
      best = edited
      bestFrequency = frequency
    }
  }
  return best
}

/** Where a word that nobody wrote falls into two that stand in the knowledge base: `hottub`; or null. */
export function splitCompound(word: string, statistics: TermStatistics): [string, string] | null {
  if (word.length < 2 * MIN_PART || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word)) return null
  let best: [string, string] | null = null
  let bestFrequency = 0
  for (let i = MIN_PART; i <= word.length - MIN_PART; i++) {
    const parts: [string, string] = [word.slice(0, i), word.slice(i)]
    const frequency = Math.min(...parts.map((part) => statistics.documentFrequency(hashTerm(part))))
    if (frequency > bestFrequency) {
      best = parts
      bestFrequency = frequency
    }
  }
  return best
}

const MIN_PART = 3

function* edits(word: string): Generator<string> {
  for (let i = 1; i <= word.length; i++) {
    const before = word.slice(0, i)
    const after = word.slice(i)
    if (after !== '') yield before + after.slice(1)
    if (after.length > 1) yield before + after[1] + after[0] + after.slice(2)
    for (const letter of LETTERS) {
      yield before + letter + after
      if (after !== '') yield before + letter + after.slice(1)
    }
  }
}
