import type { Analyser } from '../analysis/analyser.ts'
import { isStopWord } from '../analysis/stop-words.ts'
import type { Embedder } from './port.ts'

const REVISION = 1

/**
 * A deterministic embedder without a model: signed feature hashing (Weinberger et al., 2009) of words and of the character
 * n-grams inside them, sublinear in frequency, of length 1. It finds inflected, misspelt and compounded forms that share
 * letters; it knows no meanings.
 */
export function createLocalEmbedder({
  analyser,
  dimensions = 256,
}: {
  analyser: Analyser
  dimensions?: number
}): Embedder {
  return {
    id: `local-${REVISION}-${dimensions}-${analyser.fingerprint}`,
    dimensions,
    embed: async (texts, _kind, signal) => {
      const vectors: Float32Array[] = []
      for (const text of texts) {
        signal?.throwIfAborted()
        vectors.push(embedText(text, analyser, dimensions))
      }
      return vectors
    },
  }
}

function embedText(text: string, analyser: Analyser, dimensions: number): Float32Array {
  const weights = new Map<string, number>()
  for (const term of analyser.documentTerms(text)) add(weights, term, isStopWord(term) ? 0.1 : 1)
  for (const [term, count] of [...weights]) {
    if (/^[a-z]{5,}$/.test(term)) for (const gram of trigrams(term)) add(weights, gram, count / term.length)
  }
  const vector = new Float32Array(dimensions)
  for (const [feature, weight] of weights) {
    const hash = fnv1a(feature)
    const index = hash % dimensions
    vector[index]! += (hash & 0x80000000 ? -1 : 1) * Math.log1p(weight)
  }
  return normaliseLength(vector)
}

function trigrams(word: string): string[] {
  const padded = `^${word}$`
  const grams: string[] = []
  for (let i = 3; i <= padded.length; i++) grams.push(`#${padded.slice(i - 3, i)}`)
  return grams
}

function add(weights: Map<string, number>, feature: string, weight: number): void {
  weights.set(feature, (weights.get(feature) ?? 0) + weight)
}

/** 32-bit FNV-1a with a final mix, so that the low bits choose a dimension as evenly as the high ones. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

function normaliseLength(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  if (sum === 0) return vector
  const length = Math.sqrt(sum)
  return vector.map((value) => value / length)
}
