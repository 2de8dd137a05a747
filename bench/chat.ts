// How fast chat answers without a model, from the cache and not, beside a bare Fastify route that returns the same
// bytes, and beside the search that an answer needs. Embedded database, or the server named by TEST_DATABASE_URL.
// Run: npm run bench:chat -- [--chunks 20000] [--clients 1,4,16,64] [--seconds 3] [--folder DIR]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { Load, Measured } from './chat/client.ts'
import { type Service, startBare, startService } from './chat/service.ts'
import { noteFigure } from './figures.ts'
import { percentile } from './retrieval/measure.ts'
import { withFolder } from './scale/knowledge.ts'
import { createText, queryFrom } from './scale/text.ts'

const SECTIONS = 40
const QUERY_WORDS = 8
const COMPARISONS = 20
const PER_COMPARISON = 20
/** A service that has run for a minute: before that, Node still compiles what a turn calls, and a search calls less. */
const WARM_UP_ROUNDS = 40
const ROUNDS = 3
const CACHED_QUESTIONS = 20
/** A reply reads the section that its passage stands in and weighs which part answers, which a search does not. */
const AIM_OVER_RETRIEVAL = 2.5
const AIM_OF_BARE = 0.2
const METADATA = { knowledgeType: 'doc', productCategory: 'unknown', applicableVersion: 'latest', publishedAt: null }

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '1,4,16,64' },
    seconds: { type: 'string', default: '3' },
    /** Keeps the database there, and measures the one that is there already. */
    folder: { type: 'string' },
  },
})
const documents = Math.ceil(Number(values.chunks) / SECTIONS)
const levels = values.clients.split(',').map(Number)
const seconds = Number(values.seconds)
const text = createText()
let asked = 0
let current = text.document(0, SECTIONS)

await withFolder(values.folder, async (folder) => {
  const service = await startService(folder, process.env.TEST_DATABASE_URL)
  const client = fork(new URL('./chat/client.ts', import.meta.url))
  try {
    await load(service)
    await measure(service, (request) => send(client, request))
  } finally {
    client.kill()
    await service.close()
  }
})

type Send = (load: Omit<Load, 'path'>) => Promise<Measured>

async function measure(service: Service, send: Send): Promise<void> {
  console.log(`${Number(values.chunks).toLocaleString('en')} passages, no model`)
  const cached = await cachedQuestions(service)
  const answer = await ask(service, cached[0] as string)
  const bare = await startBare(answer)
  const { port } = service
  const times = await compareWithRetrieval(service, send)
  console.log(`\nclients                     p50 ms   p99 ms    req/s   (answers of ${answer.length} bytes)`)
  const shares: number[] = []
  for (const clients of levels) {
    const load = { bodies: cached.map(bodyOf), clients, seconds: seconds / ROUNDS, once: false }
    const plain: WithCpu[] = []
    const hits: WithCpu[] = []
    // In turns, so that what else the machine does weighs on both.
    for (let round = 0; round < ROUNDS; round++) {
      plain.push(await withCpu(send({ ...load, port: bare.port })))
      hits.push(await withCpu(send({ ...load, port })))
    }
    const bareRate = report('bare Fastify', clients, plain)
    const cachedRate = report('chat, cached', clients, hits)
    const fresh = Array.from({ length: 1_000 }, nextQuestion).map(bodyOf)
    report('chat, uncached', clients, [await withCpu(send({ port, bodies: fresh, clients, seconds, once: true }))])
    console.log(`${''.padEnd(22)}cached is ${(cachedRate / bareRate).toFixed(3)} of bare\n`)
    shares.push(cachedRate / bareRate)
  }
  await bare.close()
  await reportTraces(service)
  conclude(times.chat / times.retrieval, Math.max(...shares))
}

/** Searches and uncached questions in turns, one at a time; both p50 in milliseconds. */
async function compareWithRetrieval({ knowledge, port }: Service, send: Send) {
  const retrieval: number[] = []
  const chat: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + COMPARISONS; round++) {
    const searched: number[] = []
    for (let i = 0; i < PER_COMPARISON; i++) {
      const query = nextQuestion()
      const start = performance.now()
      await knowledge.search({ query })
      searched.push(performance.now() - start)
    }
    const bodies = Array.from({ length: PER_COMPARISON }, nextQuestion).map(bodyOf)
    const answered = await send({ port, bodies, clients: 1, seconds: 60, once: true })
    if (round >= WARM_UP_ROUNDS) {
      retrieval.push(...searched)
      chat.push(...answered.latencies)
    }
  }
  const p50 = { retrieval: percentile(retrieval, 0.5), chat: percentile(chat, 0.5) }
  console.log(
    `one after the other: retrieval p50 ${p50.retrieval.toFixed(2)} ms, chat uncached ${p50.chat.toFixed(2)} ms`,
  )
  return p50
}

