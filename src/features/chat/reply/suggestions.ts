import { plainForm } from '../../../language/fold.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import type { Suggestion } from '../../sessions/index.ts'
import { readableIn } from './other-language.ts'

/** More than these nobody reads in a chat. */
const MAX_SUGGESTIONS = 5
/** A title of fewer letters is found in messages that do not mean it. */
const MIN_TITLE_LETTERS = 4

/** The documents that come nearest, each once, without those that the reply gives already. */
export function suggestionsFrom(
  hits: readonly SearchHit[],
  given: readonly Pick<SearchHit, 'docId'>[],
  language: string,
): Suggestion[] {
  const seen = new Set(given.map(({ docId }) => docId))
  const titles = new Set<string>()
  const suggestions: Suggestion[] = []
  for (const { docId, source, title, question, url } of readableIn(hits, language)) {
    const shown = question ?? title
    if (seen.has(docId) || titles.has(shown)) continue
    seen.add(docId)
    titles.add(shown)
    suggestions.push({ title: shown, source, docId, ...(url ? { url } : {}) })
  }
  return suggestions.slice(0, MAX_SUGGESTIONS)
}

/**
 * One list for several parts, as one list of numbers is all that a customer can answer: the nearest of each part comes
 * before the second of any. @param given documents that the reply gives already
 */
export function mergeSuggestions(
  lists: readonly (readonly Suggestion[])[],
  given: readonly Pick<Suggestion, 'docId'>[],
): Suggestion[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const inTurns = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat()
  const seen = new Set(given.map(({ docId }) => docId))
  const merged = inTurns.filter(({ docId }) => !seen.has(docId) && seen.add(docId))
  return merged.slice(0, MAX_SUGGESTIONS)
}

/** As a numbered list, for channels that show text alone. */
export function listed(suggestions: readonly Suggestion[]): string {
  return suggestions.map(({ title }, i) => `${i + 1}. ${title}`).join('\n')
}

const CIRCLED = ['①', '②', '③', '④', '⑤'] as const

/** The number of a choice beside an excerpt, whose own lists are numbered otherwise. @param i counted from 0, below 5 */
export function circled(i: number): string {
  return CIRCLED[i] as string
}

/**
 * The one that a message takes: by its number or place (`choice`: 0 is the first, -1 the last), or by its title or the
 * greater part of it; undefined where it takes none, or might take several.
 */
export function chosenFrom<Offered extends { title: string }>(
  message: string,
  choice: number | null,
  offered: readonly Offered[],
): Offered | undefined {
  if (choice !== null) return offered.at(choice)
  const said = letters(message)
  if ([...said].length < MIN_TITLE_LETTERS) return undefined
  const named = offered.filter(({ title }) => {
    const own = letters(title)
    return own === said || (own.includes(said) && said.length * 2 >= own.length)
  })
  return named.length === 1 ? named[0] : undefined
}

function letters(text: string): string {
  return plainForm(text).replace(/[^\p{L}\p{N}]+/gu, '')
}
