/**
 * A run of text of one writing system. `han` runs hold ideographs; `syllabic` runs hold scripts that put no spaces between words
 * or glue particles to them (kana, Hangul, Thai, Lao, Khmer, Burmese); `spaced` runs hold everything else: words, numbers, identifiers.
 */
export type Run = { script: 'han' | 'syllabic' | 'spaced'; text: string }

// A separator is only taken between two letters or digits and is in neither class, so each run is read once: linear.
const RUN =
  /[\p{Script=Han}]+|[\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+(?:[._\-'@\/:\&,][[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+)*/gv

const SYLLABIC =
  /[\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Below it there are no characters of the scripts that are told apart here. */
const FIRST_UNSPACED = 0xe01

/** Splits normalised text into runs; punctuation, symbols and emoji fall away. */
export function tokenise(text: string): Run[] {
  return (text.match(RUN) ?? []).map((run) => ({ script: scriptOf(run), text: run }))
}

/** A run is of one script, so its first character tells. */
function scriptOf(run: string): Run['script'] {
  const code = run.codePointAt(0) as number
  if (code < FIRST_UNSPACED) return 'spaced'
  const first = String.fromCodePoint(code)
  if (/\p{Script=Han}/u.test(first)) return 'han'
  return SYLLABIC.test(first) ? 'syllabic' : 'spaced'
}

/** Two characters at a time; a single character stands alone. Counts code points, not UTF-16 units. */
export function bigrams(run: string): string[] {
  const characters = isBasic(run) ? run : [...run]
  if (characters.length < 2) return [...characters]
  const pairs: string[] = []
  for (let i = 1; i < characters.length; i++) pairs.push(characters[i - 1]! + characters[i]!)
  return pairs
}

/** Whether each character is one UTF-16 unit. */
function isBasic(run: string): boolean {
  for (let i = 0; i < run.length; i++) if ((run.charCodeAt(i) & 0xf800) === 0xd800) return false
  return true
}
