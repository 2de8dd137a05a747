const MAX_KEYWORDS = 8
const LATIN_WORD = /\p{Script=Latin}[\p{L}\p{N}'-]*/gu

/**
 * Stemmed words as customers write them: the form that stands most often in `texts`. A stem of which no form is found is
 * left out; words of other scripts are not stemmed.
 *
 * @param stems the most telling first.
 */
export function chooseKeywords(
  stems: readonly string[],
  texts: readonly string[],
  wordsOf: (text: string) => string[],
): string[] {
  const forms = commonForms(texts, wordsOf)
  const keywords = stems.flatMap((stem) => (/^\p{Script=Latin}/u.test(stem) ? (forms.get(stem) ?? []) : stem))
  return [...new Set(keywords)].slice(0, MAX_KEYWORDS)
}

function commonForms(texts: readonly string[], wordsOf: (text: string) => string[]): Map<string, string> {
  const written = texts.flatMap((text) => Array.from(text.matchAll(LATIN_WORD), ([word]) => word.toLowerCase()))
  const forms = new Map<string, string>()
  for (const word of mostFrequent(written)) {
    for (const stem of wordsOf(word)) if (!forms.has(stem)) forms.set(stem, word)
  }
  return forms
}

/** The distinct values, the most frequent first; of equals by the alphabet. */
export function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value)
}
