import { plainForm } from './fold.ts'
import { bigrams } from './words/tokenise.ts'

/** Words that say nothing about a topic, so that sentences are not alike for sharing them. */
const STOP_WORDS = new Set(
  (
    'a an and are as at be but by can could did do does for from had has have he her his how i if in is it its just me my no not ' +
    'of on or our please she so that the their them then there they this to was we were what when where which who why will with ' +
    'would you your'
  ).split(' '),
)

/** The matter of a sentence: its Latin words without the empty ones, its numbers, and pairs of ideographs. */
export function sentenceTerms(sentence: string): Set<string> {
  const terms = new Set<string>()
  for (const [run] of plainForm(sentence).matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+/gu)) {
    if (/^\p{Script=Han}/u.test(run)) for (const pair of bigrams(run)) terms.add(pair)
    else if (!STOP_WORDS.has(run)) terms.add(run)
  }
  return terms
}

/** Share of terms in common, 0 to 1 (Jaccard). */
function similarity(a: Set<string>, b: Set<string>): number {
  if (a.size === 0 && b.size === 0) return 1
  const shared = a.intersection(b).size
  return shared / (a.size + b.size - shared)
}

/** Sentences that share more than this say the same thing to a reader. */
const SAME = 0.6

export function saysTheSame(a: string, b: string): boolean {
  return similarity(sentenceTerms(a), sentenceTerms(b)) > SAME
}

/** The items whose text repeats no earlier one's, keeping the order. */
export function withoutRepeats<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const kept: Set<string>[] = []
  return items.filter((item) => {
    const terms = sentenceTerms(textOf(item))
    if (kept.some((other) => similarity(other, terms) > SAME)) return false
    kept.push(terms)
    return true
  })
}

/** White space made single and the text cut to at most `maxLength` characters, with an ellipsis where something was left off. */
export function excerpt(text: string, maxLength: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length <= maxLength ? characters.join('') : `${characters.slice(0, maxLength - 1).join('')}…`
}

/** Comparing is quadratic, and a conversation's later sentences matter more than its middle. */
const MAX_COMPARED = 60

/** A number weighs as much as being very like two other sentences. */
const NUMBER_BONUS = 2

/**
 * The `count` (at least 2) sentences that say most, in their order: the first and the last, between them those that share most
 * terms with the rest or carry numbers (order ids, amounts, dates). Nothing is reworded, so nothing can be made up. After the
 * idea of TextRank (Mihalcea and Tarau, 2004), without iterating: a dozen sentences need no random walk.
 */
export function keySentences(sentences: readonly string[], count: number): string[] {
  const distinct = withoutRepeats(compared(sentences), (sentence) => sentence)
  const weights = sentenceWeights(distinct)
  const heaviest = distinct
    .map((_, index) => index)
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
    .slice(0, count)
  return distinct.filter((_, index) => heaviest.includes(index))
}

function compared(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= MAX_COMPARED) return sentences
  return [...sentences.slice(0, 1), ...sentences.slice(1 - MAX_COMPARED)]
}

function sentenceWeights(sentences: readonly string[]): number[] {
  const terms = sentences.map(sentenceTerms)
  return terms.map((own, index) => {
    if (index === 0 || index === terms.length - 1) return Number.MAX_VALUE
    const likeness = terms.reduce((sum, other, at) => sum + (at === index ? 0 : similarity(own, other)), 0)
    return likeness + (/\d/.test(sentences[index] ?? '') ? NUMBER_BONUS : 0)
  })
}