/** Questions whose answers were sure enough to be kept, and are. */
async function cachedQuestions(service: Service): Promise<string[]> {
  const questions: string[] = []
  for (let tries = 0; questions.length < CACHED_QUESTIONS && tries < 500; tries++) {
    const question = nextQuestion()
    await ask(service, question)
    if (JSON.parse(await ask(service, question)).data.mode === 'cached') questions.push(question)
  }
  if (questions.length === 0) throw new Error('No question was answered from the cache')
  return questions
}

/** Words of a passage as they stand there, of another passage each time. */
function nextQuestion(): string {
  const number = asked++
  if (number % SECTIONS === 0) current = text.document(((number / SECTIONS) * 7) % documents, SECTIONS)
  return queryFrom(current, (number * 11) % SECTIONS, QUERY_WORDS)
}

function bodyOf(message: string): string {
  return JSON.stringify({ message })
}

async function ask({ port }: Service, message: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${port}/api/v1/chat`
  return (await fetch(url, { method: 'POST', headers, body: bodyOf(message) })).text()
}

async function send(client: ReturnType<typeof fork>, load: Omit<Load, 'path'>): Promise<Measured> {
  client.send({ ...load, path: '/api/v1/chat' } satisfies Load)
  const [measured] = (await once(client, 'message')) as [Measured]
  return measured
}

interface WithCpu extends Measured {
  /** Of this process, all its threads, in milliseconds. */
  cpuMs: number
}

async function withCpu(measuring: Promise<Measured>): Promise<WithCpu> {
  const before = process.cpuUsage()
  const measured = await measuring
  const { user, system } = process.cpuUsage(before)
  return { ...measured, cpuMs: (user + system) / 1_000 }
}

/** Prints a line of the table; returns the requests per second. */
function report(name: string, clients: number, rounds: readonly WithCpu[]): number {
  const sum = (value: (round: WithCpu) => number): number => rounds.reduce((total, round) => total + value(round), 0)
  const latencies = rounds.flatMap((round) => round.latencies)
  const rate = latencies.length / sum((round) => round.seconds)
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  const columns = [p50.toFixed(2).padStart(9), p99.toFixed(2).padStart(9), rate.toFixed(0).padStart(9)]
  const cpu = `CPU ${(sum(({ cpuMs }) => cpuMs) / latencies.length).toFixed(3)} ms each`
  const failures = sum((round) => round.failures)
  console.log(
    `${String(clients).padStart(3)} ${name.padEnd(18)}${columns.join('')}   ${cpu}${failures ? `, ${failures} FAILED` : ''}`,
  )
  noteFigure(
    `${name}, ${clients} clients, p50 / p99`,
    `${p50.toFixed(2)} / ${p99.toFixed(2)} ms, ${rate.toFixed(0)} a second`,
  )
  return rate
}

/** Stored and traced as always: what was answered is what is there. */
async function reportTraces({ app }: Service): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const overview = await app.inject({ method: 'GET', url: '/api/v1/monitor/overview', headers })
  const metrics = await app.inject({ method: 'GET', url: '/metrics' })
  const dropped = metrics.body.split('\n').filter((line) => /dropped/.test(line) && !line.startsWith('#'))
  console.log(`traces stored: ${overview.json().total_traces}; ${dropped.join('; ')}`)
}

/** @param ofBare at the number of clients that suits it best, both asked by as many in turns */
function conclude(overRetrieval: number, ofBare: number): void {
  console.log(
    `uncached chat takes ${overRetrieval.toFixed(2)} times the retrieval (aim: at most ${AIM_OVER_RETRIEVAL})`,
  )
  console.log(`cached chat does ${ofBare.toFixed(3)} of the bare route's throughput (aim: at least ${AIM_OF_BARE})`)
  noteFigure('chat uncached, beside the retrieval alone (p50)', `${overRetrieval.toFixed(2)} times`)
  noteFigure('chat cached, of a bare Fastify route', `${(100 * ofBare).toFixed(1)} %`)
  if (overRetrieval > AIM_OVER_RETRIEVAL || ofBare < AIM_OF_BARE) process.exitCode = 1
}

async function load({ knowledge }: Service): Promise<void> {
  const before = await knowledge.stats()
  for (let number = before.documents; number < documents; number++) {
    const bytes = Buffer.from(text.document(number, SECTIONS).markdown)
    await knowledge.ingest({ bytes, source: `${number}.md`, register: false, metadata: METADATA })
  }
}
