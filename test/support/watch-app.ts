import { createTuner, tunerRoutes } from '../../src/features/tuning/index.ts'
import { watchRequests } from '../../src/http/metrics.ts'
import { describeApi } from '../../src/http/openapi.ts'
import { type App, createHttpServer } from '../../src/http/server.ts'
import { createAnalyser } from '../../src/language/words/analyser.ts'
import { type MonitoringModule, openMonitoring, openTelemetry, type Telemetry } from '../../src/modules/monitoring.ts'
import { createLog } from '../../src/platform/log.ts'
import type { Database } from '../../src/platform/postgres/index.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { type Answer, testConfig } from './test-app.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export interface Reply {
  reply: string
}

/** One replica as far as it watches itself: no chat, but whatever a test says that happened. */
export interface WatchApp {
  app: App
  clock: ManualClock
  watch: Telemetry
  watching: MonitoringModule<Reply>
  /** Tells the replica that the knowledge base changed. */
  knowledgeChanged(docId: string): void
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  close(): Promise<void>
}

const analyser = createAnalyser()
const UNCHANGED = { current: () => ({ version: 1 }), onChange() {} }

/** @param register adds routes that stand in for the rest of the service */
export async function createWatchApp(
  db: Database,
  {
    environment = {},
    clock = createManualClock(),
    register = () => {},
  }: {
    environment?: Record<string, string>
    clock?: ManualClock
    register?: (app: App, clock: ManualClock) => void
  } = {},
): Promise<WatchApp> {
  const config = testConfig(environment)
  const log = createLog('silent')
  const watch = openTelemetry({ config, db, clock, version: '1.2.3', log })
  const tuner = await createTuner({ db, log })
  const listeners: ((docId: string) => void)[] = []
  const knowledge = { onChange: (listener: (docId: string) => void) => void listeners.push(listener) }
  const watching = await openMonitoring<Reply>(watch, { tuner, assistant: UNCHANGED, knowledge, analyser })
  const app = createHttpServer({
    logger: log,
    apiKey: config.API_KEY,
    trustProxy: false,
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
  })
  watchRequests(app, watching.beginRequest)
  await describeApi(app, { title: 'test', version: '1.2.3', groups: {} })
  tunerRoutes(app, { tuner })
  watching.routes(app, { keys: {}, latestEvaluation: async () => null })
  register(app, clock)
  await app.ready()
  return {
    app,
    clock,
    watch,
    watching,
    knowledgeChanged: (docId) => {
      for (const listener of listeners) listener(docId)
    },
    async call(method, url, body, headers = {}) {
      const payload = body === undefined ? {} : { payload: body as object }
      const response = await app.inject({ method, url, headers, ...payload })
      return { status: response.statusCode, headers: response.headers, body: parse(response.body) }
    },
    async close() {
      await app.close()
      await tuner.close()
      await watching.close()
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** For the second replica of a test: with connections of its own on a server; an embedded database has but one process. */
export function secondDatabase(database: TestDatabase): Promise<Database> {
  return database.db.kind === 'server' ? database.reopen() : Promise.resolve(database.db)
}

/** Two replicas over one database and one clock. */
export interface WatchPair {
  database: TestDatabase
  db: Database
  clock: ManualClock
  one: WatchApp
  two: WatchApp
  close(): Promise<void>
}

export async function createWatchPair(
  options: Omit<NonNullable<Parameters<typeof createWatchApp>[1]>, 'clock'> = {},
): Promise<WatchPair> {
  const database = await createTestDatabase()
  const clock = createManualClock()
  const one = await createWatchApp(database.db, { ...options, clock })
  const two = await createWatchApp(await secondDatabase(database), { ...options, clock })
  return {
    ...{ database, db: database.db, clock, one, two },
    async close() {
      await one.close()
      await two.close()
      await database.close()
    },
  }
}
