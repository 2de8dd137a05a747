/** Inverse document frequency of a word, by its number. */
export type Weight = (term: number) => number

/** Sets of words as sorted numbers. */
export interface Vocabulary {
  /** A set of words, each counted as occurring in one more statement. */
  count(words: readonly string[]): Uint32Array
  /** A set of words that counts for nothing. */
  read(words: readonly string[]): Uint32Array
  /** Weights among the sets counted so far, smoothed because a base may hold two documents. */
  weights(): Weight
}

const SMOOTHING = 20

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>()
  const frequencies: number[] = []
  let sets = 0
  const numberOf = (word: string): number => {
    const known = numbers.get(word)
    if (known !== undefined) return known
    numbers.set(word, frequencies.length)
    return frequencies.push(0) - 1
  }
  const read = (words: readonly string[]): Uint32Array => Uint32Array.from(new Set(words.map(numberOf))).sort()
  return {
    read,
    count(words) {
      const set = read(words)
      for (const term of set) frequencies[term]! += 1
      sets++
      return set
    },
    weights() {
      const weights = Float64Array.from(frequencies, (frequency) => Math.log(1 + (sets + SMOOTHING) / (frequency + 1)))
      return (term) => weights[term]!
    },
  }
}

const PAST_ALL = 0xffffffff

/** Jaccard similarity of two sorted sets, each element by its weight, 0 to 1; of two empty sets 0. */
export function similarity(a: Uint32Array, b: Uint32Array, weight: Weight): number {
  let shared = 0
  let all = 0
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const left = i < a.length ? a[i]! : PAST_ALL
    const right = j < b.length ? b[j]! : PAST_ALL
    const value = weight(Math.min(left, right))
    all += value
    if (left === right) shared += value
    if (left <= right) i++
    if (right <= left) j++
  }
  return all === 0 ? 0 : shared / all
}

/** How many elements of `a` sorted `b` lacks. */
export function countMissing(a: Uint32Array, b: Uint32Array): number {
  let missing = 0
  for (const term of a) if (!b.includes(term)) missing++
  return missing
}
