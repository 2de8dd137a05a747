import type { IntentExamples } from './examples.ts'
import { emitFeatures } from './features.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import { predict, type SparseRows, trainSoftmax } from './regression.ts'
import { createSpeller, type Speller } from './spelling.ts'
import { fold } from './text.ts'
import { INTENTS, type RankedIntent } from './types.ts'

export type IntentClassifier = {
  /** All intents, best first; confidences sum to 1. Text that shares nothing with the examples ranks `unknown` first. */
  rank(text: string): RankedIntent[]
  /** `fold`ed text with slips in known words put right; offsets no longer hold. */
  correct(folded: string): string
}

type Reader = { lexicon: Lexicon; speller: Speller }
/** `weight`: what presence of the feature counts, times its inverse document frequency. */
type Column = { index: number; weight: number }
type Vocabulary = ReadonlyMap<string, Column>

// A phrase of one sentence alone generalises to nothing and costs as much as the others. Its words and pairs of ideographs
// stay: a user who adds one sentence wants it to count. (All features: accuracy -1 point; none: such a sentence is lost.)
const MIN_SENTENCES = 2
const ALWAYS_KEPT = /^(?:w:|h:..$)/

/** Learns from example sentences; the same examples give the same classifier. */
export function trainIntentClassifier(examples: IntentExamples): IntentClassifier {
  const folded = examples.sentences.map(({ text }) => fold(text))
  const terms = examples.concepts.flatMap(({ terms }) => terms)
  const reader = { lexicon: createLexicon(examples.concepts), speller: createSpeller([...folded, ...terms]) }
  const { vocabulary, rows } = readSentences(folded, reader)
  const labels = Uint8Array.from(examples.sentences, ({ intent }) => INTENTS.indexOf(intent))
  const model = trainSoftmax(rows, labels, vocabulary.size, INTENTS.length)
  return {
    correct: reader.speller.correct,
    rank: (text) => {
      const { columns, values } = readText(reader.speller.correct(fold(text)), reader, vocabulary)
      return columns.length === 0 ? nothingKnown() : toRanking(predict(model, columns, values))
    },
  }
}

type Seen = { id: number; weight: number; sentences: number; last: number; isKept: boolean }

/** One pass over the sentences: numbers the features as they come, then drops the rare ones and weighs the others. */
function readSentences(folded: readonly string[], reader: Reader): { vocabulary: Vocabulary; rows: SparseRows } {
  const seen = new Map<string, Seen>()
  const order: Seen[] = []
  const ids: number[] = []
  const ends: number[] = []
  folded.forEach((text, row) => {
    emitFeatures(text, reader.lexicon.conceptsIn(text), (name, weight) => {
      let feature = seen.get(name)
      if (feature === undefined) {
        feature = { id: order.length, weight, sentences: 0, last: -1, isKept: ALWAYS_KEPT.test(name) }
        seen.set(name, feature)
        order.push(feature)
      }
      if (feature.last === row) return
      feature.last = row
      feature.sentences++
      ids.push(feature.id)
    })
    ends.push(ids.length)
  })
  const columns = weighColumns(order, folded.length)
  return { vocabulary: toVocabulary(seen, columns), rows: toRows(ids, ends, columns) }
}

// Smoothed inverse document frequency, log(1 + N / df), times the weight of the kind of feature.
function weighColumns(order: readonly Seen[], sentences: number): (Column | undefined)[] {
  let index = 0
  return order.map((feature) =>
    feature.sentences < MIN_SENTENCES && !feature.isKept
      ? undefined
      : { index: index++, weight: feature.weight * Math.log(1 + sentences / feature.sentences) },
  )
}

function toVocabulary(seen: ReadonlyMap<string, Seen>, columns: readonly (Column | undefined)[]): Vocabulary {
  const vocabulary = new Map<string, Column>()
  for (const [name, { id }] of seen) {
    const column = columns[id]
    if (column !== undefined) vocabulary.set(name, column)
  }
  return vocabulary
}

function toRows(
  ids: readonly number[],
  ends: readonly number[],
  columnOf: readonly (Column | undefined)[],
): SparseRows {
  const rows = {
    starts: new Int32Array(ends.length + 1),
    columns: new Int32Array(ids.length),
    values: new Float32Array(ids.length),
  }
  let entry = 0
  let start = 0
  ends.forEach((end, row) => {
    for (let i = start; i < end; i++) {
      const column = columnOf[ids[i]!]
      if (column === undefined) continue
      rows.columns[entry] = column.index
      rows.values[entry++] = column.weight
    }
    scaleToUnit(rows.values, rows.starts[row]!, entry)
    rows.starts[row + 1] = entry
    start = end
  })
  return rows
}

function readText(
  folded: string,
  reader: Reader,
  vocabulary: Vocabulary,
): { columns: Int32Array; values: Float32Array } {
  const present = new Map<number, number>()
  emitFeatures(folded, reader.lexicon.conceptsIn(folded), (name) => {
    const column = vocabulary.get(name)
    if (column !== undefined) present.set(column.index, column.weight)
  })
  const values = Float32Array.from(present.values())
  scaleToUnit(values, 0, values.length)
  return { columns: Int32Array.from(present.keys()), values }
}

/** Scales a stretch of values to Euclidean length one, so that long sentences do not outweigh short ones. */
function scaleToUnit(values: Float32Array, start: number, end: number): void {
  let squares = 0
  for (let i = start; i < end; i++) squares += values[i]! ** 2
  const length = Math.sqrt(squares) || 1
  for (let i = start; i < end; i++) values[i]! /= length
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
