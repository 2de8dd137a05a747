import { memoize } from '../../kernel/memoize.ts'
import type { Analyser } from '../../language/words/analyser.ts'
import type { Embedder } from './port.ts'
import { bridged } from './vectors/bridge.ts'
import { DIMENSIONS } from './vectors/format.ts'
import { meaningOf, readChecksum } from './vectors/store.ts'

/** Whose vectors were made here. */
export const BUILT_IN_PREFIX = 'built-in-'
/** Of the families beside the question; learned together with the ranking: with more the FAQ of a subject without families pays. */
const BRIDGE_WEIGHT = 0.5

/**
 * Compares meanings without a model: vectors of words that were learned from customers' wordings
 * (docs/decisions/0130-built-in-vectors.md). A question is moved towards the families of wordings that it resembles.
 */
export function createBuiltInEmbedder({ analyser }: { analyser: Pick<Analyser, 'fingerprint' | 'words'> }): Embedder {
  return {
    id: `${BUILT_IN_PREFIX}${readChecksum()}-${analyser.fingerprint}`,
    dimensions: DIMENSIONS,
    embed: async (texts, kind, signal) =>
      texts.map((text) => {
        signal?.throwIfAborted()
        return builtInMeaning(analyser.words(text), kind === 'query' ? 'question' : 'page')
      }),
  }
}

/** The families are compared with a question once, whoever asks for its meaning while it is answered. */
const questionMeaning = memoize((words: string) => bridged(meaningOf(words.split(' ')), BRIDGE_WEIGHT), {
  maxEntries: 100,
  maxLength: 1_000,
})

/** Meaning of words as a vector of length 1, or zeros; a question's is moved towards how pages put it. Not to be changed. */
export function builtInMeaning(words: readonly string[], kind: 'question' | 'page'): Float32Array {
  return kind === 'question' ? questionMeaning(words.join(' ')) : meaningOf(words)
}

export function isBuiltIn(embedderId: string): boolean {
  return embedderId.startsWith(BUILT_IN_PREFIX)
}
