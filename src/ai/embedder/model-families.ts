import type { EmbeddingKind } from './port.ts'

/** The prefixes that model families ask for in their model cards; without it they find clearly less. */
const PREFIXES: readonly (Readonly<Record<EmbeddingKind, string>> & { family: RegExp })[] = [
  { family: /\be5-(?!.*instruct)/i, document: 'passage: ', query: 'query: ' },
  { family: /\bnomic-embed-text/i, document: 'search_document: ', query: 'search_query: ' },
]

/** The prefix of a text for a model of this name. */
export function prefixFor(model: string, kind: EmbeddingKind): string {
  return PREFIXES.find(({ family }) => family.test(model))?.[kind] ?? ''
}
