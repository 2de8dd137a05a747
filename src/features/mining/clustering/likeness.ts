import { centroidsOf } from './centroids.ts'
import { type Meanings, meaningsOf, nearness } from './meanings.ts'
import { dot } from './sparse-rows.ts'
import type { SparseVectors } from './vectors.ts'

/** Texts, or the middles of groups of them: by the words that they use, and by what they mean. */
export interface Matter {
  readonly words: SparseVectors
  readonly meanings: Meanings
  /** The weight of meaning beside words, 0 to 1. */
  readonly share: number
}

/**
 * How alike two texts are, 0 to 1: what they share in words, and what their words mean. Words alone count where the meaning of one is
 * not known.
 */
export function likeness(a: Matter, i: number, b: Matter, j: number): number {
  const words = dot(a.words, i, b.words, j)
  const near = a.share === 0 ? undefined : nearness(a.meanings, i, b.meanings, j)
  return near === undefined ? words : (1 - a.share) * words + a.share * Math.max(0, near)
}

/** The middle of each group of texts. @param maxTerms of the words that each keeps, the heaviest */
export function middlesOf(
  { words, meanings, share }: Matter,
  groups: readonly (readonly number[])[],
  maxTerms: number,
): Matter {
  return { words: centroidsOf(words, groups, maxTerms), meanings: meaningsOf(meanings, groups), share }
}
