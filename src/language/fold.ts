import { toSimplified } from './traditional.ts'

/** Longest message that is analysed, in UTF-16 units; the contract allows no longer one. */
export const MAX_ANALYSED_LENGTH = 8_000

const BEYOND_ASCII = /[^ -~\t\n\r]/
const FOLDABLE =
  /[\u00A0\u00AD\u00B4\u02BC\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u1680\u2000-\u2019\u201C\u201D\u202F\u205F\u2060\u2212\u3000\uFE58\uFE63\uFEFF\uFF01-\uFF5E]/g
/** Where a code point's decimal digits start, for the scripts in which people type digits. */
const DIGIT_ZEROS = [0x660, 0x6f0, 0x966, 0xff10]

/**
 * Reduces unusual ways to write digits, blanks, dashes, quotes and Latin letters to ASCII, one UTF-16 unit for one, so that
 * a position in the result is the same position in `text`. Invisible characters become U+200B.
 */
export function foldMarks(text: string): string {
  return BEYOND_ASCII.test(text) ? text.replace(FOLDABLE, foldMark) : text
}

function foldMark(mark: string): string {
  const code = mark.charCodeAt(0)
  const zero = DIGIT_ZEROS.find((start) => code >= start && code <= start + 9)
  if (zero !== undefined) return String(code - zero)
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  if (/[\u2010-\u2015\u2212\uFE58\uFE63]/.test(mark)) return '-'
  if (/[\u00B4\u02BC\u2018\u2019]/.test(mark)) return "'"
  if (/[\u201C\u201D]/.test(mark)) return '"'
  return /\s/.test(mark) && mark !== '\uFEFF' ? ' ' : '\u200B'
}

/**
 * Lower case, half-width, plain marks, simplified Chinese. The result has the length of the input, unit for unit,
 * so that offsets found in it hold in the original (NFKC and `toLowerCase` on whole strings do not promise that).
 */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  const plain = foldMarks(toSimplified(text))
  const lower = plain.toLowerCase()
  return lower.length === plain.length ? lower : plain.replace(/[^\0-\x7f]|[A-Z]/g, lowerUnit)
}

function lowerUnit(unit: string): string {
  const lower = unit.toLowerCase()
  return lower.length === 1 ? lower : unit
}

/**
 * Brings what means the same to the same characters: NFKC (full width, half width, ligatures), simplified Chinese,
 * one kind of quotes and hyphen. Case is kept, because the tokeniser reads camelCase from it.
 */
export function normalise(text: string): string {
  return foldMarks(toSimplified(text.normalize('NFKC'))).replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
}

/** The form that all ways to write a text share: two texts are the same when this is. Its offsets are its own. */
export function plainForm(text: string): string {
  return normalise(text).toLowerCase()
}

/** Lower case without diacritics on Latin and Greek letters, so that "cafe" finds "Café". */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\x20-\x7e]*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/(\p{Script=Latin}|\p{Script=Greek})\p{Mn}{1,8}/gu, '$1')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
}

/** As `matchAll` of a global pattern, which copies the pattern first, and most texts hold no match. */
export function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  pattern.lastIndex = 0
  if (!pattern.test(text)) return []
  pattern.lastIndex = 0
  return [...text.matchAll(pattern)]
}

/** True for the ideographs of the basic plane, which is where everyday Chinese is written. */
export function isHan(unit: string): boolean {
  const code = unit.charCodeAt(0)
  return (code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf)
}

/** How many ideographs the text has. */
export function countHan(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) if (isHan(text[i]!)) count++
  return count
}

/** Latin words of the folded text, in order; apostrophes inside a word are kept. */
export function latinWords(folded: string): string[] {
  return folded.match(/[a-z\u00df-\u024f]+(?:'[a-z]+)?/g) ?? []
}
