import { countTerms } from './term-sample.ts'

/** The usual values, which are pg_textsearch's too: both engines score alike. */
const K1 = 1.2
const B = 0.75

/**
 * BM25 of a passage (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009).
 *
 * @param text the passage's terms, joined by blanks.
 * @param weights inverse document frequency of the terms that are asked for.
 * @param averageLength terms of a passage.
 */
export function bm25(text: string, weights: ReadonlyMap<string, number>, averageLength: number): number {
  const norm = K1 * (1 - B + (B * countTerms(text)) / averageLength)
  let score = 0
  for (const [term, weight] of weights) {
    const count = occurrences(text, term)
    if (count > 0) score += (weight * count * (K1 + 1)) / (count + norm)
  }
  return score
}

const BLANK = 32

/** Without an object for each term of the text, most of which nobody asks for. */
function occurrences(text: string, term: string): number {
  let count = 0
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    const end = at + term.length
    const isWhole =
      (at === 0 || text.charCodeAt(at - 1) === BLANK) && (end === text.length || text.charCodeAt(end) === BLANK)
    if (isWhole) count++
  }
  return count
}

/** BM25's inverse document frequency, never negative. @param held passages of `count` that hold a term; need not be whole. */
export function inverseFrequency(held: number, count: number): number {
  return Math.log(1 + Math.max(0, count - held + 0.5) / (held + 0.5))
}
