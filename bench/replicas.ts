// What more replicas on one Postgres cost: the same load, of pages of the shop and of the API, on one, two and four, each
// time on a database of its own. Processor time of a request in the services and in Postgres, waits for locks, connections,
// commits, and whether what a person writes on one replica arrives on the others. On one machine more replicas are no
// faster: what each adds to the work is what this tells.
// Run: npm run bench:replicas -- --database URL [--replicas 1 --replicas 2 --replicas 4] [--seconds 60] [--rate 20]
//        [--pages 200] [--clients 32]
// Processor time of Postgres counts where it runs on this machine, on Linux.
import { parseArgs } from 'node:util'
import { type Child, newServerDatabase, type Storage, startChild } from '../test/contract/support/child.ts'
import { noteFigure } from './figures.ts'
import { sampleFiles, uploadTo } from './memory/load.ts'
import { secondsOf } from './process-time.ts'
import { flatOut, heardBy, type Measured, openPages, type Page, steadily } from './replicas/load.ts'
import { type Watched, watchServer } from './replicas/server.ts'
import { percentile } from './retrieval/measure.ts'

const UNLIMITED = { WIDGET_SESSIONS_PER_MINUTE: '0', WIDGET_MESSAGES_PER_MINUTE: '0', WIDGET_REQUESTS_PER_MINUTE: '0' }
/** A process compiles what it is asked for the first time. */
const WARM_UP_SECONDS = 15

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    replicas: { type: 'string', multiple: true, default: ['1', '2', '4'] },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    pages: { type: 'string', default: '200' },
    clients: { type: 'string', default: '32' },
  },
})
const database = values.database ?? process.env.TEST_DATABASE_URL
if (!database) throw new Error('--database must name a Postgres server, or TEST_DATABASE_URL')
const [seconds, rate, clients] = [Number(values.seconds), Number(values.rate), Number(values.clients)]

interface Phase extends Measured, Watched {
  /** Milliseconds of processor time for each request. */
  ownMs: number
}

interface Result {
  replicas: number
  /** At the given rate, and as fast as the clients can. */
  steady: Phase
  pressed: Phase
  heard: number
  residentMb: number
}

const results: Result[] = []
for (const replicas of values.replicas.map(Number)) {
  const storage = await newServerDatabase(database)
  try {
    results.push(await measure(replicas, storage))
  } finally {
    await storage.remove()
  }
}
print()
if (results.some(({ heard, steady }) => heard !== steady.written)) process.exitCode = 1

async function measure(replicas: number, storage: Storage): Promise<Result> {
  const children: Child[] = []
  let pages: Page[] = []
  try {
    // One after the other: the first makes the tables.
    for (let i = 0; i < replicas; i++) children.push(await startChild(storage, { ...UNLIMITED, LOG_LEVEL: 'info' }))
    const origins = children.map(({ origin }) => origin)
    for (const { name, bytes } of sampleFiles()) await uploadTo(origins[0]!, name, bytes)
    pages = await openPages(origins, Number(values.pages))
    await steadily({ origins, pages, rate, seconds: WARM_UP_SECONDS })
    for (const page of pages) page.heard.clear()
    const steady = await watched(children, storage, () => steadily({ origins, pages, rate, seconds }))
    const heard = heardBy(pages)
    const pressed = await watched(children, storage, () => flatOut({ origins, clients, seconds: seconds / 2 }))
    const memory = await Promise.all(children.map((child) => child.memory()))
    return { replicas, steady, pressed, heard, residentMb: Math.max(...memory.map((bytes = 0) => bytes / 2 ** 20)) }
  } finally {
    for (const page of pages) page.close()
    await Promise.all(children.map((child) => child.stop('SIGTERM')))
  }
}

async function watched(children: Child[], storage: Storage, work: () => Promise<Measured>): Promise<Phase> {
  const spent = (): number => children.reduce((sum, { pid }) => sum + secondsOf(pid), 0)
  const server = await watchServer(storage.environment.DATABASE_URL!)
  const before = spent()
  const measured = await work()
  const ownMs = ((spent() - before) * 1_000) / measured.latencies.length
  return { ...measured, ...(await server.stop()), ownMs }
}

function print(): void {
  for (const [name, of] of [
    [`${rate} requests a second`, ({ steady }: Result) => steady],
    [`${clients} clients, as fast as they can, questions never asked before`, ({ pressed }: Result) => pressed],
  ] as const) {
    console.log(`\n${name}`)
    console.log(
      'replicas  requests/s  ms of processor: services + Postgres  commits each  connections  waiting for locks   p50 ms   p95 ms',
    )
    for (const result of results) console.log(line(result.replicas, of(result)))
  }
  for (const { replicas, heard, steady, residentMb } of results) {
    console.log(
      `${replicas} replicas: ${heard} of ${steady.written} messages of a person arrived once; ${residentMb.toFixed(0)} MB the largest`,
    )
  }
  note()
}

function line(replicas: number, phase: Phase): string {
  const { latencies, ownMs, serverSeconds, commits, connections, lockWaits, waitedFor } = phase
  const requests = latencies.length
  return [
    String(replicas).padEnd(8),
    (requests / phase.seconds).toFixed(1).padStart(11),
    `${ownMs.toFixed(2)} + ${((serverSeconds * 1_000) / requests).toFixed(2)}`.padStart(38),
    (commits / requests).toFixed(2).padStart(13),
    String(connections).padStart(12),
    `${(100 * lockWaits).toFixed(1)} %`.padStart(18),
    percentile(latencies, 0.5).toFixed(1).padStart(8),
    percentile(latencies, 0.95).toFixed(1).padStart(8),
    ` ${waitedFor.slice(0, 2).join(', ')}`,
  ].join(' ')
}

function note(): void {
  for (const { replicas, steady, pressed } of results) {
    const each = (phase: Phase): string =>
      `${(phase.ownMs + (phase.serverSeconds * 1_000) / phase.latencies.length).toFixed(1)} ms`
    noteFigure(
      `${replicas} replicas: processor time of a request, steady / pressed`,
      `${each(steady)} / ${each(pressed)}`,
    )
    noteFigure(`${replicas} replicas: connections`, String(pressed.connections))
  }
}
