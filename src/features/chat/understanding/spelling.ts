import { latinWords } from './text.ts'

export type Speller = {
  /** Replaces unknown Latin words by a known one that is a single slip away: a letter more, less, wrong or two swapped. */
  correct(folded: string): string
}

const MIN_LENGTH = 4
const MAX_LENGTH = 16

/** Builds a speller from texts; the more often a word occurs in them, the sooner a slip is read as that word. */
export function createSpeller(texts: Iterable<string>): Speller {
  const counts = countWords(texts)
  const deletions = new Map<string, string[]>()
  for (const word of counts.keys()) if (isCandidate(word)) indexDeletions(word, deletions)
  const corrected = (word: string) => (counts.has(word) || !isCandidate(word) ? word : nearest(word, counts, deletions))
  return { correct: (folded) => folded.replace(/[a-z]+/g, corrected) }
}

function countWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of latinWords(text))
      for (const part of word.split("'")) counts.set(part, (counts.get(part) ?? 0) + 1)
  return counts
}

function isCandidate(word: string): boolean {
  return word.length >= MIN_LENGTH && word.length <= MAX_LENGTH
}

// The known words are stored under each form with one letter left out: two words one slip apart share such a form.
function indexDeletions(word: string, deletions: Map<string, string[]>): void {
  for (const form of formsOf(word)) {
    const words = deletions.get(form)
    if (words === undefined) deletions.set(form, [word])
    else words.push(word)
  }
}

function formsOf(word: string): Set<string> {
  const forms = new Set([word])
  for (let i = 0; i < word.length; i++) forms.add(word.slice(0, i) + word.slice(i + 1))
  return forms
}

function nearest(word: string, counts: Map<string, number>, deletions: Map<string, string[]>): string {
  let best = word
  let bestCount = 0
  for (const form of formsOf(word))
    for (const known of deletions.get(form) ?? []) {
      const count = counts.get(known) ?? 0
      if (count > bestCount && isOneSlip(word, known)) {
        best = known
        bestCount = count
      }
    }
  return best
}

/** Optimal string alignment distance of exactly one. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const restA = endA - start
  const restB = endB - start
  if (restA <= 1 && restB <= 1) return restA + restB > 0
  return restA === 2 && restB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start]
}
