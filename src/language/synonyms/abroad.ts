import { type Alternative, byFirstWord, type Entry, findAlternatives, IDEOGRAPH, type Index } from './synonyms.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Words of pages for other countries together, and names that customers use beside those of the register. */
const IN_LANGUAGE = {
  en: {
    together: ['overseas', 'abroad', 'international', 'foreign country'],
    also: ['usa', 'america', 'uk', 'england', 'scotland', 'korea', 'turkey', 'europe', 'africa'],
  },
  zh: {
    together: ['海外', '国外', '境外', '国际'],
    also: ['阿联酋', '欧洲', '非洲', '美洲'],
  },
} as const
type Language = keyof typeof IN_LANGUAGE

/**
 * "Overseas" and its like for names of countries and regions, in English and in Chinese: pages that say where a shop delivers
 * name few of them. The names are those of the Unicode Common Locale Data Repository, as `Intl` holds them; they are split for
 * the first text of their script, as that takes the dictionary.
 *
 * @param split the analyser's words of a text.
 */
export function createAbroad(split: (text: string) => string[]): (words: readonly string[]) => Alternative[] {
  const read: Partial<Record<Language, Index>> = {}
  return (words) => {
    const language = words.some((word) => IDEOGRAPH.test(word)) ? 'zh' : 'en'
    read[language] ??= countriesIn(language, split)
    return findAlternatives(words, read[language])
  }
}

function countriesIn(language: Language, split: (text: string) => string[]): Index {
  const { together, also } = IN_LANGUAGE[language]
  const group = together.map(split)
  return byFirstWord(
    [...new Set([...regionsIn(language), ...also])].map((name): Entry => ({ words: split(name), group })),
  )
}

function regionsIn(language: Language): string[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  return codes.flatMap((code) => names.of(code) ?? [])
}
