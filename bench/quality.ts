// How long the quality check takes over a large knowledge base, and what of known faults it finds.
// Run: npm run bench:quality -- [chunks, default 100000] [seed]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { QualityReport } from '../src/features/knowledge/index.ts'
import { insertChunks, insertVersion, lockDocument, saveDocument } from '../src/features/knowledge/queries.ts'
import { encodeFeatures, indexTerms } from '../src/features/knowledge/retrieval/ranking/chunk-features.ts'
import { createAnalyser } from '../src/language/words/analyser.ts'
import { type Database, openDatabase } from '../src/platform/postgres/index.ts'
import { noteFigure } from './figures.ts'
import { createCorpus, type Passage } from './quality/corpus.ts'
import { knowledgeOver } from './scale/knowledge.ts'

const METADATA = { knowledgeType: 'doc', productCategory: 'unknown', applicableVersion: 'latest', publishedAt: null }
const log = { info: () => {}, warn: () => {}, fatal: () => {} }
const analyser = createAnalyser()

const count = Number(process.argv[2] ?? 100_000)
const corpus = createCorpus(count, Number(process.argv[3] ?? 1))
const folder = await mkdtemp(join(tmpdir(), 'frontdesk-quality-'))
try {
  const db = await openDatabase({ dataDir: folder, log })
  await timed(`${count} passages stored`, () => store(db))
  const report = await check(db)
  judge(report, await readNumbers(db))
  await db.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Stores the passages without vectors, which the check does not read. */
async function store(db: Database): Promise<void> {
  for (const [docId, numbers] of Map.groupBy(corpus.keys(), (i) => corpus[i]!.docId)) {
    const chunks = numbers.map((i, ordinal) => prepare(corpus[i]!, i, ordinal))
    await db.transaction(async (trx) => {
      await lockDocument(trx, { docId, source: docId, filePath: null })
      const version = { docId, versionNo: 1, docHash: docId, chunkCount: chunks.length, status: 'active' as const }
      await insertVersion(trx, { ...version, ...METADATA, language: null })
      await insertChunks(trx, { docId, versionNo: 1, collection: 'main' }, chunks)
      await saveDocument(trx, { docId, registered: true, status: 'active', lastVersion: 1, audience: 'customers' })
    })
  }
}

/** Which passage each chunk is. */
async function readNumbers(db: Database): Promise<(chunkId: number | null) => Passage> {
  const { rows } = await sql<{ chunkId: number; number: string }>`
    select chunk_id as "chunkId", metadata->>'number' as number from knowledge_chunks`.execute(db.executor)
  const numbers = new Map(rows.map(({ chunkId, number }) => [chunkId, Number(number)]))
  return (chunkId) => corpus[numbers.get(chunkId ?? 0) ?? -1]!
}

function prepare(passage: Passage, number: number, ordinal: number) {
  const { title, headingPath, question, content } = passage
  const text = { title, headingPath, question, content }
  const searchText = indexTerms(text, analyser).join(' ')
  const features = encodeFeatures(text, analyser)
  return {
    ...text,
    ordinal,
    kind: 'text' as const,
    page: null,
    metadata: { number: String(number) },
    searchText,
    features,
    embeddings: [],
  }
}

async function check(db: Database): Promise<QualityReport> {
  const knowledge = await knowledgeOver(db)
  await knowledge.settled()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 100)
  delay.enable()
  const cpu = process.cpuUsage()
  const report = await timed('checked', () => knowledge.checkQuality({ source: null, docId: null }))
  const { user, system } = process.cpuUsage(cpu)
  delay.disable()
  clearInterval(watch)
  await knowledge.close()
  const longest = (delay.max / 1e6).toFixed(0)
  const usual = (delay.percentile(99) / 1e6).toFixed(0)
  noteFigure(
    `quality check of ${count.toLocaleString('en')} passages, processor time`,
    `${((user + system) / 1e6).toFixed(1)} s`,
  )
  console.log(`  ${((user + system) / 1e6).toFixed(1)} s of processor time, all threads together`)
  console.log(`  requests waited ${usual} ms at p99 and ${longest} ms at the longest`)
  console.log(`  ${((peak - before) / 1e6).toFixed(0)} MB more memory at the peak`)
  return report
}

/** Compares the findings with what is known of the passages. */
function judge(report: QualityReport, passageOf: (chunkId: number | null) => Passage): void {
  const duplicates = report.duplicates.map((each) => [
    passageOf(each.chunk.chunkId),
    passageOf(each.duplicateOf.chunkId),
  ])
  const conflicts = report.conflicts.map((each) => [passageOf(each.a.chunkId), passageOf(each.b.chunkId)])
  print('near duplicates', {
    planted: corpus.filter(({ planted }) => planted?.duplicateOf !== undefined),
    reported: duplicates,
    isRight: ([a, b]) => a?.original === b?.original,
  })
  print('conflicts', {
    planted: corpus.filter(({ planted }) => planted?.conflictsWith !== undefined),
    reported: conflicts,
    isRight: ([a, b]) => a?.matter === b?.matter && a?.value !== b?.value,
  })
}

function print(
  name: string,
  findings: { planted: readonly Passage[]; reported: readonly Passage[][]; isRight: (pair: Passage[]) => boolean },
): void {
  const { planted, reported, isRight } = findings
  const named = new Set(reported.flat())
  const found = planted.filter((passage) => named.has(passage))
  const right = reported.filter(isRight)
  console.log(
    `${name}: recall ${share(found.length, planted.length)}, precision ${share(right.length, reported.length)}`,
  )
  noteFigure(
    `${name} found / rightly`,
    `${share(found.length, planted.length)} / ${share(right.length, reported.length)}`,
  )
  for (const [kind, group] of Map.groupBy(planted, (passage) => passage.planted!.kind)) {
    console.log(`  ${kind}: ${share(group.filter((passage) => named.has(passage)).length, group.length)}`)
  }
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  noteFigure(`quality: ${what} in`, `${((performance.now() - start) / 1000).toFixed(1)} s`)
  console.log(`${what} in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}
