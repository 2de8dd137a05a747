import { contentWords, type TermSplitter } from '../reply/piece.ts'

/** In a question of so few words each is what it is about ("Do you sell horses?"). */
const SHORT = 3
/** A word that is no more like any word of a passage than this is not spoken of there. */
const UNLIKE = 0.3

/** Verbs of one character have many others for them («积分怎么用»: 抵扣); the things that they are about have not. */
const HAN_SINGLE = /^\p{Script=Han}$/u

/**
 * Whether a passage speaks of all that a short question names, in its words or in others of like meaning. A longer question
 * says more than its subject, and its score tells enough.
 */
export function speaksOf(passage: string, question: string, terms: TermSplitter): boolean {
  const named = contentWords(question, terms).filter((word) => !HAN_SINGLE.test(word))
  if (named.length > SHORT) return true
  const said = new Set(terms.documentTerms(passage))
  const missing = named.filter((term) => !said.has(term))
  if (missing.length === 0) return true
  const meanings = [...new Set(terms.words(passage))].map((word) => terms.meaning([word], 'page'))
  return missing.every((term) => {
    const meaning = terms.meaning([term], 'page')
    return meanings.some((other) => similarity(meaning, other) >= UNLIKE)
  })
}

function similarity(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, d) => sum + value * (b[d] as number), 0)
}
