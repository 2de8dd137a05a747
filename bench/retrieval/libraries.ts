import { create, insertMultiple, search } from '@orama/orama'
import MiniSearch from 'minisearch'
import { indexWithLangChain } from '../compared/langchain.ts'
import type { FaqDocument } from './data.ts'

/** Something that finds documents: the ids of at most ten, best first; null stands for a passage of no known document. */
export interface Engine {
  name: string
  search(query: string): Promise<(string | null)[]>
}

const RESULTS = 10
const words = new Intl.Segmenter('zh', { granularity: 'word' })

/** What a user of these libraries reaches for when the text is Chinese; their defaults split at blanks and punctuation only. */
export function segment(text: string): string[] {
  return [...words.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment: word }) => word.toLowerCase())
}

/** MiniSearch and Orama over title and text, each with its defaults and with a tokenizer that can split Chinese. */
export async function createLibraries(documents: readonly FaqDocument[]): Promise<Engine[]> {
  return [
    minisearch('MiniSearch', documents, {}),
    minisearch('MiniSearch, CJK words', documents, { tokenize: segment }),
    await orama('Orama', documents, {}),
    await langchain(documents),
    await orama('Orama, CJK words', documents, {
      components: { tokenizer: { language: 'english', normalizationCache: new Map(), tokenize: segment } },
    }),
  ]
}

function minisearch(name: string, documents: readonly FaqDocument[], options: { tokenize?: typeof segment }): Engine {
  const index = new MiniSearch<FaqDocument>({ idField: 'docId', fields: ['title', 'text'], ...options })
  index.addAll(documents)
  return {
    name,
    search: async (query) =>
      index
        .search(query)
        .slice(0, RESULTS)
        .map(({ id }) => String(id)),
  }
}

async function orama(name: string, documents: readonly FaqDocument[], options: object): Promise<Engine> {
  const index = create({ schema: { docId: 'string', title: 'string', text: 'string' }, ...options })
  await insertMultiple(
    index,
    documents.map(({ docId, title, text }) => ({ docId, title, text })),
  )
  return {
    name,
    async search(query) {
      const { hits } = await search(index, { term: query, properties: ['title', 'text'], limit: RESULTS })
      return hits.map(({ document }) => String(document.docId))
    },
  }
}

async function langchain(documents: readonly FaqDocument[]): Promise<Engine> {
  const find = await indexWithLangChain(
    documents.map(({ docId, title, text }) => ({ id: docId, text: `${title}\n${text}` })),
  )
  return { name: 'LangChain in memory', search: (query) => find(query, RESULTS) }
}
