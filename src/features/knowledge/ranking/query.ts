import type { Analyser } from '../../../ai/analysis/analyser.ts'
import { isStopWord } from '../../../ai/analysis/stop-words.ts'
import { hashTerm } from './hash.ts'
import type { TermStatistics } from './term-statistics.ts'

/** A query, analysed once and used for both retrieval and ranking. */
export type RankingQuery = {
  /** Terms for the lexical index; join them by blanks. Empty: nothing to search by. */
  readonly terms: readonly string[]
  /** The words in order, as hashes, with their inverse document frequencies (0 for stop words). */
  readonly words: readonly { readonly hash: number; readonly idf: number }[]
}

/** @param statistics of the chunks that are searched; an idf is that of BM25, at least 0. */
export function prepareQuery(text: string, analyser: Analyser, statistics: TermStatistics): RankingQuery {
  const words = analyser.words(text)
  const onlyStopWords = words.every(isStopWord)
  return {
    terms: analyser.queryTerms(text),
    words: words.map((word) => {
      const hash = hashTerm(word)
      return { hash, idf: isStopWord(word) && !onlyStopWords ? 0 : inverseFrequency(hash, statistics) }
    }),
  }
}

function inverseFrequency(hash: number, { chunkCount, documentFrequency }: TermStatistics): number {
  const frequency = documentFrequency(hash)
  return Math.log(1 + (chunkCount - frequency + 0.5) / (frequency + 0.5))
}
