import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Jieba } from '@node-rs/jieba'
import { memoize } from '../../kernel/memoize.ts'

/** Read rather than imported: the module would keep it and another file, 11 MB together. */
const DICTIONARY = createRequire(import.meta.url).resolve('@node-rs/jieba/dict.txt')

// Bounds what one call into the segmenter holds; a cut at a slice's edge costs at most one wrong word in 4,000 characters.
const SLICE_LENGTH = 4_000
// Above the dictionary's most frequent words: a word that a user lists must win over its parts.
const USER_WORD_FREQUENCY = 200_000

/** The dictionary takes 36 MB and a tenth of a second; without words of a user it is the same for all. */
let common: Jieba | undefined

export type Segmenter = ReturnType<typeof createSegmenter>

/**
 * Splits runs of ideographs into words. The dictionary is opened for the first of them.
 *
 * @param userDictionary one word per line, optionally followed by its frequency; `#` starts a comment.
 */
export function createSegmenter(userDictionary = '') {
  let opened: Jieba | undefined
  const jieba = (): Jieba => {
    opened ??= openDictionary(dictionaryLines(userDictionary))
    return opened
  }
  const partsOf = memoize((word) => partsIn(word, jieba()), { maxEntries: 5_000, maxLength: 16 })
  return {
    /** Words in order, without overlap. */
    words: (run: string): string[] => slices(run).flatMap((slice) => unglued(jieba().cut(slice, true), jieba())),
    /** As `words`, and the shorter dictionary words inside the long ones. */
    searchWords: (run: string): string[] =>
      slices(run).flatMap((slice) => unglued(jieba().cutForSearch(slice, true), jieba())),
    /** The results of both, for little more than one. */
    allWords(run: string): { words: string[]; searchWords: string[] } {
      const found: { words: string[]; searchWords: string[] } = { words: [], searchWords: [] }
      for (const slice of slices(run)) addWords(found, slice, jieba(), partsOf)
      return found
    },
  }
}

/** Parts that stand for one word among all words and among those to search by; `searchWords` null: only its text around it tells. */
interface Parts {
  words: readonly string[]
  searchWords: readonly string[] | null
}

function addWords(
  found: { words: string[]; searchWords: string[] },
  slice: string,
  jieba: Jieba,
  partsOf: (word: string) => Parts,
): void {
  const searchWords: string[] = []
  let areKnown = true
  for (const word of jieba.cut(slice, true)) {
    // A word of two characters holds none that is shorter, if it is one.
    const parts = word.length < 3 && !GLUED.test(word) ? null : partsOf(word)
    if (parts === null) {
      found.words.push(word)
      searchWords.push(word)
    } else {
      found.words.push(...parts.words)
      if (parts.searchWords === null) areKnown = false
      else searchWords.push(...parts.searchWords)
    }
  }
  const all = areKnown ? searchWords : unglued(jieba.cutForSearch(slice, true), jieba)
  for (const word of all) found.searchWords.push(word)
}

/** The shorter words that the segmenter finds in a word are the same wherever it stands, if alone it is a word as well. */
function partsIn(word: string, jieba: Jieba): Parts {
  const isWordAlone = jieba.cut(word, true).length === 1
  return {
    words: unglued([word], jieba),
    searchWords: isWordAlone ? unglued(jieba.cutForSearch(word, true), jieba) : null,
  }
}

/**
 * A word that the dictionary lacks and that begins with a pronoun (我想查) or an auxiliary (能开) is no word: it falls into
 * those that the dictionary has.
 */
const GLUED = /^(?:[我你您他她它咱]..+|[能要想会].+)/u

function unglued(words: readonly string[], jieba: Jieba): string[] {
  return words.flatMap((word) => (GLUED.test(word) ? jieba.cut(word, false) : [word]))
}

function openDictionary(lines: readonly string[]): Jieba {
  if (lines.length === 0) {
    common ??= Jieba.withDict(readFileSync(DICTIONARY))
    return common
  }
  const jieba = Jieba.withDict(readFileSync(DICTIONARY))
  jieba.loadDict(Buffer.from(`${lines.join('\n')}\n`))
  return jieba
}

function dictionaryLines(userDictionary: string): string[] {
  const lines: string[] = []
  for (const line of userDictionary.split(/\r?\n/)) {
    const [word, frequency] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (word) lines.push(`${word} ${Number(frequency) > 0 ? Math.round(Number(frequency)) : USER_WORD_FREQUENCY} n`)
  }
  return lines
}

function slices(run: string): string[] {
  if (run.length <= SLICE_LENGTH) return [run]
  const parts: string[] = []
  for (let start = 0; start < run.length; ) {
    let end = Math.min(start + SLICE_LENGTH, run.length)
    if (end < run.length && /[\uD800-\uDBFF]/.test(run[end - 1]!)) end--
    parts.push(run.slice(start, end))
    start = end
  }
  return parts
}
