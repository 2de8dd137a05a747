import { Jieba } from '@node-rs/jieba'
import { dict } from '@node-rs/jieba/dict.js'

// Bounds what one call into the segmenter holds; a cut at a slice's edge costs at most one wrong word in 4,000 characters.
const SLICE_LENGTH = 4_000
// Above the dictionary's most frequent words: a word that a user lists must win over its parts.
const USER_WORD_FREQUENCY = 200_000

/** The dictionary takes 40 MB and a tenth of a second; without words of a user it is the same for all. */
let common: Jieba | undefined

export type Segmenter = ReturnType<typeof createSegmenter>

/**
 * Splits runs of ideographs into words.
 *
 * @param userDictionary one word per line, optionally followed by its frequency; `#` starts a comment.
 */
export function createSegmenter(userDictionary = '') {
  const jieba = openDictionary(dictionaryLines(userDictionary))
  return {
    /** Words in order, without overlap. */
    words: (run: string): string[] => slices(run).flatMap((slice) => unglued(jieba.cut(slice, true), jieba)),
    /** As `words`, and the shorter dictionary words inside the long ones. */
    searchWords: (run: string): string[] =>
      slices(run).flatMap((slice) => unglued(jieba.cutForSearch(slice, true), jieba)),
  }
}

/** A word that the dictionary lacks and that begins with a pronoun (我想查) is no word: it falls into those that the dictionary has. */
const GLUED = /^[我你您他她它咱]..+/u

function unglued(words: readonly string[], jieba: Jieba): string[] {
  return words.flatMap((word) => (GLUED.test(word) ? jieba.cut(word, false) : [word]))
}

function openDictionary(lines: readonly string[]): Jieba {
  if (lines.length === 0) {
    common ??= Jieba.withDict(dict)
    return common
  }
  const jieba = Jieba.withDict(dict)
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
