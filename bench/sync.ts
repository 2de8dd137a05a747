// `npm run bench:sync`: what it costs to bring the embedded database's log to the disk never, within a second, or before
// each commit is acknowledged. All three in one run and in turns, so that they share what else the machine does.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { App } from '../src/http/server.ts'
import { createLog } from '../src/platform/log.ts'
import { type Database, openDatabase } from '../src/platform/postgres/index.ts'

const MODES = ['off', 'second', 'commit'] as const
const ROUNDS = Number(process.argv[2] ?? 3)
const TURNS = 400
const CLIENTS = 8
const UPLOADS = 6
const PASSAGES = 150
const QUESTIONS = ['How do I register?', 'Where is my order?', 'Hello', 'Can I return shoes after a month?']

interface Service {
  mode: (typeof MODES)[number]
  db: Database
  app: App
  turnsPerSecond: number[]
  turnMs: number[]
  passagesPerSecond: number[]
}

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-sync-'))
const log = createLog('silent')
const services: Service[] = []
try {
  for (const mode of MODES) services.push(await start(mode))
  for (let round = 0; round < ROUNDS; round++) {
    for (const service of services) await measure(service, round)
  }
  for (const { mode, turnsPerSecond, turnMs, passagesPerSecond } of services) {
    const [turns, upload] = [median(turnsPerSecond), median(passagesPerSecond)]
    console.info(
      `${mode.padEnd(7)} chat turns/s ${turns.toFixed(0).padStart(5)}   median turn ${median(turnMs).toFixed(1).padStart(6)} ms   ` +
        `upload passages/s ${upload.toFixed(0).padStart(5)}`,
    )
  }
} finally {
  for (const { app, db } of services) {
    await app.close()
    await db.close()
  }
  rmSync(folder, { recursive: true, force: true })
}

async function start(mode: Service['mode']): Promise<Service> {
  const dataDir = join(folder, mode)
  const config = readConfig({}, { DATA_DIR: dataDir, LOG_LEVEL: 'silent', EMBEDDED_SYNC: mode }, '/nonexistent')
  const db = await openDatabase({ dataDir, sync: mode, log })
  const app = await createApp(config, db, log)
  await app.ready()
  return { mode, db, app, turnsPerSecond: [], turnMs: [], passagesPerSecond: [] }
}

async function measure(service: Service, round: number): Promise<void> {
  let began = performance.now()
  for (let i = 0; i < UPLOADS; i++) await upload(service.app, `page-${round}-${i}.md`)
  service.passagesPerSecond.push((UPLOADS * PASSAGES) / secondsSince(began))
  began = performance.now()
  let left = TURNS
  const client = async (number: number): Promise<void> => {
    while (left-- > 0) {
      const startedAt = performance.now()
      const message = `${QUESTIONS[left % QUESTIONS.length]} (${round}-${left})`
      await post(service.app, '/chat', { session_id: `session-${round}-${number}`, message })
      service.turnMs.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
  service.turnsPerSecond.push(TURNS / secondsSince(began))
}

async function upload(app: App, name: string): Promise<void> {
  const parts = Array.from(
    { length: PASSAGES },
    (_, part) => `## ${name} ${part}\n\nPart ${part} of ${name} says ${part * 7}.`,
  )
  const form = new FormData()
  form.set('file', new File([parts.join('\n\n')], name))
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  await post(app, '/knowledge/ingest', Buffer.from(await encoded.arrayBuffer()), headers)
}

async function post(app: App, path: string, payload: object, headers: Record<string, string> = {}): Promise<void> {
  const { statusCode, body } = await app.inject({ method: 'POST', url: `/api/v1${path}`, payload, headers })
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${body}`)
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1_000
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
