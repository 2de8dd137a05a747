// How long after the model sent its first token a customer gets it: over real HTTP, from a scripted model through the
// whole program to a client, all three in processes of their own.
// Run: npm run bench:first-token -- [--streams 200] [--clients 2]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { noteFigure } from './figures.ts'
import { startService } from './first-token/service.ts'
import { percentile } from './retrieval/measure.ts'

const LIMIT_MS = 50
const WARM_UP = 20

const { values } = parseArgs({
  options: { streams: { type: 'string', default: '200' }, clients: { type: 'string', default: '2' } },
})
const streams = Number(values.streams)
const folder = await mkdtemp(join(tmpdir(), 'frontdesk-first-token-'))
const model = fork(new URL('./first-token/model.ts', import.meta.url))
const [{ url }] = (await once(model, 'message')) as [{ url: string }]
const sentAt = new Map<string, number>()
model.on('message', ({ mark, at }: { mark: string; at: number }) => sentAt.set(mark, at))
const service = await startService(folder, url)
try {
  const times = await measure()
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1))
  const longest = Math.max(...times)
  console.log(`${times.length} streams, ${values.clients} at a time: from the model's first token to the customer's`)
  console.log(`p50 ${p50} ms   p95 ${p95} ms   p99 ${p99} ms   max ${longest.toFixed(1)} ms   (aim: ${LIMIT_MS} ms)`)
  printHistogram(times)
  noteFigure("from the model's first token to the customer's, p50 / p95", `${p50} / ${p95} ms`)
  if (percentile(times, 0.99) > LIMIT_MS) process.exitCode = 1
} finally {
  await service.stop()
  model.kill()
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const work = async (): Promise<void> => {
    while (next < streams + WARM_UP) {
      const number = next++
      const mark = `parcel-${number}`
      const read = await firstToken(mark)
      const sent = sentAt.get(mark)
      if (number >= WARM_UP && sent !== undefined) times.push(read - sent)
    }
  }
  await Promise.all(Array.from({ length: Number(values.clients) }, work))
  return times
}

/** When the first words of the reply were read, in milliseconds of the machine's clock, which all processes share. */
async function firstToken(mark: string): Promise<number> {
  const response = await fetch(`${service.url}/api/v1/chat/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: `Until when may I return goods? It is about ${mark}.` }),
  })
  let at: number | undefined
  let seen = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    seen += decoder.decode(bytes, { stream: true })
    if (at === undefined && seen.includes('event: token')) at = performance.timeOrigin + performance.now()
  }
  if (at === undefined) throw new Error(`No token came: ${seen}`)
  return at
}

function printHistogram(times: readonly number[]): void {
  const bounds = [1, 2, 5, 10, 20, 50, Number.POSITIVE_INFINITY]
  let low = 0
  for (const high of bounds) {
    const count = times.filter((ms) => ms >= low && ms < high).length
    console.log(
      `${`< ${high} ms`.padStart(14)} ${String(count).padStart(5)} ${'#'.repeat((60 * count) / times.length)}`,
    )
    low = high
  }
}
