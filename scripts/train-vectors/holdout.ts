import type { Family } from './families.ts'
import { unit } from './representatives.ts'
import { dot, sumOf } from './train.ts'
import type { Vocabulary } from './vocabulary.ts'

type Language = 'zh' | 'en'

/** How often a wording of a family that was not learned finds its own page first, and among five, of all families' pages. */
export function findRates(families: readonly Family[], { rows, encode }: Vocabulary) {
  const vectorOf = (text: string): Float32Array => unit(sumOf(rows, encode(text)))
  const pages = (language: Language) =>
    families.map(({ titles, answers }) => vectorOf(`${titles[language]}\n${answers[language]}`))
  const stored = { zh: pages('zh'), en: pages('en') }
  const rates = (asked: Language, found: Language) => {
    let [questions, first, five] = [0, 0, 0]
    for (const [own, family] of families.entries()) {
      if (!family.isTest) continue
      for (const text of family[asked]) {
        const vector = vectorOf(text)
        const likeness = stored[found].map((page) => dot(page, vector))
        const better = likeness.filter((each) => each > (likeness[own] as number)).length
        questions++
        if (better === 0) first++
        if (better < 5) five++
      }
    }
    return { questions, first: (first / questions).toFixed(3), five: (five / questions).toFixed(3) }
  }
  return {
    Chinese: rates('zh', 'zh'),
    English: rates('en', 'en'),
    'English question, Chinese page': rates('en', 'zh'),
    'Chinese question, English page': rates('zh', 'en'),
  }
}
