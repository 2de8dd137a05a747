/**
 * A run of text of one writing system. `han` runs hold ideographs; `syllabic` runs hold scripts that put no spaces between words
 * or glue particles to them (kana, Hangul, Thai, Lao, Khmer, Burmese); `spaced` runs hold everything else: words, numbers, identifiers.
 */
export type Run = { script: 'han' | 'syllabic' | 'spaced'; text: string }

// A separator is only taken between two letters or digits and is in neither class, so each run is read once: linear.
const RUN =
  /(?<han>[\p{Script=Han}]+)|(?<syllabic>[\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)|[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+(?:[._\-'@\/:\&,][[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+)*/gv

/** Splits normalised text into runs; punctuation, symbols and emoji fall away. */
export function tokenise(text: string): Run[] {
  const runs: Run[] = []
  for (const match of text.matchAll(RUN)) {
    const script = match.groups?.han ? 'han' : match.groups?.syllabic ? 'syllabic' : 'spaced'
    runs.push({ script, text: match[0] })
  }
  return runs
}

/** Two characters at a time; a single character stands alone. Counts code points, not UTF-16 units. */
export function bigrams(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  const pairs: string[] = []
  for (let i = 1; i < characters.length; i++) pairs.push(characters[i - 1]! + characters[i]!)
  return pairs
}
