import { readFileSync } from 'node:fs'
import { parseDocument } from '../../src/features/knowledge/formats/parse-document.ts'
import { chunkDocument } from '../../src/features/knowledge/ingest/chunking/chunk-document.ts'
import type { ChunkText } from '../../src/features/knowledge/retrieval/ranking/chunk-features.ts'

export type LabDocument = ChunkText & { docId: string; set: string }
export type LabQuery = {
  queryId: string
  text: string
  relevant: Set<string>
  set: string
  exclude?: string
  /** Asked in the middle of a conversation: alone it does not say what it is about. */
  followsUp?: boolean
}

type Row = Record<string, string | boolean>
const rows = (path: string): Row[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)

/** The documents, cut into passages as the product cuts them. */
export async function loadDocuments(root: string): Promise<LabDocument[]> {
  const documents: LabDocument[] = []
  for (const row of rows(`${root}/covid_faq_en/docs.jsonl`)) {
    const common = { docId: String(row.doc_id), set: 'covid', title: 'covid_faq_en', question: String(row.title) }
    for (const content of await passages(String(row.text), 'a.txt'))
      documents.push({ ...common, headingPath: [], content })
  }
  const titles = new Map<string, string>()
  for (const row of rows(`${root}/tidb_faq_zh/docs.jsonl`)) {
    const file = String(row.file)
    if (!titles.has(file)) {
      const markdown = readFileSync(`${root}/tidb_faq_zh/md/${file}`, 'utf8')
      titles.set(file, /^title: (.*)$/m.exec(markdown)?.[1] ?? file)
    }
    const heading = String(row.title)
    const question = row.is_question === true ? heading : null
    const common = { docId: String(row.doc_id), set: 'tidb', title: titles.get(file)!, question }
    for (const content of await passages(String(row.text), 'a.md')) {
      documents.push({ ...common, headingPath: question ? [] : [heading], content })
    }
  }
  return documents
}

async function passages(text: string, fileName: string): Promise<string[]> {
  const parsed = await parseDocument({ bytes: Buffer.from(text), fileName })
  return chunkDocument(parsed).map(({ headingPath, content }) => [...headingPath, content].join('\n'))
}

export function loadQueries(root: string): LabQuery[] {
  return (['covid', 'tidb'] as const).flatMap((set) => {
    const folder = `${root}/${set === 'covid' ? 'covid_faq_en' : 'tidb_faq_zh'}`
    const relevant = new Map<string, Set<string>>()
    for (const line of readFileSync(`${folder}/qrels.tsv`, 'utf8').split('\n').slice(1)) {
      const [query, doc] = line.split('\t')
      if (query && doc) relevant.set(query, (relevant.get(query) ?? new Set()).add(doc))
    }
    return rows(`${folder}/queries.jsonl`).map((row) => ({
      queryId: String(row.query_id),
      text: String(row.text),
      relevant: relevant.get(String(row.query_id)) ?? new Set(),
      set,
    }))
  })
}

/** A document without its question and title: a plain passage. */
export function withoutQuestion(document: LabDocument): LabDocument {
  return { ...document, title: '', question: null, headingPath: [] }
}

/** A document whose question is the heading of a plain passage, as in a manual. */
export function withHeading(document: LabDocument): LabDocument {
  if (document.question === null) return document
  return { ...document, question: null, headingPath: [...document.headingPath, document.question] }
}

/** Of four documents two as they are, one as a plain passage and one below a heading: bases seldom are of one kind. */
export function mixed(document: LabDocument, index: number): LabDocument {
  if (index % 4 < 2) return document
  return index % 4 === 2 ? withoutQuestion(document) : withHeading(document)
}

/** Utterances of customers with their intents: each asks for the others of its intent. Never learned from. */
export function loadUtterances(root: string): { documents: LabDocument[]; queries: LabQuery[] } {
  const utterances = rows(`${root}/insurance_tickets_en/development.jsonl`)
  const documents = utterances.map((row) => ({
    docId: String(row.ticket_id),
    set: 'insurance',
    title: '',
    headingPath: [],
    question: String(row.text),
    content: '',
  }))
  const intent = (i: number) => utterances[i]!.gold_cluster
  const queries = documents.flatMap((document, i) => {
    if (i % 4 !== 0) return []
    const relevant = new Set(documents.filter((_, k) => k !== i && intent(k) === intent(i)).map(({ docId }) => docId))
    return [{ queryId: document.docId, text: document.question, relevant, set: 'insurance', exclude: document.docId }]
  })
  return { documents, queries }
}
