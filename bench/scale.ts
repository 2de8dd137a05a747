// How fast passages are taken in and found as a knowledge base grows, beside others on the same text.
// Run: npm run bench:scale -- [--chunks 20000 [--chunks 100000 …]] [--beside NAME …] [--language en]
//        [--queries 300] [--folder DIR] [--database URL …] [--at-once 1]; a third of the queries from 50,000 passages on,
//        where Orama takes seconds for one
// Names: MiniSearch (when none is given), SQLite FTS5, Orama, LangChain in memory, embedded (Frontdesk on the embedded
// database, where --database has it run on a server: a database of its own there for each size, or one for several of
// them, in which larger sizes are loaded on top of smaller ones; what is there already is not loaded again). Languages: en, zh, both (every other document in Chinese, so that a word of a query can stand in half of
// them only, which is what the libraries are fast by).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import type { Knowledge } from '../src/features/knowledge/index.ts'
import { noteFigure } from './figures.ts'
import { percentile } from './retrieval/measure.ts'
import { openKnowledge, type Place, serverTime, storedBytes, withFolder } from './scale/knowledge.ts'
import { LIBRARIES, sectionsOf } from './scale/libraries.ts'
import { type Engine, type Medians, measureSearches, type Question, type Search } from './scale/measure.ts'
import { createText, queryFrom, type SyntheticDocument, type TextLanguage } from './scale/text.ts'

const SECTIONS = 40
const QUERY_WORDS = 8
const RESULTS = 10
/** The embedded database vacuums and merges one table or index after each three seconds without a request. */
const QUIET_MS = 20_000
const MANY_CHUNKS = 50_000
/** Documents by which it is told how soon a replica follows another one. */
const FOLLOWED = 9
const METADATA = {
  knowledgeType: 'doc',
  productCategory: 'unknown',
  applicableVersion: 'latest',
  publishedAt: null,
}

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', multiple: true, default: ['20000'] },
    beside: { type: 'string', multiple: true, default: ['MiniSearch'] },
    language: { type: 'string', default: 'en' },
    queries: { type: 'string', default: '300' },
    /** Keeps the database there, and measures the one that is there already. */
    folder: { type: 'string' },
    /** The same on a server, one for each size or the last one for all that follow. */
    database: { type: 'string', multiple: true, default: [] },
    /** Documents that are uploaded side by side. */
    'at-once': { type: 'string', default: '1' },
  },
})
const text = createText(languageNamed(values.language))

const sizes = values.chunks.map(Number)
const medians: Medians[] = []
/** What ends the others that are open. */
const besideThem: (() => Promise<void>)[] = []
for (const [i, chunks] of sizes.entries()) medians.push(await withPlace(i, (place) => run(chunks, place)))
if (sizes.length > 1) printGrowth(await besideEachOther())

function withPlace<T>(size: number, work: (place: Place) => Promise<T>): Promise<T> {
  const { database, folder } = values
  const databaseUrl = database[size] ?? database.at(-1)
  return databaseUrl ? work({ databaseUrl }) : withFolder(folder, (dataDir) => work({ dataDir }))
}

function languageNamed(name: string): TextLanguage {
  if (name === 'en' || name === 'zh' || name === 'both') return name
  throw new Error('--language must be en, zh or both')
}

/**
 * The first size and the last on a server, in turns: what else the machine does meets both alike. One after the other
 * where they are gone with their folders, or where one database grew.
 */
async function besideEachOther(): Promise<Medians[]> {
  const { database } = values
  if (database.length < sizes.length) return medians
  console.log('\n# The first size and the last in turns')
  const engines: Engine[] = []
  for (const i of [0, sizes.length - 1]) {
    const place = { databaseUrl: database[i]! }
    const { knowledge, close } = await reopened(place)
    besideThem.push(close)
    const [search, serverMs] = [searchIn(knowledge), await serverTime(place)]
    engines.push({ name: sizes[i]!.toLocaleString('en'), search, questions: questionsFor(sizes[i]!), serverMs })
  }
  const found = await measureSearches(engines)
  for (const end of besideThem.splice(0)) await end()
  return found
}

