import { sentenceTerms } from '../../language/key-sentences.ts'
import type { Leader } from './types.ts'

/** A question with what it is compared by. */
export interface Compared {
  /** A vector of length 1. */
  meaning: Float32Array
  terms: ReadonlySet<string>
  isHan: boolean
}

/** How much sharing all words counts beside meaning the same. */
const TERMS_SHARE = 0.5
/** From here on two questions are one need; below, "by invoice?" would join "with Bitcoin?". See decision 0140. */
const ALIKE = 0.78
/** Questions in two languages share no words. */
const ALIKE_ACROSS = 0.6

export function toCompared(question: string, meaningOf: (text: string) => Float32Array): Compared {
  return comparedBy(meaningOf(question), question)
}

function comparedBy(meaning: Float32Array, question: string): Compared {
  return { meaning, terms: sentenceTerms(question), isHan: /\p{Script=Han}/u.test(question) }
}

/** How likely two questions have one answer, above 0: they are taken as one. The one judgement of it for groups. */
export function likeness(a: Compared, b: Compared): number {
  let cosine = 0
  for (let d = 0; d < a.meaning.length; d++) cosine += a.meaning[d]! * b.meaning[d]!
  if (a.isHan !== b.isHan) return cosine - ALIKE_ACROSS
  // Words can add so much at the most, so that most pairs end here.
  if (cosine + TERMS_SHARE < ALIKE) return Number.NEGATIVE_INFINITY
  const shared = a.terms.intersection(b.terms).size
  const all = a.terms.size + b.terms.size - shared
  return cosine + TERMS_SHARE * (all === 0 ? 0 : shared / all) - ALIKE
}

/** The most alike of the groups; null: none is alike. */
export function nearestOf<Group extends { compared: Compared }>(
  question: Compared,
  groups: Iterable<Group>,
): Group | null {
  let best: Group | null = null
  let most = 0
  for (const group of groups) {
    const value = likeness(question, group.compared)
    if (value > most) [best, most] = [group, value]
  }
  return best
}

export function toGroup({ gapId, meaning, question }: Leader) {
  return { gapId, compared: comparedBy(meaning, question) }
}
