import { detectLanguage } from '../../../language/languages.ts'
import type { PreparedChunk } from '../types.ts'

/** Passages that say which language a document is in. */
const SAMPLE = 10

/** The language of a document's text; null where it shows none. */
export function languageOfChunks(chunks: readonly Pick<PreparedChunk, 'content'>[]): string | null {
  const text = chunks.slice(0, SAMPLE).map(({ content }) => content)
  const language = detectLanguage(text.join('\n'))
  return language === 'und' ? null : language
}
