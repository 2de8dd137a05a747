import { stem } from '../../../ai/analysis/spaced.ts'
import { foldHomophones } from './homophones.ts'
import { fold, isHan } from './text.ts'

/** Groups of terms that mean the same to a shop: name, terms in Chinese and English. */
export type ConceptList = readonly { name: string; terms: readonly string[] }[]

export type Lexicon = {
  /** Names of the concepts in a folded text, each once, in order of first appearance. */
  conceptsIn(folded: string): string[]
}

const MAX_PHRASE_WORDS = 4
const MAX_HAN_TERM = 6
const RUNS = /[\u3400-\u4dbf\u4e00-\u9fff]+|[a-z0-9\u00df-\u024f]+(?:['-][a-z0-9]+)*/g

/** Names by term; the beginnings of terms (words, or two ideographs) tell when to stop looking. */
type Index = { names: Map<string, string[]>; beginnings: Set<string> }

/** Compiles a list of concepts; matching a text takes time linear in its length. */
export function createLexicon(concepts: ConceptList): Lexicon {
  const index: Index = { names: new Map(), beginnings: new Set() }
  for (const { name, terms } of concepts) for (const term of terms) addTerm(index, name, term)
  return { conceptsIn: (folded) => collect(index, folded) }
}

function addTerm(index: Index, name: string, term: string): void {
  const folded = fold(term.trim())
  if (folded === '') return
  const words = isHan(folded[0]!) ? [] : wordsOf(folded)
  const key = words.length === 0 ? hanKey(folded) : words.join(' ')
  if (words.length === 0) index.beginnings.add(key.slice(0, 2))
  for (let size = 1; size < words.length; size++) index.beginnings.add(words.slice(0, size).join(' '))
  const names = index.names.get(key)
  if (names === undefined) index.names.set(key, [name])
  else if (!names.includes(name)) names.push(name)
}

// One ideograph alone says too little to be read by its sound.
function hanKey(term: string): string {
  return term.length === 1 ? term : foldHomophones(term)
}

function wordsOf(folded: string): string[] {
  return (folded.match(RUNS) ?? []).map(stem)
}

function collect(index: Index, folded: string): string[] {
  const found = new Set<string>()
  let words: string[] = []
  for (const [run] of folded.matchAll(RUNS)) {
    if (!isHan(run[0]!)) {
      words.push(stem(run))
      continue
    }
    matchWords(index, words, found)
    words = []
    matchHan(index, run, found)
  }
  matchWords(index, words, found)
  return [...found]
}

function matchWords(index: Index, words: readonly string[], found: Set<string>): void {
  for (let start = 0; start < words.length; start++) {
    let phrase = ''
    for (let size = 1; size <= MAX_PHRASE_WORDS && start + size <= words.length; size++) {
      phrase = size === 1 ? words[start]! : `${phrase} ${words[start + size - 1]}`
      for (const name of index.names.get(phrase) ?? []) found.add(name)
      if (!index.beginnings.has(phrase)) break
    }
  }
}

function matchHan(index: Index, run: string, found: Set<string>): void {
  const sound = foldHomophones(run)
  for (let start = 0; start < run.length; start++) {
    for (const name of index.names.get(run[start]!) ?? []) found.add(name)
    if (!index.beginnings.has(sound.slice(start, start + 2))) continue
    for (let size = 2; size <= MAX_HAN_TERM && start + size <= run.length; size++)
      for (const name of index.names.get(sound.slice(start, start + size)) ?? []) found.add(name)
  }
}
