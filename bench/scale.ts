// How fast passages are taken in and found as a knowledge base grows, beside MiniSearch on the same text.
// Run: npm run bench:scale -- [--chunks 20000 [--chunks 100000 …]] [--queries 300] [--folder DIR]
import { parseArgs } from 'node:util'
import MiniSearch from 'minisearch'
import type { Knowledge } from '../src/features/knowledge/index.ts'
import { segment } from './retrieval/libraries.ts'
import { mean, percentile } from './retrieval/measure.ts'
import { folderBytes, openKnowledge, withFolder } from './scale/knowledge.ts'
import { createText, queryFrom, type SyntheticDocument } from './scale/text.ts'

const SECTIONS = 40
const QUERY_WORDS = 8
const RESULTS = 10
const WARM_UP = 30
const METADATA = {
  knowledgeType: 'doc',
  productCategory: 'unknown',
  applicableVersion: 'latest',
  publishedAt: null,
}

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', multiple: true, default: ['20000'] },
    queries: { type: 'string', default: '300' },
    /** Keeps the database there, and measures the one that is there already. */
    folder: { type: 'string' },
  },
})
const queryCount = Number(values.queries)
const text = createText()

interface Question {
  language: 'zh' | 'en'
  query: string
  /** The section that the words were taken from. */
  answer: string
}

/** Answers a query with the contents of the passages found, best first. */
type Search = (query: string) => Promise<string[]> | string[]

for (const chunks of values.chunks.map(Number)) await withFolder(values.folder, (folder) => run(chunks, folder))

async function run(chunks: number, folder: string): Promise<void> {
  console.log(`\n# ${chunks.toLocaleString('en')} passages, ${queryCount} queries of ${QUERY_WORDS} words`)
  const documents = Math.ceil(chunks / SECTIONS)
  const questions = Array.from({ length: queryCount }, (_, i) =>
    questionAbout(Math.floor((i * documents) / queryCount), i),
  )
  await load(folder, documents)
  const { knowledge, close } = await reopened(folder)
  await knowledge.settled()
  const ours: Search = async (query) => (await knowledge.search({ query, topK: RESULTS })).map(({ content }) => content)
  const found = await measure('Frontdesk', ours, questions)
  await close()
  const compared = await measureMiniSearch(documents, questions)
  console.log(`Frontdesk is ${(compared / found).toFixed(1)} times as fast as MiniSearch at p50`)
}

function questionAbout(number: number, seed: number): Question {
  const document = text.document(number, SECTIONS)
  const section = (seed * 7) % SECTIONS
  const answer = document.sections[section]?.text ?? ''
  return { language: document.language, query: queryFrom(document, section, QUERY_WORDS), answer }
}

/** Uploads what is not there yet, through the service that the upload endpoint calls. */
async function load(folder: string, documents: number): Promise<void> {
  const { knowledge, close } = await openKnowledge(folder)
  const before = await knowledge.stats()
  const rssAtStart = megabytes(process.memoryUsage.rss())
  const start = performance.now()
  for (let number = before.documents; number < documents; number++) await upload(knowledge, number)
  const seconds = (performance.now() - start) / 1000
  const { chunks } = await knowledge.stats()
  if (documents > before.documents) {
    const rate = (chunks - before.chunks) / seconds
    console.log(`ingestion: ${chunks - before.chunks} passages in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} a second`)
  }
  const rss = megabytes(process.memoryUsage.rss())
  const disk = megabytes(await folderBytes(folder))
  console.log(`memory: ${rssAtStart} MB after start, ${rss} MB after loading; on disk ${disk} MB`)
  await close()
}

async function upload(knowledge: Knowledge, number: number): Promise<void> {
  const { markdown } = text.document(number, SECTIONS)
  const bytes = Buffer.from(markdown)
  await knowledge.ingest({ bytes, source: `${number}.md`, register: false, metadata: METADATA })
}

async function reopened(folder: string): ReturnType<typeof openKnowledge> {
  const start = performance.now()
  const opened = await openKnowledge(folder)
  const ready = performance.now() - start
  await opened.knowledge.search({ query: 'warm', topK: 1 })
  const first = performance.now() - start
  console.log(
    `start with this database: open after ${ready.toFixed(0)} ms, first search answered after ${first.toFixed(0)} ms`,
  )
  return opened
}

/** p50 over all questions, in milliseconds. */
async function measure(name: string, search: Search, questions: readonly Question[]): Promise<number> {
  for (const { query } of questions.slice(0, WARM_UP)) await search(query)
  const times: { language: string; ms: number }[] = []
  let hits = 0
  for (const { query, answer, language } of questions) {
    const start = performance.now()
    const found = await search(query)
    times.push({ language, ms: performance.now() - start })
    if (found.slice(0, RESULTS).some((content) => content.includes(answer) || answer.includes(content))) hits++
  }
  for (const language of ['zh', 'en', '']) {
    const own = times.filter((time) => language === '' || time.language === language).map(({ ms }) => ms)
    console.log(`${name.padEnd(12)} ${(language || 'all').padEnd(4)} ${summary(own)}`)
  }
  console.log(
    `${name.padEnd(12)} finds the passage that the words were taken from in ${percent(hits / questions.length)}`,
  )
  return percentile(
    times.map(({ ms }) => ms),
    0.5,
  )
}

function summary(ms: readonly number[]): string {
  const parts = [
    `p50 ${percentile(ms, 0.5).toFixed(2)}`,
    `p95 ${percentile(ms, 0.95).toFixed(2)}`,
    `mean ${mean(ms).toFixed(2)}`,
  ]
  return `${parts.map((part) => part.padStart(12)).join('  ')} ms`
}

/** With a tokenizer that splits Chinese: with its defaults MiniSearch takes a Chinese sentence for one word and finds nothing. */
async function measureMiniSearch(documents: number, questions: readonly Question[]): Promise<number> {
  const rssBefore = process.memoryUsage.rss()
  const index = new MiniSearch<{ id: number; heading: string; text: string }>({
    fields: ['heading', 'text'],
    storeFields: ['text'],
    tokenize: segment,
  })
  const start = performance.now()
  let id = 0
  for (let number = 0; number < documents; number++) {
    const { sections } = text.document(number, SECTIONS)
    index.addAll(
      sections.map((section: SyntheticDocument['sections'][number]) => ({
        id: id++,
        heading: section.heading,
        text: section.text,
      })),
    )
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`MiniSearch: indexed in ${seconds} s, ${megabytes(process.memoryUsage.rss() - rssBefore)} MB more memory`)
  return measure('MiniSearch', (query) => index.search(query).map(({ text: found }) => String(found)), questions)
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
