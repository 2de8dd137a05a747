import { splitSentences } from '../../../language/sentences.ts'
import { maskText } from '../../../privacy/index.ts'
import { bodyLines, isCourtesy, withoutGreeting, withoutIdentity } from './letters.ts'

/** A sentence about the matter, personal data masked. */
export interface CleanSentence {
  text: string
  /** Does it ask for something, or say that something does not work? */
  asks: boolean
}

const ASKING =
  /\b(?:need|want|wanna|wants|like to|love to|looking|look to|trying|wish|help|can (?:i|you)|could (?:i|you)|how (?:do|can|to)|what|where|when|why|which|please|cannot|can'?t|unable|won'?t|not|doesn'?t|forgot|lost|missing|wrong|broken|report|hoping|require)\b|[?？]|想|要|怎么|如何|为什么|什么|哪里|能不能|可以|可否|请|帮|吗|无法|不能|没有|没|坏|失败|不了|不到|打不开/i
const MAX_CHARACTERS = 2_000
const MAX_SENTENCES = 12

/** The matter of a ticket, without greetings, signatures, quoted history, courtesies and personal data. May be nothing. */
export function cleanTicket(subject: string, content: string): CleanSentence[] {
  const lines = [subject, ...bodyLines(content.slice(0, MAX_CHARACTERS))]
  const sentences = lines.flatMap(splitSentences).slice(0, MAX_SENTENCES)
  // Before and after: of "Thanks in advance" a greeting's removal leaves what is no courtesy by itself.
  const cleaned = sentences.filter((text) => !isCourtesy(text)).map(clean)
  const kept = [...new Set(cleaned)].filter((text) => !isCourtesy(text))
  return kept.map((text) => ({ text: maskText(text), asks: ASKING.test(text) }))
}

function clean(sentence: string): string {
  return withoutIdentity(withoutGreeting(sentence))
}
