import { DatabaseSync } from 'node:sqlite'
import { create, insertMultiple, search } from '@orama/orama'
import MiniSearch from 'minisearch'
import { indexWithLangChain } from '../compared/langchain.ts'
import { segment } from '../retrieval/libraries.ts'
import type { Search } from './measure.ts'
import type { SyntheticDocument } from './text.ts'

interface Section {
  id: string
  heading: string
  text: string
}

type Sections = () => Generator<Section>

/**
 * What people would use instead, over the same sections. All get a tokenizer that splits Chinese: with their defaults
 * they take a Chinese sentence for one word, are fast and find nothing.
 *
 * @param count passages that a search returns.
 */
export const LIBRARIES: Readonly<Record<string, (sections: Sections, count: number) => Promise<Search>>> = {
  async MiniSearch(sections, count) {
    const index = new MiniSearch<Section>({ fields: ['heading', 'text'], storeFields: ['text'], tokenize: segment })
    for (const section of sections()) index.add(section)
    return (query) =>
      index
        .search(query)
        .slice(0, count)
        .map(({ text }) => String(text))
  },

  async 'SQLite FTS5'(sections, count) {
    const db = new DatabaseSync(':memory:')
    db.exec(`create table passages (id integer primary key, text text);
      create virtual table words using fts5 (heading, text, content = '', tokenize = 'unicode61')`)
    const [keep, index] = [
      db.prepare('insert into passages values (?, ?)'),
      db.prepare('insert into words (rowid, heading, text) values (?, ?, ?)'),
    ]
    db.exec('begin')
    for (const { id, heading, text } of sections()) {
      keep.run(Number(id), text)
      index.run(Number(id), segment(heading).join(' '), segment(text).join(' '))
    }
    db.exec("insert into words (words) values ('optimize'); commit")
    const found = db.prepare('select rowid from words where words match ? order by rank limit ?')
    const read = db.prepare('select text from passages where id = ?')
    return (query) => {
      const terms = segment(query).map((term) => `"${term.replaceAll('"', '""')}"`)
      return found.all(terms.join(' OR '), count).map(({ rowid }) => String(read.get(rowid as number)?.text))
    }
  },

  async Orama(sections, count) {
    const tokenizer = { language: 'english', normalizationCache: new Map(), tokenize: segment }
    const index = create({ schema: { heading: 'string', text: 'string' }, components: { tokenizer } })
    await insertMultiple(index, [...sections()])
    return async (query) => {
      const { hits } = await search(index, { term: query, properties: ['heading', 'text'], limit: count })
      return hits.map(({ document }) => String(document.text))
    }
  },

  async 'LangChain in memory'(sections, count) {
    const texts = new Map<string, string>()
    function* entries() {
      for (const { id, heading, text } of sections()) {
        texts.set(id, text)
        yield { id, text: `${heading}\n${text}` }
      }
    }
    const find = await indexWithLangChain(entries())
    return async (query) => (await find(query, count)).map((id) => texts.get(id) ?? '')
  },
}

export function* sectionsOf(documents: Iterable<SyntheticDocument>): Generator<Section> {
  let id = 0
  for (const { sections } of documents)
    for (const { heading, text } of sections) yield { id: String(id++), heading, text }
}