/** How the median grows from the first size to the last. */
function printGrowth(measured: readonly Medians[]): void {
  const [first, last] = [measured[0]!, measured.at(-1)!]
  const [from, to] = [sizes[0]!, sizes.at(-1)!].map((size) => size.toLocaleString('en'))
  const growth = (of: (median: Medians) => number): string => (of(last) / of(first)).toFixed(1)
  console.log(`\nFrom ${from} to ${to} passages the median search takes`)
  console.log(`${growth(({ wallMs }) => wallMs)} times as long and ${growth(({ cpuMs }) => cpuMs)} times the CPU time`)
}

function questionsFor(chunks: number): Question[] {
  const queryCount = Math.ceil(Number(values.queries) / (chunks < MANY_CHUNKS ? 1 : 3))
  return Array.from({ length: queryCount }, (_, i) =>
    questionAbout(Math.floor((i * Math.ceil(chunks / SECTIONS)) / queryCount), (i * 7) % SECTIONS),
  )
}

async function run(chunks: number, place: Place): Promise<Medians> {
  const questions = questionsFor(chunks)
  console.log(`\n# ${chunks.toLocaleString('en')} passages, ${questions.length} queries of ${QUERY_WORDS} words`)
  const documents = Math.ceil(chunks / SECTIONS)
  await load(place, documents)
  const { knowledge, close } = await reopened(place)
  if ('databaseUrl' in place) await follow(place, knowledge)
  const engines: Engine[] = [
    { name: 'Frontdesk', search: searchIn(knowledge), questions, serverMs: await serverTime(place) },
  ]
  for (const name of values.beside) engines.push({ name, search: await besides(name, documents), questions })
  await setTimeout(QUIET_MS)
  console.log(`${''.padEnd(17)}   p50 ms   p95 ms     mean`)
  const [ours, ...theirs] = await measureSearches(engines)
  await close()
  for (const end of besideThem.splice(0)) await end()
  noteSearch('Frontdesk', chunks, ours!)
  for (const [i, name] of values.beside.entries()) compare(ours!, name, theirs[i]!, chunks)
  return ours!
}

function searchIn(knowledge: Knowledge): Search {
  return async (query) => (await knowledge.search({ query, topK: RESULTS })).map((hit) => hit.content)
}

async function besides(name: string, documents: number): Promise<Search> {
  if (name !== 'embedded') return indexLibrary(name, documents)
  const place = { dataDir: await mkdtemp(join(tmpdir(), 'frontdesk-scale-')) }
  await load(place, documents)
  const { knowledge, close } = await reopened(place)
  besideThem.push(async () => {
    await close()
    await rm(place.dataDir, { recursive: true, force: true })
  })
  return searchIn(knowledge)
}

function questionAbout(number: number, section: number): Question {
  const document = text.document(number, SECTIONS)
  const answer = document.sections[section]?.text ?? ''
  return { language: document.language, query: queryFrom(document, section, QUERY_WORDS), answer }
}

/** Uploads what is not there yet, through the service that the upload endpoint calls. */
async function load(place: Place, documents: number): Promise<void> {
  const { knowledge, close } = await openKnowledge(place)
  const before = await knowledge.stats()
  const rssAtStart = megabytes(process.memoryUsage.rss())
  const start = performance.now()
  const cpuBefore = process.cpuUsage()
  const missing = Array.from({ length: Math.max(0, documents - before.documents) }, (_, i) => before.documents + i)
  await pLimit(Number(values['at-once'])).map(missing, (number) => upload(knowledge, number))
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const { chunks } = await knowledge.stats()
  const added = chunks - before.chunks
  if (added > 0) {
    const cpuMs = (user + system) / 1000 / added
    const rate = `${(added / seconds).toFixed(0)} a second, CPU ${cpuMs.toFixed(2)} ms each`
    noteFigure(`upload of ${added.toLocaleString('en')} passages`, `${(added / seconds).toFixed(0)} a second`)
    console.log(`ingestion: ${added} passages in ${seconds.toFixed(1)} s, ${rate}`)
  }
  const rss = megabytes(process.memoryUsage.rss())
  const disk = megabytes(await storedBytes(place))
  console.log(`memory: ${rssAtStart} MB after start, ${rss} MB after loading; on disk ${disk} MB`)
  await close()
}

