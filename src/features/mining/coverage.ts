import { isStopWord } from '../../language/words/stop-words.ts'
import type { Knowledge } from '../knowledge/index.ts'

export interface CoverageOptions {
  knowledge: Pick<Knowledge, 'search'>
  /** Would the assistant answer this with confidence? */
  isAnswered(question: string): Promise<boolean>
  /** The analyser's words of a text. */
  wordsOf(text: string): string[]
}

/**
 * Share of a solution's words that one passage holds, from which on it says the same. On the sample shop passages that do hold
 * 0.56 to 1 of them, others at most 0.40.
 */
const SAME_WORDS = 0.5
/** Fewer words are too easily found together. */
const MIN_WORDS = 6
const PASSAGES = 5
const MAX_QUERY = 500

/**
 * Tells whether the knowledge base answers a problem already: the assistant is sure of its answer to the question, or a passage
 * says what solved it, in whatever words customers ask for it.
 */
export function createCoverage({ knowledge, isAnswered, wordsOf }: CoverageOptions) {
  return async (question: string, solution: string): Promise<boolean> => {
    if (await isAnswered(question)) return true
    const wanted = new Set(wordsOf(solution).filter((word) => !isStopWord(word)))
    if (wanted.size < MIN_WORDS) return false
    const passages = await knowledge.search({ query: solution.slice(0, MAX_QUERY), topK: PASSAGES })
    return passages.some(({ content }) => {
      return wanted.intersection(new Set(wordsOf(content))).size >= wanted.size * SAME_WORDS
    })
  }
}
