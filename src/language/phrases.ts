import { isHan } from './fold.ts'

/** Fixed phrases by kind; a phrase may stand under one kind only. */
export type PhraseBook<Kind extends string> = ReadonlyMap<string, Kind>

const SEPARATOR = /[\s,.!~;:，。！～、；：…"'()-]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u200d/u
const WORD = /[a-z0-9']/
// A message longer than this is never made of set phrases alone.
const MAX_LENGTH = 80
const MAX_PHRASE_LENGTH = 32

/** Builds a phrase book from comma-separated lists. */
export function phraseBook<Kind extends string>(lists: Record<Kind, string>): PhraseBook<Kind> {
  const book = new Map<string, Kind>()
  for (const [kind, list] of Object.entries(lists) as [Kind, string][])
    for (const phrase of list.split(',')) if (phrase.trim() !== '') book.set(phrase.trim(), kind)
  return book
}

/**
 * Reads a folded text as a sequence of set phrases with nothing between them but punctuation and emoji: the kinds in order,
 * or null as soon as anything else stands there. The longest phrase wins at each place.
 */
export function parsePhrases<Kind extends string>(folded: string, book: PhraseBook<Kind>): Kind[] | null {
  if (folded.length > MAX_LENGTH) return null
  const kinds: Kind[] = []
  let at = skipSeparators(folded, 0)
  while (at < folded.length) {
    const phrase = longestPhrase(folded, at, book)
    if (phrase === undefined) return null
    kinds.push(book.get(phrase)!)
    at = skipSeparators(folded, at + phrase.length)
  }
  return kinds
}

function skipSeparators(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const unit = String.fromCodePoint(text.codePointAt(at)!)
    if (!SEPARATOR.test(unit)) break
    at += unit.length
  }
  return at
}

function longestPhrase<Kind extends string>(text: string, start: number, book: PhraseBook<Kind>): string | undefined {
  for (let size = Math.min(MAX_PHRASE_LENGTH, text.length - start); size > 0; size--) {
    const phrase = text.slice(start, start + size)
    if (book.has(phrase) && endsWord(text, start + size)) return phrase
  }
  return undefined
}

function endsWord(text: string, end: number): boolean {
  const before = text[end - 1]!
  return end >= text.length || isHan(before) || !WORD.test(before) || !WORD.test(text[end]!)
}
