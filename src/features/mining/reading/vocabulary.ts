import { isStopWord } from '../../../language/words/stop-words.ts'
import { correctSlips } from './spelling.ts'

/** How many words further on the partner of a pair may stand. */
const PAIR_WINDOW = 3
/** Two word numbers fit into one exact integer. */
const PAIR_BASE = 2 ** 26

/** Numbers words in the order in which they are first seen. */
export function createNumbering() {
  const numbers = new Map<string, number>()
  const words: string[] = []
  return {
    words: words as readonly string[],
    numberOf(word: string): number {
      const number = numbers.get(word) ?? words.length
      if (number === words.length) {
        numbers.set(word, number)
        words.push(word)
      }
      return number
    },
  }
}

/** Content words of texts as numbers. */
export function createVocabulary() {
  const numbering = createNumbering()
  const { words } = numbering
  const counts: number[] = []
  const numberOf = (word: string): number => {
    const number = numbering.numberOf(word)
    counts[number] = (counts[number] ?? 0) + 1
    return number
  }
  return {
    /** The content words of a sentence, in order, given all its words. */
    read: (all: readonly string[]) => Uint32Array.from(all.filter(isContent), numberOf),
    /** Ends the reading: what was read becomes terms. */
    terms: () => createTerms(words, correctSlips(words, counts)),
  }
}

/** Numbers say which order or which day, not what is wrong; model names like `e5` begin with a letter and stay. */
function isContent(word: string): boolean {
  return !isStopWord(word) && !/^n\d/.test(word)
}

export type Terms = ReturnType<typeof createTerms>

/**
 * Terms are words, and unordered pairs of words that stand close together ("cancel" with "plan"). Words are numbered by the
 * alphabet, so that the same texts in another order get the same numbers.
 */
function createTerms(words: readonly string[], corrected: Uint32Array) {
  const alphabet = [...words.keys()].sort((a, b) => ((words[a] as string) < (words[b] as string) ? -1 : 1))
  const places = new Uint32Array(words.length)
  alphabet.forEach((word, place) => {
    places[word] = place
  })
  const pairs = new Map<number, number>()
  const pairOf = (a: number, b: number): number => {
    const key = Math.min(a, b) * PAIR_BASE + Math.max(a, b)
    const number = pairs.get(key) ?? words.length + pairs.size
    pairs.set(key, number)
    return number
  }
  return {
    /** The words that were meant, as terms, in order. */
    meant: (read: Uint32Array): Uint32Array => read.map((word) => places[corrected[word] as number] as number),
    /** Distinct terms of the words that were meant; ascending. */
    of(meant: Uint32Array): Uint32Array {
      const terms = new Set(meant)
      meant.forEach((word, at) => {
        for (const partner of meant.subarray(at + 1, at + 1 + PAIR_WINDOW)) {
          if (partner !== word) terms.add(pairOf(word, partner))
        }
      })
      return Uint32Array.from(terms).sort()
    },
    /** How many of the words that were read are slips. */
    slipsIn: (read: Uint32Array): number => read.reduce((slips, word) => slips + (corrected[word] === word ? 0 : 1), 0),
    isPair: (term: number): boolean => term >= words.length,
    /** Empty for a pair. */
    wordOf: (term: number): string => (term < words.length ? (words[alphabet[term] as number] as string) : ''),
    size: (): number => words.length + pairs.size,
  }
}
