/** A sentence of a ticket that might stand for its cluster. */
export interface QuestionCandidate {
  text: string
  /** Cosine with the centroid of the cluster, 0 to 1. */
  likeness: number
  /** Does it ask for something, or say that something does not work? */
  asks: boolean
  /** Content words, and how many of them are slips of the pen. */
  words: number
  slips: number
}

const QUESTION =
  /[?？]["'”’）)\s]*$|^(?:how|what|why|when|where|which|who|can|could|do|does|did|is|are|will|should|may)\b|吗|怎么|怎样|如何|为什么|为何|什么时候|多久|哪里|能不能|可不可以|能否|是否|多少|几天|咋/i
const MASKED = /\*{2,}|\d{5}/
const MIN_WORDS = 2
const MAX_LENGTH = 160

/** How well a sentence stands for a cluster; 0: not at all. One that is masked, or too long for a question, does not. */
export function fitness({ text, likeness, asks, words, slips }: QuestionCandidate): number {
  if (MASKED.test(text) || text.length > MAX_LENGTH) return 0
  const form = QUESTION.test(text) ? 1.25 : asks ? 1.1 : 1
  // One word is a heading, not a question; three say enough.
  const fullness = words < MIN_WORDS ? 0.5 : words < 3 ? 0.85 : 1
  return likeness * form * fullness * (1 - slips / Math.max(1, words))
}

/** A sentence as a question of its own: begun with a capital, without a comma at its end. */
export function asQuestion(text: string): string {
  const trimmed = text.replace(/(?<![\s,，、;；:：])[\s,，、;；:：]+$/u, '')
  return /^\p{Ll}(?!\p{Lu})/u.test(trimmed) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed
}
