import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseDocument } from '../../src/features/knowledge/formats/parse-document.ts'
import { chunkDocument } from '../../src/features/knowledge/ingest/chunking/chunk-document.ts'
import type { LabDocument, LabQuery } from './fixtures.ts'

/** Whole help centres with customers' questions: folders of `docs/` and `questions.jsonl` below `help_centres/`. */
export async function loadHelpCentres(root: string): Promise<{ documents: LabDocument[]; queries: LabQuery[] }> {
  const folder = join(root, 'help_centres')
  if (!existsSync(folder)) return { documents: [], queries: [] }
  const sets = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'questions.jsonl')))
  const documents: LabDocument[] = []
  for (const set of sets.toSorted()) documents.push(...(await readArticles(join(folder, set, 'docs'), set)))
  return { documents, queries: sets.flatMap((set) => readQuestions(join(folder, set), set)) }
}

async function readArticles(folder: string, set: string): Promise<LabDocument[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.mdx?$/.test(name))
  const documents: LabDocument[] = []
  for (const name of names.toSorted()) {
    const path = join(folder, name)
    const fileName = name.replace(/\.mdx$/, '.md')
    const parsed = await parseDocument({ bytes: readFileSync(path), fileName })
    const title = parsed.title ?? fileName.replace(/^.*\//, '').replace(/\.md$/, '')
    for (const { headingPath, question, content } of chunkDocument(parsed)) {
      documents.push({ docId: withoutExtension(relative(folder, path)), set, title, headingPath, question, content })
    }
  }
  return documents
}

interface Question {
  id: string
  question: string
  turn: number
  answerable: boolean
  handoff: boolean
  sources: string[]
}

/** Questions that open a conversation and that the articles answer. */
function readQuestions(folder: string, set: string): LabQuery[] {
  return readFileSync(join(folder, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Question)
    .filter(({ answerable, handoff, sources }) => answerable && !handoff && sources.length > 0)
    .map(({ id, question, sources, turn }) => ({
      queryId: id,
      followsUp: turn > 1,
      text: question,
      relevant: new Set(sources.map(withoutExtension)),
      set,
    }))
}

function withoutExtension(path: string): string {
  return path.replace(/\.mdx?$/, '')
}
