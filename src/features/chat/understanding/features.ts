import { isHan } from '../../../language/fold.ts'
import { stem } from '../../../language/words/stem.ts'

const RUNS = /[\u3400-\u4dbf\u4e00-\u9fff]+|[a-z\u00df-\u024f]+(?:'[a-z]+)?|\d+/g
// Later words say nothing about the intent that the first words do not, and the bound keeps a message cheap.
const MAX_RUNS = 300
const MAX_IDEOGRAPHS = 600
const MAX_WORD_LENGTH = 24
const MAX_PAIRED_CONCEPTS = 8
const CONCEPT_WEIGHT = 1.5

/** Takes one feature; the same one may come more than once. */
export type Emit = (name: string, weight: number) => void

/**
 * Emits the features of a folded text: words, word pairs and character trigrams and four-grams
 * for Latin script; single ideographs, pairs and triples for Chinese; concepts and pairs of concepts; one placeholder
 * for any number.
 */
export function emitFeatures(folded: string, concepts: readonly string[], emit: Emit): void {
  emitText(folded, emit)
  for (const concept of concepts) emit(`k:${concept}`, CONCEPT_WEIGHT)
  const paired = concepts.slice(0, MAX_PAIRED_CONCEPTS).sort()
  for (let i = 0; i < paired.length; i++)
    for (let j = i + 1; j < paired.length; j++) emit(`q:${paired[i]} ${paired[j]}`, 1)
}

function emitText(folded: string, emit: Emit): void {
  let previous = '^'
  let runs = 0
  let ideographs = 0
  for (const [run] of folded.matchAll(RUNS)) {
    if (++runs > MAX_RUNS) return
    if (isHan(run[0]!)) {
      emitIdeographs(run.slice(0, Math.max(0, MAX_IDEOGRAPHS - ideographs)), emit)
      ideographs += run.length
      previous = '#'
    } else {
      previous = emitWord(run, previous, emit)
    }
  }
}

function emitWord(run: string, previous: string, emit: Emit): string {
  if (isDigit(run)) {
    emit('w:0', 1)
    return '0'
  }
  const word = run.replace("'", '').slice(0, MAX_WORD_LENGTH)
  const stemmed = stem(word)
  emit(`w:${stemmed}`, 1)
  emit(`p:${previous} ${stemmed}`, 1)
  return stemmed
}

function isDigit(run: string): boolean {
  const code = run.charCodeAt(0)
  return code >= 48 && code <= 57
}

function emitIdeographs(run: string, emit: Emit): void {
  for (let size = 1; size <= 3; size++)
    for (let i = 0; i + size <= run.length; i++) emit(`h:${run.slice(i, i + size)}`, 1)
}
