import { setImmediate as breathe } from 'node:timers/promises'
import type { Analyser } from '../../language/words/analyser.ts'
import { hashTerm } from '../../language/words/hash-term.ts'
import { isStopWord } from '../../language/words/stop-words.ts'
import type { Embedder } from './port.ts'
import { unitVector } from './unit-vector.ts'

const REVISION = 3

/** Texts embedded before other requests get their turn. */
const SLICE = 10

const STOP_WORD_WEIGHT = 0.05
const SYNONYM_WEIGHT = 0.6
const GRAM_LENGTH = 3
const MIN_WORD_LENGTH = 4

type LocalAnalyser = Pick<Analyser, 'fingerprint' | 'synonymsFingerprint' | 'documentTerms' | 'words' | 'alternatives'>

/**
 * A deterministic embedder without a model: signed feature hashing (Weinberger et al., 2009) of terms, of the character
 * trigrams inside words and of their synonyms, sublinear in frequency, of length 1. It finds inflected, misspelt and
 * compounded forms that share letters, and the synonyms that the analyser knows; it knows no other meanings.
 */
export function createLocalEmbedder({
  analyser,
  dimensions = 256,
}: {
  analyser: LocalAnalyser
  dimensions?: number
}): Embedder {
  return {
    id: `local-${REVISION}-${dimensions}-${analyser.fingerprint}-${analyser.synonymsFingerprint}`,
    dimensions,
    embed: async (texts, _kind, signal) => {
      const vectors: Float32Array[] = []
      for (const [i, text] of texts.entries()) {
        if (i > 0 && i % SLICE === 0) await breathe()
        signal?.throwIfAborted()
        vectors.push(hashFeatures(featuresOf(text, analyser), dimensions))
      }
      return vectors
    },
  }
}

/** How much of each feature a text has. */
function featuresOf(text: string, analyser: LocalAnalyser): Map<string, number> {
  const features = new Map<string, number>()
  for (const term of analyser.documentTerms(text)) add(features, term, isStopWord(term) ? STOP_WORD_WEIGHT : 1)
  for (const [term, weight] of [...features]) if (isSpelt(term)) addGrams(features, term, weight)
  for (const { words } of analyser.alternatives(analyser.words(text))) add(features, words.join(' '), SYNONYM_WEIGHT)
  return features
}

function isSpelt(term: string): boolean {
  return term.length >= MIN_WORD_LENGTH && /^[a-z]+$/.test(term) && !isStopWord(term)
}

/** All of a word's grams together weigh as the root of their number: a long word is told by its letters as well. */
function addGrams(features: Map<string, number>, word: string, weight: number): void {
  const padded = `^${word}$`
  const grams = padded.length - GRAM_LENGTH + 1
  for (let i = 0; i < grams; i++) add(features, `#${padded.slice(i, i + GRAM_LENGTH)}`, weight / Math.sqrt(grams))
}

function add(features: Map<string, number>, feature: string, weight: number): void {
  features.set(feature, (features.get(feature) ?? 0) + weight)
}

function hashFeatures(features: ReadonlyMap<string, number>, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of features) {
    const hash = hashTerm(feature)
    vector[hash % dimensions]! += (hash & 0x80000000 ? -1 : 1) * Math.log1p(weight)
  }
  return unitVector(vector)
}
