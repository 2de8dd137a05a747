import { detectLanguage } from '../../../language/languages.ts'

/** Whether a text is in another language than the reply, where that can be told. */
export function speaksOther(text: string, language: string): boolean {
  const found = detectLanguage(text)
  return found !== 'und' && found !== language && (language === 'zh' || language === 'en')
}

/**
 * Passages that a customer is shown beside the best one: where that is in their language, none of another. A shop that says
 * everything in two languages would offer each thing twice.
 */
export function readableIn<Hit extends { content: string }>(hits: readonly Hit[], language: string): readonly Hit[] {
  const [best] = hits
  if (!best || speaksOther(best.content, language)) return hits
  return hits.filter(({ content }) => !speaksOther(content, language))
}
