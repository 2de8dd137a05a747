/** An ISO 639-1 code; `und` when the text has no letters to tell from. */
export type Language = 'zh' | 'en' | 'ja' | 'ko' | 'ru' | 'ar' | 'th' | 'und'

const SAMPLE_LENGTH = 2_000
const SCRIPTS: readonly (readonly [Language, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['th', /\p{Script=Thai}/gu],
]

/**
 * The language in which to answer a text, told by its script alone. A Chinese sentence stays Chinese however many Latin product
 * names it holds: one ideograph says as much as about three Latin letters, and names are Latin in every language.
 */
export function detectLanguage(text: string): Language {
  const sample = text.slice(0, SAMPLE_LENGTH)
  const latin = count(sample, /\p{Script=Latin}/gu)
  const han = count(sample, /\p{Script=Han}/gu)
  const others = SCRIPTS.map(([language, pattern]) => [language, count(sample, pattern)] as const)
  const [language, letters] = others.reduce((best, next) => (next[1] > best[1] ? next : best))
  if (letters > 0 && letters * 3 >= han && letters * 3 >= latin) return language
  if (han > 0 && han * 6 >= latin) return 'zh'
  return latin > 0 ? 'en' : 'und'
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
