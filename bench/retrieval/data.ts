import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** A test collection: documents, the questions asked about them and which document answers which question. */
export interface FaqSet {
  name: string
  documents: FaqDocument[]
  queries: FaqQuery[]
  uploads: Upload[]
}

export interface FaqDocument {
  docId: string
  /** File under `md/` that holds the document as a section; null: the document comes from `docs.jsonl`. */
  file: string | null
  /** Empty where the title was taken away. */
  title: string
  text: string
}

export interface FaqQuery {
  text: string
  relevant: ReadonlySet<string>
}

export interface Upload {
  fileName: string
  content: Uint8Array
}

type Row = Record<string, unknown>

/** Reads `docs.jsonl`, `queries.jsonl`, `qrels.tsv` and, where it is there, `md/`. */
export function readSet(folder: string): FaqSet {
  const name = basename(resolve(folder))
  const documents = readLines(join(folder, 'docs.jsonl')).map((row) => ({
    docId: String(row.doc_id),
    file: typeof row.file === 'string' ? row.file : null,
    title: String(row.title ?? ''),
    text: String(row.text ?? ''),
  }))
  const relevant = readRelevance(join(folder, 'qrels.tsv'))
  const queries = readLines(join(folder, 'queries.jsonl')).map((row) => ({
    text: String(row.text),
    relevant: relevant.get(String(row.query_id)) ?? new Set<string>(),
  }))
  return { name, documents, queries, uploads: uploadsOf(folder, name) }
}

/** Two folders may both have a `docs.jsonl`, and the file's name names the document: so it is uploaded under the folder's. */
function uploadsOf(folder: string, name: string): Upload[] {
  const markdown = join(folder, 'md')
  if (!existsSync(markdown)) {
    return [{ fileName: `${name}.jsonl`, content: readFileSync(join(folder, 'docs.jsonl')) }]
  }
  return readdirSync(markdown)
    .filter((fileName) => fileName.endsWith('.md'))
    .sort()
    .map((fileName) => ({ fileName, content: readFileSync(join(markdown, fileName)) }))
}

function readLines(path: string): Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row)
}

function readRelevance(path: string): Map<string, Set<string>> {
  const relevant = new Map<string, Set<string>>()
  for (const line of readFileSync(path, 'utf8').split('\n').slice(1)) {
    const [query, docId, grade] = line.trim().split('\t')
    if (!query || !docId || grade === '0') continue
    relevant.set(query, (relevant.get(query) ?? new Set()).add(docId))
  }
  return relevant
}

/** Where most queries are the title of their document, finding it by the title proves nothing. */
export function repeatsTitles({ documents, queries }: FaqSet): boolean {
  const titles = new Map(documents.map(({ docId, title }) => [docId, title]))
  const repeating = queries.filter(({ text, relevant }) => [...relevant].some((docId) => titles.get(docId) === text))
  return repeating.length * 2 > queries.length
}

/** The same set with every document's title taken away: its text is uploaded alone, under a name that says nothing. */
export function withoutTitles(set: FaqSet): FaqSet {
  const documents = set.documents.map((document, i) => ({ ...document, title: '', file: `${i}.md` }))
  const uploads = documents.map(({ file, text }) => ({ fileName: file, content: Buffer.from(text) }))
  return { ...set, name: `${set.name}, titles removed`, documents, uploads }
}