async function upload(knowledge: Knowledge, number: number): Promise<void> {
  const bytes = Buffer.from(text.document(number, SECTIONS).markdown)
  await knowledge.ingest({ bytes, source: `${number}.md`, register: false, metadata: METADATA })
}

/** How soon a replica finds what another one has taken in, from the moment in which that one was told so. */
async function follow(place: Place, knowledge: Knowledge): Promise<void> {
  const other = await openKnowledge(place)
  const times: number[] = []
  let docId = ''
  for (let round = 0; round < FOLLOWED; round++) {
    const word = `followed${Date.now()}x${round}`
    const bytes = Buffer.from(`# About ${word}\n\nThe ${word} opens at nine.\n`)
    docId = (await other.knowledge.ingest({ bytes, source: 'followed.md', register: false, metadata: METADATA })).docId
    const toldAt = performance.now()
    while (!(await knowledge.search({ query: word, topK: 1 })).some(({ content }) => content.includes(word))) {
      await setTimeout(1)
    }
    times.push(performance.now() - toldAt)
  }
  await other.knowledge.remove(docId)
  await other.close()
  console.log(`what another replica took in is found after ${percentile(times, 0.5).toFixed(0)} ms`)
}

async function reopened(place: Place): ReturnType<typeof openKnowledge> {
  const start = performance.now()
  const opened = await openKnowledge(place)
  const openMs = performance.now() - start
  await opened.knowledge.search({ query: 'warm', topK: 1 })
  const firstMs = performance.now() - start
  console.log(
    `start with this database: open after ${openMs.toFixed(0)} ms, first search after ${firstMs.toFixed(0)} ms`,
  )
  await opened.knowledge.settled()
  return opened
}

async function indexLibrary(name: string, documents: number): Promise<Search> {
  const index = LIBRARIES[name]
  if (!index) throw new Error(`--beside must be one of ${Object.keys(LIBRARIES).join(', ')}`)
  const rssBefore = process.memoryUsage.rss()
  const start = performance.now()
  const search = await index(() => sectionsOf(allDocuments(documents)), RESULTS)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const more = megabytes(process.memoryUsage.rss() - rssBefore)
  console.log(`${name}: indexed in ${seconds} s, ${more} MB more memory`)
  return search
}

function compare(ours: Medians, name: string, theirs: Medians, chunks: number): void {
  const share = (of: (median: Medians) => number): string => `1/${(of(theirs) / of(ours)).toFixed(1)}`
  const [wall, cpu] = [share(({ wallMs }) => wallMs), share(({ cpuMs }) => cpuMs)]
  console.log(`At p50 Frontdesk takes ${wall} of ${name}'s time and ${cpu} of its CPU time`)
  noteSearch(name, chunks, theirs)
}

function noteSearch(name: string, chunks: number, { wallMs, cpuMs }: Medians): void {
  const passages = `${chunks.toLocaleString('en')} passages`
  noteFigure(`${name}: search of ${passages}, p50 (processor time)`, `${wallMs.toFixed(2)} ms (${cpuMs.toFixed(2)} ms)`)
}

function* allDocuments(count: number): Generator<SyntheticDocument> {
  for (let number = 0; number < count; number++) yield text.document(number, SECTIONS)
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}
