import { readFileSync } from 'node:fs'
import { isStopWord } from '../words/stop-words.ts'

/** Another wording for `length` words of a text from position `at` on. */
export type Alternative = { readonly at: number; readonly length: number; readonly words: readonly string[] }

export type Entry = { readonly words: readonly string[]; readonly group: readonly (readonly string[])[] }

const MAX_ENTRY_WORDS = 6

// Ours are written as users write theirs.
const BUILT_IN = ['english', 'chinese'].map((name) => readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8'))

export const IDEOGRAPH = /\p{Script=Han}/u

/**
 * The built-in groups and a user's own. The result gives other wordings for parts of a text, given its words in order;
 * groups do not chain: a's synonym's synonym is none of a's.
 * One group a line, its entries separated by commas (of either width); an entry may be of several words; `#` starts a comment.
 * Groups with ideographs are read for the first text that may hold an entry of one: splitting them takes the dictionary.
 *
 * @param split the analyser's words of a text, so that an entry matches in all its inflections.
 */
export function createSynonyms(split: (text: string) => string[], userGroups = '') {
  const lines = [userGroups, ...BUILT_IN].join('\n').split(/\r?\n/)
  const chinese = lines.filter((line) => IDEOGRAPH.test(line))
  const plainEntries = chinese.flatMap(entriesOf).filter((entry) => !IDEOGRAPH.test(entry))
  const plainWords = new Set(plainEntries.map((entry) => split(entry)[0]))
  const read = (some: readonly string[]): Index =>
    byFirstWord(some.flatMap((line) => readGroup(line, split).map((words, _, group): Entry => ({ words, group }))))
  const others = read(lines.filter((line) => !IDEOGRAPH.test(line)))
  let all: Index | undefined
  return (words: readonly string[]): Alternative[] => {
    if (!words.some((word) => IDEOGRAPH.test(word) || plainWords.has(word))) return findAlternatives(words, others)
    all ??= read(lines)
    return findAlternatives(words, all)
  }
}

export type Index = ReadonlyMap<string, readonly Entry[]>

export function byFirstWord(entries: readonly Entry[]): Index {
  return Map.groupBy(entries, ({ words }) => words[0]!)
}

/**
 * Mistakes in a user's groups, a sentence for each line: what would be ignored is a mistake that nobody would notice.
 *
 * @param split as for `createSynonyms`.
 */
export function findSynonymProblems(groups: string, split: (text: string) => string[]): string[] {
  return groups.split(/\r?\n/).flatMap((line, i) => {
    const problem = problemOf(entriesOf(line), split)
    return problem ? [`line ${i + 1}: ${problem}`] : []
  })
}

function problemOf(entries: readonly string[], split: (text: string) => string[]): string | null {
  if (entries.length === 0) return null
  for (const entry of entries) {
    const words = split(entry)
    const shown = `"${entry.slice(0, 60)}"`
    if (words.length === 0 || words.every(isStopWord)) return `${shown} holds no word to search by`
    if (words.length > MAX_ENTRY_WORDS) return `${shown} has ${words.length} words; ${MAX_ENTRY_WORDS} at the most`
  }
  const distinct = new Set(entries.map((entry) => split(entry).join(' ')))
  return distinct.size > 1 ? null : 'a group needs two different entries, separated by commas'
}

function entriesOf(line: string): string[] {
  const entries = line.replace(/#.*/, '').split(/[,，、]/)
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
}

function readGroup(line: string, split: (text: string) => string[]): string[][] {
  const distinct = new Map<string, string[]>()
  for (const entry of entriesOf(line)) {
    const words = split(entry)
    if (words.length > 0 && words.length <= MAX_ENTRY_WORDS && !words.every(isStopWord))
      distinct.set(words.join(' '), words)
  }
  return [...distinct.values()]
}

export function findAlternatives(words: readonly string[], index: Index): Alternative[] {
  const found: Alternative[] = []
  for (let at = 0; at < words.length; at++) {
    for (const { words: entry, group } of index.get(words[at]!) ?? []) {
      if (!entry.every((word, i) => words[at + i] === word)) continue
      for (const other of group) if (other !== entry) found.push({ at, length: entry.length, words: other })
    }
  }
  return found
}
