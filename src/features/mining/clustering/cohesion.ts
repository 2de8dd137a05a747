import type { SparseVectors } from './vectors.ts'

/**
 * How alike the tickets of a group are: the mean cosine of two of them, 0 to 1. Found from the length of their sum, so
 * linear in the group. A group of one text is of one mind.
 *
 * @param counts for how many tickets each text stands.
 */
export function cohesionOf(vectors: SparseVectors, texts: readonly number[], counts: readonly number[]): number {
  if (texts.length === 1) return 1
  const sums = new Map<number, number>()
  let tickets = 0
  let withWords = 0
  for (const text of texts) {
    const count = counts[text] as number
    const [start, end] = [vectors.offsets[text] as number, vectors.offsets[text + 1] as number]
    tickets += count
    if (end > start) withWords += count
    for (let at = start; at < end; at++) {
      const term = vectors.columns[at] as number
      sums.set(term, (sums.get(term) ?? 0) + count * (vectors.weights[at] as number))
    }
  }
  let squares = 0
  for (const sum of sums.values()) squares += sum * sum
  const mean = (squares - withWords) / (tickets * (tickets - 1))
  return Math.min(1, Math.max(0, mean))
}
