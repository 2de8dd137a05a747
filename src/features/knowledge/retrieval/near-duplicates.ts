import { fold } from '../../../language/fold.ts'
import type { SearchHit } from '../types.ts'

const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu
/** Two passages that share so much of all their words say the same, */
const SAME = 0.85
/** if they are about as long */
const SAME_LENGTH = 0.85
/** and long enough to tell. */
const LEAST_WORDS = 12

/**
 * The hits without those that repeat an earlier one of another document in the same words: a page that stands in three folders
 * would otherwise be all that is found. Texts that differ in a number say different things, and so do answers to different questions.
 */
export function withoutNearDuplicates<Hit extends Pick<SearchHit, 'docId' | 'content' | 'question'>>(
  hits: readonly Hit[],
): Hit[] {
  const read = new Map<Hit, ReadonlySet<string>>()
  const wordsOf = (hit: Hit): ReadonlySet<string> => {
    const words = read.get(hit) ?? new Set(fold(hit.content).match(WORD))
    read.set(hit, words)
    return words
  }
  const kept: Hit[] = []
  for (const hit of hits) {
    const isRepeated = kept.some(
      (earlier) =>
        earlier.docId !== hit.docId &&
        earlier.question === hit.question &&
        isAsLong(earlier.content, hit.content) &&
        isSame(wordsOf(earlier), wordsOf(hit)),
    )
    if (!isRepeated) kept.push(hit)
  }
  return kept
}

/** Texts that are not about as long need not be read. */
function isAsLong(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= SAME_LENGTH * Math.max(a.length, b.length)
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (Math.min(a.size, b.size) < LEAST_WORDS) return false
  const different = a.symmetricDifference(b)
  if ((a.size + b.size - different.size) / (a.size + b.size + different.size) < SAME) return false
  return ![...different].some((word) => /\p{N}/u.test(word))
}
