import type { FaqDocument, FaqSet } from './data.ts'

/** A passage as the recommendation endpoint gives it. */
export interface Chunk {
  content: string
  score: number
  source: string
  question: string | null
  heading_path: string[]
  metadata: Record<string, unknown>
}

/** From a returned passage to the doc_id that the relevance judgements know; null: a part that is no document of the set. */
export function createMapping(sets: readonly FaqSet[]): (chunk: Chunk) => string | null {
  const known = new Set<string>()
  const whole = new Map<string, string>()
  const byTitle = new Map<string, string>()
  for (const { documents, uploads } of sets) {
    const [upload] = uploads
    for (const document of documents) {
      known.add(document.docId)
      const source = document.file ?? upload?.fileName ?? ''
      if (document.title === '') whole.set(source, document.docId)
      else byTitle.set(titleKey(source, document), document.docId)
    }
  }
  return ({ metadata, source, question, heading_path: headings }) => {
    const docId = metadata.doc_id
    if (typeof docId === 'string' && known.has(docId)) return docId
    const titles = [question, ...headings.toReversed()].filter((title) => title !== null)
    const keys = titles.map((title) => titleKey(source, { title }))
    return whole.get(source) ?? keys.map((key) => byTitle.get(key)).find((found) => found !== undefined) ?? null
  }
}

/** Letters and digits alone, without a section's number: a title in Markdown and the same title read from it differ in the rest. */
function titleKey(source: string, { title }: Pick<FaqDocument, 'title'>): string {
  const plain = title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[\d.]+\s/, '')
    .normalize('NFKC')
  return `${source}\n${plain.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')}`
}

/** The sources under which a query's documents were uploaded. */
export function sourcesOf(set: FaqSet, relevant: ReadonlySet<string>): Set<string> {
  const [upload] = set.uploads
  const documents = set.documents.filter(({ docId }) => relevant.has(docId))
  return new Set(documents.map(({ file }) => file ?? upload?.fileName ?? ''))
}
