/** Inverse document frequency of a word, by its number. */
export type Weight = (term: number) => number

/** Smooths weights, because a base may hold two documents. */
const SMOOTHING = 20

/** Numbers from 1 in the order in which texts are first seen. */
export function createNumbering(): (text: string) => number {
  const numbers = new Map<string, number>()
  return (text) => {
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return number
  }
}

/** Sets of words as sorted numbers. */
export function createVocabulary() {
  const numberOf = createNumbering()
  const frequencies: number[] = []
  let sets = 0
  /** A set of words that counts for nothing. */
  const read = (words: readonly string[]): Uint32Array => {
    const set = Uint32Array.from(new Set(words.map((word) => numberOf(word) - 1))).sort()
    for (const term of set) frequencies[term] ??= 0
    return set
  }
  return {
    read,
    /** A set of words, each counted as occurring in one more statement. */
    count(words: readonly string[]): Uint32Array {
      const set = read(words)
      for (const term of set) frequencies[term]! += 1
      sets++
      return set
    },
    /** Weights among the sets counted so far. */
    weights(): Weight {
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
