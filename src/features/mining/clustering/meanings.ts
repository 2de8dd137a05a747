import { DIMENSIONS } from '../../../ai/embedder/vectors/format.ts'
import { toUnit } from '../../../ai/embedder/vectors/store.ts'

/** The meanings of texts, by the built-in vectors of their words. */
export interface Meanings {
  /** `DIMENSIONS` numbers for each text: a row of length 1, or zeros where no word is known. */
  readonly rows: Float32Array
  /** Of each text a number, 0 where no word is known. Texts of two languages are two problems, since their answers are two. */
  readonly languages: Uint8Array
}

/** The language of a text of which no word is known. */
export const UNKNOWN = 0

/** So many texts without any meaning are imagined in each language, so that a few texts keep what they have in common. */
const IMAGINED = 20

/** Takes off what the texts of a language have in common, which tells none apart. Changes the rows in place. */
export function centre({ rows, languages }: Meanings): void {
  const means = new Map<number, { sum: Float32Array; count: number }>()
  for (const [text, language] of languages.entries()) {
    if (language === UNKNOWN) continue
    const mean = means.get(language) ?? { sum: new Float32Array(DIMENSIONS), count: IMAGINED }
    means.set(language, mean)
    mean.count += 1
    for (let d = 0, at = text * DIMENSIONS; d < DIMENSIONS; d++) mean.sum[d]! += rows[at + d]!
  }
  for (const [text, language] of languages.entries()) {
    if (language === UNKNOWN) continue
    const { sum, count } = means.get(language)!
    const row = rowOf(rows, text)
    for (let d = 0; d < DIMENSIONS; d++) row[d]! -= sum[d]! / count
    toUnit(row)
  }
}

/** Cosine of two meanings; undefined where one of them is not known. */
export function nearness(a: Meanings, i: number, b: Meanings, j: number): number | undefined {
  const [left, right] = [a.languages[i], b.languages[j]]
  if (left === UNKNOWN || right === UNKNOWN) return undefined
  return left === right ? product(a.rows, i, b.rows, j) : 0
}

/** Dot product of two rows. */
export function product(a: Float32Array, i: number, b: Float32Array, j: number): number {
  let sum = 0
  for (let d = 0, left = i * DIMENSIONS, right = j * DIMENSIONS; d < DIMENSIONS; d++)
    sum += a[left + d]! * b[right + d]!
  return sum
}

/** The meaning of each group of texts: of those in the language that most of them are in. */
export function meaningsOf(meanings: Meanings, groups: readonly (readonly number[])[]): Meanings {
  const rows = new Float32Array(groups.length * DIMENSIONS)
  const languages = new Uint8Array(groups.length)
  for (const [group, texts] of groups.entries()) {
    const language = mostCommon(texts.map((text) => meanings.languages[text]!).filter((each) => each !== UNKNOWN))
    languages[group] = language
    if (language === UNKNOWN) continue
    const sum = rowOf(rows, group)
    for (const text of texts) {
      if (meanings.languages[text] !== language) continue
      for (let d = 0, at = text * DIMENSIONS; d < DIMENSIONS; d++) sum[d]! += meanings.rows[at + d]!
    }
    toUnit(sum)
  }
  return { rows, languages }
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [UNKNOWN, 0])[0]
}

function rowOf(rows: Float32Array, text: number): Float32Array {
  return rows.subarray(text * DIMENSIONS, (text + 1) * DIMENSIONS)
}
