import { fold } from '../../../language/fold.ts'
import { createSpeller } from '../../../language/spelling.ts'
import { INTENTS, type RankedIntent } from '../../../language/understanding.ts'
import type { IntentExamples } from './examples.ts'
import { emitFeatures } from './features.ts'
import { createLexicon } from './lexicon.ts'
import { predict, type SparseRow, trainSoftmax } from './regression.ts'

export type IntentClassifier = ReturnType<typeof trainIntentClassifier>

/** `weight`: what presence of the feature counts, times its inverse document frequency. */
type Column = { index: number; weight: number }
type Vocabulary = ReadonlyMap<string, Column>

// A phrase of one sentence alone generalises to nothing and costs as much as the others. Its words and pairs of ideographs
// stay: a user who adds one sentence wants it to count. (All features: accuracy -1 point; none: such a sentence is lost.)
const MIN_SENTENCES = 2
const ALWAYS_KEPT = /^(?:w:|h:..$)/

/** Learns from example sentences; the same examples give the same classifier. */
export function trainIntentClassifier(examples: IntentExamples) {
  const folded = examples.sentences.map(({ text }) => fold(text))
  const conceptsIn = createLexicon(examples.concepts)
  const correct = createSpeller([...folded, ...examples.concepts.flatMap(({ terms }) => terms)])
  const featuresIn = (text: string): Map<string, number> => {
    const features = new Map<string, number>()
    emitFeatures(text, conceptsIn(text), (name, weight) => features.set(name, features.get(name) ?? weight))
    return features
  }
  const sentences = folded.map(featuresIn)
  const vocabulary = vocabularyOf(sentences)
  const labels = Uint8Array.from(examples.sentences, ({ intent }) => INTENTS.indexOf(intent))
  const rows = sentences.map((features) => toRow(features.keys(), vocabulary))
  const model = trainSoftmax(rows, labels, vocabulary.size, INTENTS.length)
  return {
    /** `fold`ed text with slips in known words put right; offsets no longer hold. */
    correct,
    /** All intents, best first; confidences sum to 1. Text that shares nothing with the examples ranks `unknown` first. */
    rank(text: string): RankedIntent[] {
      const row = toRow(featuresIn(correct(fold(text))).keys(), vocabulary)
      return row.columns.length === 0 ? nothingKnown() : toRanking(predict(model, row))
    },
  }
}

/** Numbers the features as they come without the rare ones; weighs by log(1 + N / df) times the weight of the kind of feature. */
function vocabularyOf(sentences: readonly ReadonlyMap<string, number>[]): Vocabulary {
  const seen = new Map<string, { weight: number; sentences: number }>()
  for (const features of sentences)
    for (const [name, weight] of features) {
      const feature = seen.get(name)
      if (feature === undefined) seen.set(name, { weight, sentences: 1 })
      else feature.sentences++
    }
  const kept = [...seen].filter(([name, feature]) => feature.sentences >= MIN_SENTENCES || ALWAYS_KEPT.test(name))
  return new Map(
    kept.map(([name, feature], index) => [
      name,
      { index, weight: feature.weight * Math.log(1 + sentences.length / feature.sentences) },
    ]),
  )
}

/** Scaled to Euclidean length one, so that long sentences do not outweigh short ones. */
function toRow(features: Iterable<string>, vocabulary: Vocabulary): SparseRow {
  const known = [...features].flatMap((name) => vocabulary.get(name) ?? [])
  const length = Math.sqrt(known.reduce((sum, { weight }) => sum + weight ** 2, 0)) || 1
  return {
    columns: Int32Array.from(known, ({ index }) => index),
    values: Float32Array.from(known, ({ weight }) => weight / length),
  }
}

function toRanking(probabilities: Float64Array): RankedIntent[] {
  return INTENTS.map((intent, index) => ({ intent, confidence: probabilities[index]! })).sort(
    (a, b) => b.confidence - a.confidence,
  )
}

function nothingKnown(): RankedIntent[] {
  const others = INTENTS.filter((intent) => intent !== 'unknown').map((intent) => ({ intent, confidence: 0 }))
  return [{ intent: 'unknown', confidence: 1 }, ...others]
}
