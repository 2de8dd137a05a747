import { DIMENSIONS } from '../../../ai/embedder/vectors/format.ts'
import { detectLanguage, type ScriptLanguage } from '../../../language/languages.ts'
import { centre, type Meanings, UNKNOWN } from '../clustering/meanings.ts'
import type { DistinctText } from './texts.ts'
import { type ReadTicket, type TicketStore, textOf } from './ticket-store.ts'

const LANGUAGES: readonly ScriptLanguage[] = ['und', 'zh', 'en', 'ja', 'ko', 'ru', 'ar', 'th']

/** The meanings of texts, less what all of a language have in common. */
export function readMeanings(
  { tickets, meaningOf }: Pick<TicketStore, 'tickets' | 'meaningOf'>,
  texts: readonly DistinctText[],
): Meanings {
  const rows = new Float32Array(texts.length * DIMENSIONS)
  const languages = new Uint8Array(texts.length)
  for (const [text, { tickets: own }] of texts.entries()) {
    // Tickets of one text may differ in small words: whichever came first, the same one speaks for all.
    const spoken = own
      .map((at) => tickets[at] as ReadTicket)
      .reduce((first, next) => (textOf(next) < textOf(first) ? next : first))
    const meaning = meaningOf(spoken.sentences)
    rows.set(meaning, text * DIMENSIONS)
    const isKnown = meaning.some((value) => value !== 0)
    languages[text] = isKnown ? 1 + LANGUAGES.indexOf(detectLanguage(textOf(spoken))) : UNKNOWN
  }
  const meanings = { rows, languages }
  centre(meanings)
  return meanings
}
