import { editDistance } from '../kernel/nearest-name.ts'
import { latinWords } from './fold.ts'

const CORRECTABLE = /^[a-z\u00df-\u024f]{4,16}$/

/**
 * Learns the words of texts, and replaces in a folded text unknown Latin words by a known one that is a single slip away: the
 * more often that one occurs, the sooner.
 */
export function createSpeller(texts: Iterable<string>): (folded: string) => string {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of latinWords(text).flatMap((each) => each.split("'")))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  const slipsOf = slipFinder([...counts.keys()].filter((word) => CORRECTABLE.test(word)))
  const corrected = (word: string): string =>
    counts.has(word) || !CORRECTABLE.test(word) ? word : mostFrequent(slipsOf(word), counts, word)
  return (folded) => folded.replace(/[a-z]+/g, corrected)
}

function mostFrequent(words: readonly string[], counts: ReadonlyMap<string, number>, otherwise: string): string {
  return words.reduce((best, word) => ((counts.get(word) ?? 0) > (counts.get(best) ?? 0) ? word : best), otherwise)
}

/**
 * Finds the words of a list that are one slip from a word: a letter more, less, wrong, or two swapped. Words are stored under
 * each form with one letter left out, for two words one slip apart share such a form.
 */
export function slipFinder(words: Iterable<string>): (word: string) => string[] {
  const byForm = new Map<string, string[]>()
  for (const word of words)
    for (const form of formsOf(word)) {
      const known = byForm.get(form)
      if (known === undefined) byForm.set(form, [word])
      else known.push(word)
    }
  return (word) => {
    const near = new Set([...formsOf(word)].flatMap((form) => byForm.get(form) ?? []))
    return [...near].filter((known) => editDistance(word, known) === 1)
  }
}

function formsOf(word: string): Set<string> {
  return new Set([word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))])
}
