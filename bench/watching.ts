// What watching costs: `npm run bench:watching`. Embedded database, or the server named by TEST_DATABASE_URL.
import { sql } from 'kysely'
import { createAnalyser } from '../src/language/words/analyser.ts'
import { createManualClock } from '../test/support/manual-clock.ts'
import { createTestDatabase } from '../test/support/test-database.ts'
import { span, trace } from '../test/support/traces.ts'
import { createWatchApp } from '../test/support/watch-app.ts'
import { noteFigure } from './figures.ts'

const TRACES = 50_000
const MESSAGES = 20_000
const database = await createTestDatabase()
const { db } = database
const clock = createManualClock()
const replica = await createWatchApp(db, { clock })
const { watching, watch } = replica

const text = 'Goods may be returned within 14 days of delivery if they are unused. '.repeat(8)
const spans = [
  span({ agent: 'router', input: text, output: text }),
  span({ agent: 'knowledge', input: text, output: text }),
  span({ agent: 'knowledge', type: 'retrieval', input: text, output: text }),
  span({ agent: 'composer', input: text, output: text }),
  span({ agent: 'composer', type: 'model', input: text, output: text }),
]

await report('taking a trace, on the path of the reply', 1_000, () => watching.traces.record(trace({ spans })))
const storing = performance.now()
await watch.monitoring.flush()
print('storing a trace of 5 steps, in the background', (performance.now() - storing) / 1_000)

await sql`insert into traces (trace_id, session_id, channel, status, intent, started_at, duration_ms, steps, sub_tasks)
  select 'x' || i, 's' || i / 5, 'web', 'ok', 'faq', ${new Date(clock.now())}::timestamptz + i * interval '1 second',
    random() * 1000, ${JSON.stringify(Array(5).fill({ input: text, output: text }))}::jsonb, '[]'
  from generate_series(1, ${TRACES}) i`.execute(db.executor)
await sql`insert into chat_sessions (session_id, channel, turn_count) select 's' || i, 'web', 3
  from generate_series(1, 5000) i`.execute(db.executor)
await sql`insert into chat_messages (message_id, session_id, role, content)
  select 'm' || i, 's' || 1 + i % 5000, case when i % 2 = 0 then 'user' else 'assistant' end,
    'How do I return item ' || (random() * 300)::int from generate_series(1, ${MESSAGES}) i`.execute(db.executor)
await sql`analyze`.execute(db.executor)
clock.advance(TRACES * 1_000)

const get = (path: string) => () => replica.call('GET', `/api/v1${path}`)
await report(`overview of ${TRACES} traces`, 10, get('/monitor/overview'))
await report('the newest 50 traces', 20, get('/monitor/traces'))
await report('agents', 20, get('/monitor/agents'))
await report(`dashboard over ${MESSAGES} messages`, 5, get('/operations/dashboard?force_refresh=true'))
await report('performance metrics', 20, get('/performance/metrics'))
await report('an evaluation of the alert rules', 5, async () => {
  clock.advance(60_000)
  await watching.evaluate()
})

const question = { text: 'How do I return an item that I bought last week?', scope: 'en' }
const claim = await watching.replyCache.claim(question)
if (claim.kind === 'compute') claim.keep({ reply: text })
await report('a hit of the reply cache, its check against the database included', 500, () =>
  watching.replyCache.claim(question),
)
await replica.close()
await database.close()
simulateClearing()

async function report(what: string, times: number, work: () => unknown): Promise<void> {
  await work()
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    await work()
    took.push(performance.now() - start)
  }
  took.sort((a, b) => a - b)
  const [p50, p95] = [0.5, 0.95].map((share) => took[Math.floor(share * (took.length - 1))] as number)
  print(what, p50 as number, p95)
}

function print(what: string, ms: number, p95?: number): void {
  const rest = p95 === undefined ? '' : `  p95 ${p95.toFixed(3)} ms`
  noteFigure(what, `${ms.toFixed(3)} ms`)
  console.log(`${what.padEnd(72)} ${ms.toFixed(3)} ms${rest}`)
}

/**
 * How many questions the cache answers when every change of the knowledge base drops everything, beside a cache that
 * drops only what shares a word with the changed document: 1 question a second for a day, drawn by Zipf's law from 2,000.
 */
function simulateClearing(): void {
  const analyser = createAnalyser()
  const subjects = Array.from({ length: 2_000 }, (_, i) => new Set(analyser.queryTerms(`topic${i % 250} detail${i}`)))
  const weights = subjects.map((_, i) => 1 / (i + 1))
  const whole = weights.reduce((a, b) => a + b)
  for (const changesPerDay of [0, 10, 100, 1_440]) {
    const rates = [true, false].map((isWhole) => simulateDay(changesPerDay, isWhole, subjects, weights, whole))
    const [all, finer] = rates.map((rate) => `${(rate * 100).toFixed(1)} %`)
    console.log(
      `${changesPerDay} changes a day: hit rate ${all} dropping everything, ${finer} dropping what shares a word`,
    )
  }
}

function simulateDay(
  changesPerDay: number,
  isWhole: boolean,
  subjects: Set<string>[],
  weights: number[],
  whole: number,
): number {
  const ttlSeconds = 300
  let seed = 1
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const cached = new Map<number, number>()
  let hits = 0
  for (let second = 0; second < 86_400; second++) {
    if (random() < changesPerDay / 86_400) {
      const changed = `topic${Math.floor(random() * 250)}`
      for (const question of cached.keys()) {
        if (isWhole || subjects[question]?.has(changed)) cached.delete(question)
      }
    }
    const question = draw(random() * whole, weights)
    const until = cached.get(question) ?? 0
    if (until > second) hits += 1
    else cached.set(question, second + ttlSeconds)
  }
  return hits / 86_400
}

function draw(point: number, weights: number[]): number {
  let rest = point
  for (const [i, weight] of weights.entries()) {
    rest -= weight
    if (rest < 0) return i
  }
  return weights.length - 1
}
