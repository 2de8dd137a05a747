import { flushCompileCache } from 'node:module'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, givenNames, readConfig, readEnvironment, SettingsError } from './config.ts'
import { demoSettings, loadSample, showShop } from './demo.ts'
import type { App } from './http/server.ts'
import { AppError } from './kernel/errors.ts'
import { isLoopback } from './kernel/hosts.ts'
import { createLog } from './platform/log.ts'
import { type Database, openDatabase } from './platform/postgres/index.ts'
import { releaseMemory } from './platform/release-memory.ts'
import { beginCompiled, hasCompiled } from './small-process.ts'
import { findMissingRoots, findUnknownNames, readReferences, refuseWrongSettings } from './starting-checks.ts'

/** A second Ctrl-C after this long is meant. */
const IMPATIENT_AFTER_MS = 1_500
/** For telling those who wait that the database is gone. */
const LAST_ANSWERS_MS = 500

/** Runs the program until it is told to stop. Ends the process with 1 and a message for the operator when it cannot. */
export async function start(): Promise<void> {
  await run().catch((error: unknown) => {
    for (const line of explain(error)) process.stderr.write(`Frontdesk cannot start: ${line}\n`)
    process.exit(1)
  })
}

async function run(): Promise<void> {
  const demo = process.argv.includes('--demo')
  const config = readConfig(demo ? demoSettings : {})
  refuseWrongSettings(config)
  if (demo && config.API_KEY === '' && !config.isKeyless) {
    throw new SettingsError([
      'API_KEY is empty while API_KEYS_FILE is set: the demo needs a key of its own to load what it shows',
    ])
  }
  const log = createLog(config.LOG_LEVEL)
  warnOfSettings(config, log)
  if (hasCompiled(process)) {
    await compile()
    beginCompiled(process)
  }
  const opening = open(config, log)
  // The embedded database opens on a thread of its own, meanwhile this one loads the rest of the program. A server's
  // answers would wait for that, and the time limit for them would not.
  if (config.DATABASE_URL !== '') await opening
  const [db, { createApp }] = await Promise.all([opening, import('./app.ts')])
  // Of an update perhaps the rest alone was compiled.
  if (hasCompiled(process)) {
    await db.close()
    beginCompiled(process)
  }
  const app = await createApp(config, db, log)
  stopOnSignal(config, app, db, log)
  // A port that the system chooses is known too late for the documents' addresses.
  const shop = config.PORT === 0 ? undefined : `http://127.0.0.1:${config.PORT}`
  const documents = demo ? await loadSample(app, config.API_KEY, log, shop) : []
  const address = await app.listen({ port: config.PORT, host: config.host }).catch(async (error: unknown) => {
    await app.close()
    await db.close()
    throw error
  })
  await listenInPublic(config, app, log).catch(async (error: unknown) => {
    await app.close()
    await db.close()
    throw error
  })
  if (demo) {
    const { port } = new URL(address)
    await showShop(app, config.API_KEY, [`http://127.0.0.1:${port}`, `http://localhost:${port}`], documents)
    log.info({ demo: `${address}/demo` }, 'The sample shop has a page with the widget on it')
  }
  flushCompileCache()
  releaseMemory()
  announce(config, address, log)
}

/** Loads the program, and what it compiles for that is kept. Opens nothing. */
export async function compile(): Promise<void> {
  await import('./app.ts')
  // They refuse to run outside of a thread, once they are compiled.
  await import('./platform/postgres/embedded-worker.ts').catch(() => {})
  await import('./platform/postgres/embedded-syncer.ts').catch(() => {})
  flushCompileCache()
}

/** The second listener, for the internet. */
async function listenInPublic({ PUBLIC_PORT, PUBLIC_HOST }: Config, app: App, log: FastifyBaseLogger): Promise<void> {
  const { publicServer } = app
  if (!publicServer) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  publicServer.once('error', reject).listen(PUBLIC_PORT, PUBLIC_HOST || '0.0.0.0', resolve)
  await promise
  log.info({ port: PUBLIC_PORT }, 'Widgets and channels are reached at PUBLIC_PORT, and nothing else')
}

