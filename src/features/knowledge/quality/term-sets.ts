/** Sets of words as sorted numbers, and how much two of them have in common. */
export interface Vocabulary {
  /** A set of words, each counted as occurring in one more statement. */
  count(words: readonly string[]): Uint32Array
  /** A set of words that counts for nothing. */
  read(words: readonly string[]): Uint32Array
  /** Inverse document frequency among the counted sets, smoothed because a base may hold two documents. */
  weight(term: number): number
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
    weight: (term) => Math.log(1 + (sets + SMOOTHING) / ((frequencies[term] ?? 0) + 1)),
  }
}

/** Jaccard similarity of two sorted sets, each element by its weight, 0 to 1; of two empty sets 0. */
export function similarity(a: Uint32Array, b: Uint32Array, weight: (term: number) => number): number {
  let shared = 0
  let all = 0
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const isShared = a[i] === b[j]
    const term = j >= b.length || (i < a.length && a[i]! <= b[j]!) ? a[i]! : b[j]!
    const value = weight(term)
    all += value
    if (isShared) shared += value
    if (isShared || term === a[i]) i++
    if (isShared || term === b[j]) j++
  }
  return all === 0 ? 0 : shared / all
}
