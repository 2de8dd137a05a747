import { plainForm } from '../../../language/fold.ts'

/**
 * The form in which texts are matched: the plain one, white space as one blank, none of it between ideographs (extracted PDFs break
 * lines within words). `offsets[i]` is where in the original text the i-th UTF-16 unit comes from.
 */
export interface FoldedText {
  text: string
  offsets: readonly number[]
}

export interface WordMatch {
  /** Index of the word in the list that the matcher was made from. */
  word: number
  /** Where in the original text it begins and ends. */
  start: number
  end: number
}

const SPACE = /\s/u
const HAN = /\p{Script=Han}/u
const WORD_CHARACTER = /[\p{L}\p{N}]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** By code unit, filled as characters are met: folding one takes a microsecond, looking it up a few nanoseconds. */
const forms: (string | undefined)[] = new Array(0x10000)

export function foldText(original: string): FoldedText {
  const offsets: number[] = []
  let text = ''
  let last = ''
  let blankAt = -1
  const append = (form: string, offset: number): void => {
    text += form
    for (let i = 0; i < form.length; i++) offsets.push(offset)
  }
  for (let at = 0, code = 0; at < original.length; at += code > 0xffff ? 2 : 1) {
    code = original.codePointAt(at)!
    const form = formOf(code)
    if (form === '') continue
    if (form === ' ') {
      if (blankAt < 0) blankAt = at
      continue
    }
    if (blankAt >= 0 && last !== '' && !(HAN.test(last) && HAN.test(form))) append(' ', blankAt)
    append(form, at)
    blankAt = -1
    last = form
  }
  return { text, offsets }
}

function formOf(code: number): string {
  const known = forms[code]
  if (known !== undefined) return known
  const character = String.fromCodePoint(code)
  // Lower case of İ and its like adds a combining mark, which no word list writes.
  const form = SPACE.test(character) ? ' ' : plainForm(character).replace(/\u0307/gu, '')
  if (code < forms.length) forms[code] = form
  return form
}

/**
 * Finds many words at once. Case, width and traditional forms make no difference. A word that begins or ends with a letter
 * of a spaced script stands at a word boundary there, so that "ass" is not found in "class"; Chinese words are found
 * anywhere.
 */
export function createWordMatcher(words: readonly string[]) {
  const patterns = words
    .map((each, word) => ({ word, form: foldText(each.trim()).text }))
    .map(({ word, form }) => ({ word, form, left: isSpaced(form.at(0)), right: isSpaced(form.at(-1)) }))
    .sort((a, b) => a.form.length - b.form.length)
  // Few words of a list begin with the same two units, and at most places of a text none begins with the first of them.
  const byStart = Map.groupBy(patterns, ({ form }) => form.slice(0, 2))
  const mayStart = new Uint8Array(0x10000)
  for (const { form } of patterns) mayStart[form.charCodeAt(0)] = 1

  return {
    /** Every occurrence in the order in which they begin. */
    find({ text, offsets }: FoldedText): WordMatch[] {
      const matches: WordMatch[] = []
      const collect = (at: number, start: string): void => {
        for (const { word, form, left, right } of byStart.get(start) ?? []) {
          const end = at + form.length
          const isInside = (left && isSpaced(text[at - 1])) || (right && isSpaced(text[end]))
          if (isInside || !text.startsWith(form, at)) continue
          matches.push({ word, start: offsets[at]!, end: offsets[end - 1]! + 1 })
        }
      }
      for (let at = 0; at < text.length; at++) {
        if (mayStart[text.charCodeAt(at)] === 0) continue
        collect(at, text[at]!)
        if (at + 1 < text.length) collect(at, text.slice(at, at + 2))
      }
      return matches
    },
  }
}

function isSpaced(unit: string | undefined): boolean {
  return unit !== undefined && WORD_CHARACTER.test(unit) && !UNSPACED.test(unit)
}