function open(config: Config, log: FastifyBaseLogger): Promise<Database> {
  return openDatabase({
    databaseUrl: config.DATABASE_URL || undefined,
    dataDir: config.DATA_DIR,
    sync: config.EMBEDDED_SYNC,
    buffersMb: config.EMBEDDED_BUFFERS_MB,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    log,
    onCrash: (error) => {
      log.fatal({ err: error }, 'The embedded database stopped')
      setTimeout(() => process.exit(1), LAST_ANSWERS_MS)
    },
  })
}

function stopOnSignal(config: Config, app: App, db: Database, log: FastifyBaseLogger): void {
  const { close } = closeWithGrace(
    { delay: config.SHUTDOWN_TIMEOUT_MS, logger: log, skip: ['SIGINT'] },
    async ({ err }) => {
      if (err) log.fatal({ err }, 'Stopping after an unexpected error')
      else log.info('Stopping: finishing running requests')
      await app.close()
      await db.close()
    },
  )
  onInterrupt(close)
}

/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: the same one arrives twice and means one. */
function onInterrupt(close: () => void): void {
  let interruptedAt = 0
  process.on('SIGINT', () => {
    if (interruptedAt === 0) close()
    else if (Date.now() - interruptedAt > IMPATIENT_AFTER_MS) process.exit(1)
    interruptedAt ||= Date.now()
  })
}

/** As short as can be guessed, however slowly. */
const SHORT_KEY_CHARACTERS = 16

function warnOfSettings(config: Config, log: FastifyBaseLogger): void {
  const unknown = findUnknownNames({ ...givenNames(), references: readReferences(config) })
  for (const warning of [...unknown, ...findMissingRoots(config)]) log.warn(warning)
  const { length } = config.API_KEY
  if (length > 0 && length < SHORT_KEY_CHARACTERS) {
    log.warn(`API_KEY has ${length} characters and can be guessed: take 16 or more, such as openssl rand -hex 24 makes`)
  }
}

function announce(config: Config, address: string, log: FastifyBaseLogger): void {
  if (config.isKeyless) log.warn(`API_KEY is empty: no authentication, and ${whoCanConnect(config)}`)
  if (!config.isKeyless && config.OPEN_GROUPS && !isLoopback(config.host)) {
    log.warn(
      'OPEN_GROUPS is true: dashboard, metrics, traces and alerts answer without a key, without texts. Where others reach this address, false is advised',
    )
  }
  log.info({ address, docs: `${address}/docs` }, `${config.APP_NAME} is ready`)
}

/** The groups that are open without a key, and to whom. */
function whoCanConnect({ host, ALLOWED_HOSTS }: Config): string {
  if (isLoopback(host)) return 'only this machine can connect; pages of other hosts are refused'
  const pages = ALLOWED_HOSTS === '' ? '. ALLOWED_HOSTS is empty: pages that give this address their name can, too' : ''
  return `whoever reaches ${host} can do everything: read conversations, documents and records, and change them${pages}`
}

/** Advice for operators, by the error's code. */
const CANNOT_LISTEN: Record<string, string> = {
  EADDRINUSE: 'another program listens there. Stop that one or choose another PORT',
  EACCES: 'the system does not allow it. Ports below 1024 may need more rights; choose another PORT',
  EADDRNOTAVAIL: 'this machine does not have that address. Correct HOST',
  ENOTFOUND: 'no address has that name. Correct HOST',
}

/** One line for each thing that is wrong. Where in the program it was noticed is for who asks for `LOG_LEVEL=debug`. */
function explain(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.problems
  if (!(error instanceof Error)) return [firstLine(String(error))]
  const { code = '', syscall, address, hostname, port } = error as ListenFailure
  if (code === 'database_unavailable') return [`DATABASE_URL: ${error.message}`]
  if (error instanceof AppError || error.message.startsWith('Wrong settings')) return error.message.split('\n')
  const reason = CANNOT_LISTEN[code]
  if (reason && (syscall === 'listen' || syscall === 'getaddrinfo')) {
    return [`it cannot listen on ${address ?? hostname}${port === undefined ? '' : ` port ${port}`}: ${reason}.`]
  }
  const isCurious = /^(?:debug|trace)$/.test(readEnvironment().LOG_LEVEL ?? '')
  return isCurious && error.stack ? error.stack.split('\n') : [firstLine(error.message)]
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

interface ListenFailure extends NodeJS.ErrnoException {
  address?: string
  hostname?: string
  port?: number
}
