import MiniSearch from 'minisearch'
import { segment } from '../retrieval/libraries.ts'
import type { SyntheticDocument } from './text.ts'

/**
 * MiniSearch over the same sections, with a tokenizer that splits Chinese: with its defaults it takes a Chinese sentence for
 * one word, is fast and finds nothing.
 */
export function indexWithMiniSearch(documents: Iterable<SyntheticDocument>) {
  const index = new MiniSearch<{ id: number; heading: string; text: string }>({
    fields: ['heading', 'text'],
    storeFields: ['text'],
    tokenize: segment,
  })
  let id = 0
  for (const { sections } of documents) index.addAll(sections.map(({ heading, text }) => ({ id: id++, heading, text })))
  return {
    search: (query: string, count: number): string[] =>
      index
        .search(query)
        .slice(0, count)
        .map(({ text }) => String(text)),
  }
}
