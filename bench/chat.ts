// How fast chat answers without a model, from the cache and not, beside a bare Fastify route that returns the same
// bytes, and beside the search that an answer needs. Embedded database, or the server named by TEST_DATABASE_URL.
// Run: npm run bench:chat -- [--chunks 20000] [--clients 1,4,16,64] [--seconds 3] [--folder DIR]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { Load, Measured } from './chat/client.ts'
import { type Service, startBare, startService } from './chat/service.ts'
import { percentile } from './retrieval/measure.ts'
import { openKnowledge, withFolder } from './scale/knowledge.ts'
import { createText, queryFrom } from './scale/text.ts'

const SECTIONS = 40
const QUERY_WORDS = 8
const RETRIEVALS = 200
const CACHED_QUESTIONS = 20
const WARM_UP_SECONDS = 1
const AIM_OVER_RETRIEVAL = 2
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

await withFolder(values.folder, async (folder) => {
  await load(folder)
  const service = await startService(folder, process.env.TEST_DATABASE_URL)
  const client = fork(new URL('./chat/client.ts', import.meta.url))
  try {
    await measure(service, (request) => send(client, request))
  } finally {
    client.kill()
    await service.close()
  }
})

type Send = (load: Omit<Load, 'path'>) => Promise<Measured>

async function measure(service: Service, send: Send): Promise<void> {
  console.log(`${Number(values.chunks).toLocaleString('en')} passages, no model\n`)
  const retrieval = await measureRetrieval(service)
  console.log(`retrieval alone, one after the other: p50 ${retrieval.toFixed(2)} ms\n`)
  const cached = await cachedQuestions(service)
  const answer = await ask(service, cached[0] as string)
  const bare = await startBare(answer)
  const port = service.port
  const bodies = cached.map(bodyOf)
  await send({ port, bodies, clients: 4, seconds: WARM_UP_SECONDS, once: false })
  await send({ port: bare.port, bodies, clients: 4, seconds: WARM_UP_SECONDS, once: false })
  console.log(`clients                     p50 ms   p99 ms    req/s   (answers of ${answer.length} bytes)`)
  const rates: Record<string, number[]> = { bare: [], cached: [], uncached: [] }
  let uncachedP50 = 0
  for (const clients of levels) {
    const plain = await report(
      'bare Fastify',
      clients,
      send({ port: bare.port, bodies, clients, seconds, once: false }),
    )
    const hits = await report('chat, cached', clients, send({ port, bodies, clients, seconds, once: false }))
    const fresh = Array.from({ length: 2_000 }, nextQuestion).map(bodyOf)
    const misses = await report('chat, uncached', clients, send({ port, bodies: fresh, clients, seconds, once: true }))
    if (uncachedP50 === 0) uncachedP50 = misses.p50
    rates.bare?.push(plain.rate)
    rates.cached?.push(hits.rate)
    console.log(`${''.padEnd(22)}cached is ${(hits.rate / plain.rate).toFixed(3)} of bare\n`)
  }
  await bare.close()
  await reportTraces(service)
  conclude(uncachedP50 / retrieval, Math.max(...(rates.cached ?? [])) / Math.max(...(rates.bare ?? [])))
}

async function measureRetrieval({ knowledge }: Service): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < RETRIEVALS + 30; i++) {
    const query = nextQuestion()
    const start = performance.now()
    await knowledge.search({ query })
    times.push(performance.now() - start)
  }
  return percentile(times.slice(30), 0.5)
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
  const document = text.document((number * 7) % documents, SECTIONS)
  return queryFrom(document, (number * 11) % SECTIONS, QUERY_WORDS)
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

async function report(name: string, clients: number, measuring: Promise<Measured>) {
  const cpuBefore = process.cpuUsage()
  const { latencies, seconds: took, failures } = await measuring
  const { user, system } = process.cpuUsage(cpuBefore)
  const rate = latencies.length / took
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)]
  const columns = [p50.toFixed(2).padStart(9), p99.toFixed(2).padStart(9), rate.toFixed(0).padStart(9)]
  const cpu = `CPU ${((user + system) / 1_000 / latencies.length).toFixed(3)} ms each`
  const failed = failures > 0 ? `, ${failures} FAILED` : ''
  console.log(`${String(clients).padStart(3)} ${name.padEnd(18)}${columns.join('')}   ${cpu}${failed}`)
  return { p50, rate }
}

/** Stored and traced as always: what was answered is what is there. */
async function reportTraces({ app }: Service): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const overview = await app.inject({ method: 'GET', url: '/api/v1/monitor/overview', headers })
  const metrics = await app.inject({ method: 'GET', url: '/metrics' })
  const dropped = metrics.body.split('\n').filter((line) => /dropped/.test(line) && !line.startsWith('#'))
  console.log(`traces stored: ${overview.json().total_traces}; ${dropped.join('; ')}`)
}

function conclude(overRetrieval: number, ofBare: number): void {
  console.log(
    `uncached chat takes ${overRetrieval.toFixed(2)} times the retrieval (aim: at most ${AIM_OVER_RETRIEVAL})`,
  )
  console.log(`cached chat does ${ofBare.toFixed(3)} of the bare route's throughput (aim: at least ${AIM_OF_BARE})`)
  if (overRetrieval > AIM_OVER_RETRIEVAL || ofBare < AIM_OF_BARE) process.exitCode = 1
}

async function load(folder: string): Promise<void> {
  const { knowledge, close } = await openKnowledge(folder)
  const before = await knowledge.stats()
  for (let number = before.documents; number < documents; number++) {
    const bytes = Buffer.from(text.document(number, SECTIONS).markdown)
    await knowledge.ingest({ bytes, source: `${number}.md`, register: false, metadata: METADATA })
  }
  await close()
}
