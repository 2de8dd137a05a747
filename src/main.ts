import closeWithGrace from 'close-with-grace'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { demoSettings, loadSample } from './demo.ts'
import { AppError } from './kernel/errors.ts'
import { createLog } from './platform/log.ts'
import { openDatabase } from './platform/postgres/index.ts'

/** A second Ctrl-C after this long is meant. */
const IMPATIENT_AFTER_MS = 1_500

await start().catch((error: unknown) => {
  process.stderr.write(`Frontdesk cannot start: ${explain(error)}\n`)
  process.exit(1)
})

async function start(): Promise<void> {
  const demo = process.argv.includes('--demo')
  const config = readConfig(demo ? demoSettings : {})
  const log = createLog(config.LOG_LEVEL)
  const db = await openDatabase({
    databaseUrl: config.DATABASE_URL || undefined,
    dataDir: config.DATA_DIR,
    poolSize: config.DATABASE_POOL_SIZE,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    log,
    onCrash: (error) => {
      log.fatal({ err: error }, 'The embedded database stopped')
      process.exit(1)
    },
  })
  const app = await createApp(config, db, log)
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
  if (demo) await loadSample(app, config.API_KEY, log)
  const address = await app.listen({ port: config.PORT, host: config.host })
  announce(config, address, log)
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

function announce(config: Config, address: string, log: ReturnType<typeof createLog>): void {
  if (config.API_KEY === '') log.warn('API_KEY is empty: no authentication, so only this machine can connect')
  log.info({ address, docs: `${address}/docs` }, `${config.APP_NAME} is ready`)
}

function explain(error: unknown): string {
  if (error instanceof AppError || (error instanceof Error && error.message.startsWith('Wrong settings')))
    return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
