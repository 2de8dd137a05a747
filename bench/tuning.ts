// How well the built-in cases go, what automatic tuning finds and proves, and what customers notice of the search.
// Run: npm run bench:tuning -- [--data FOLDER …] [--budget N] [--seeds N]
// Without folders: the sample shop and its 30 cases. With them: their questions, each set's answered by its documents,
// and every fourth of them asked of a base that lacks its set, which has no answer.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { demoSettings, loadSample } from '../src/demo.ts'
import type { App } from '../src/http/server.ts'
import { createLog } from '../src/platform/log.ts'
import { openDatabase } from '../src/platform/postgres/index.ts'
import { noteFigure } from './figures.ts'
import { type FaqSet, readSet, repeatsTitles } from './retrieval/data.ts'
import { percentile } from './retrieval/measure.ts'
import { createClient } from './tuning/client.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    budget: { type: 'string', default: '60' },
    seeds: { type: 'string', default: '3' },
  },
})

/** Six of the nine built-in cases in other words than the documents. */
const LEAST_PARAPHRASES = 0.66

interface TestCase {
  query: string
  expected_sources: string[]
  category: string
}

const folder = await mkdtemp(join(tmpdir(), 'frontdesk-tuning-'))
const config = readConfig({ ...demoSettings, LOG_LEVEL: 'silent' }, { DATA_DIR: folder }, '/nonexistent')
const log = createLog('silent')
const db = await openDatabase({ dataDir: folder, log })
const app = await createApp(config, db, log)
const client = createClient(app)
try {
  if (values.data) await searchOn(values.data.map(readSet))
  else await searchOnSample(app)
} finally {
  await app.close()
  await db.close()
  await rm(folder, { recursive: true })
}

async function searchOnSample(on: App): Promise<void> {
  await loadSample(on, '', log)
  const { paraphrase } = await evaluate('builtin')
  if ((paraphrase?.answer_accuracy ?? 0) < LEAST_PARAPHRASES) process.exitCode = 1
  await tune('builtin')
  await measureCustomers('builtin', ['标准快递多久能送到？', 'How do I get an invoice?', '积分什么时候过期？'])
}

async function searchOn(sets: readonly FaqSet[]): Promise<void> {
  const [first, ...others] = sets as [FaqSet, ...FaqSet[]]
  const hidesTitles = repeatsTitles(first)
  for (const { docId, title, text } of first.documents) {
    await client.upload(`${docId}.md`, hidesTitles ? text : `# ${title}\n\n${text}`)
  }
  const cases: TestCase[] = first.queries.map(({ text, relevant }) => ({
    query: text,
    expected_sources: [...relevant].map((docId) => `${docId}.md`),
    category: 'answerable',
  }))
  const foreign = others.flatMap(({ queries }) => queries).filter((_, i) => i % 4 === 0)
  cases.push(...foreign.map(({ text }) => ({ query: text, expected_sources: [], category: 'unanswerable' })))
  await client.uploadTestset('bench', cases)
  console.log(
    `\n# ${first.name}: ${first.documents.length} documents, ${cases.length} cases, ${foreign.length} without an answer`,
  )
  await evaluate('bench')
  await tune('bench')
  await measureCustomers(
    'bench',
    first.queries.slice(0, 20).map(({ text }) => text),
  )
}

type Categories = Record<string, Record<string, number>>

async function evaluate(testset: string): Promise<Categories> {
  const report = await client.post('/api/v1/evaluation/run', { testset })
  const shown = [
    'recall@1',
    'recall@5',
    'recall@10',
    'mrr',
    'hit_rate',
    'answer_accuracy',
    'avg_latency_ms',
    'p95_latency_ms',
  ]
  const [recall, accuracy] = [round(report['recall@5']), round(report.answer_accuracy)]
  noteFigure(`${report.total_queries} cases: recall@5 / right answers`, `${recall} / ${accuracy}`)
  console.log(`\n${report.total_queries} cases: ${shown.map((name) => `${name} ${round(report[name])}`).join(', ')}`)
  const categories: Categories = report.by_category
  for (const [category, figures] of Object.entries(categories)) {
    noteFigure(`${testset}, ${category}: right answers`, round(figures.answer_accuracy))
    console.log(`  ${category}: recall@5 ${round(figures['recall@5'])}, answers ${round(figures.answer_accuracy)}`)
  }
  if (report.total_queries > 50) return categories
  for (const { query, queries, rank, confidence, retrieved, hit, answer_correct } of report.cases) {
    if (hit && answer_correct) continue
    const best = retrieved[0] ? `${retrieved[0].source} ${round(retrieved[0].score)}` : 'nothing'
    console.log(`  wrong: ${query} | searched: ${queries.join(' + ')} | rank ${rank}, ${confidence}, best ${best}`)
  }
  return categories
}

async function tune(testset: string): Promise<void> {
  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    const start = performance.now()
    const found = await client.post('/api/v1/tuner/auto', { testset, seed, budget: Number(values.budget), wait: true })
    const { current, best, difference, candidates_tried: tried } = found
    const changes = Object.entries<{ from: number; to: number }>(best.changes)
    console.log(
      `\nseed ${seed}: ${tried} tried in ${((performance.now() - start) / 1000).toFixed(1)} s on ${found.train_cases} cases, proven on ${found.held_out_cases}\n` +
        `  trained ${round(current.train.score)} → ${round(best.train.score)}, held out ${round(current.held_out.score)} → ${round(best.held_out.score)}\n` +
        `  difference ${round(difference.mean)} [${round(difference.low)}, ${round(difference.high)}]: ${found.verdict}\n` +
        `  ${changes.map(([name, { from, to }]) => `${name} ${from} → ${to}`).join(', ') || 'no changes'}`,
    )
  }
}

/** How long chat takes while nothing else runs, and while a search does. */
async function measureCustomers(testset: string, messages: readonly string[]): Promise<void> {
  const ask = async (isOver: () => boolean): Promise<number[]> => {
    const times: number[] = []
    for (let i = 0; !isOver(); i++) {
      const start = performance.now()
      await client.post('/api/v1/chat', { message: messages[i % messages.length] })
      times.push(performance.now() - start)
    }
    return times
  }
  let count = 0
  const alone = await ask(() => count++ >= 200)
  let isRunning = true
  const search = client
    .post('/api/v1/tuner/auto', { testset, budget: Number(values.budget), wait: true })
    .finally(() => {
      isRunning = false
    })
  const beside = await ask(() => !isRunning)
  await search
  const figures = (times: number[]): string =>
    `p50 ${round(percentile(times, 0.5))} ms, p95 ${round(percentile(times, 0.95))} ms`
  console.log(`\nchat alone: ${figures(alone)}; while a search runs: ${figures(beside)} (${beside.length} turns)`)
}

function round(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : value.toFixed(3)
}
