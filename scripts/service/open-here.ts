import { createApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { openDatabase } from '../../src/platform/postgres/index.ts'
import { API, checked, type Service } from './ask-service.ts'

/** The same endpoints without a port: no service runs, so its database is free. A file of named keys opens it as well. */
export async function openHere(config: Config): Promise<Service> {
  const log = createLog('warn')
  const db = await openDatabase({
    databaseUrl: config.DATABASE_URL || undefined,
    dataDir: config.DATA_DIR,
    sync: config.EMBEDDED_SYNC,
    poolSize: 2,
    statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS,
    log,
    onCrash: (error) => {
      throw error
    },
  })
  // Whoever opens the database may do everything with it, so that this process takes a key of its own.
  const key = 'the key of this one process'
  const app = await createApp({ ...config, API_KEY: key, API_KEYS_FILE: '', isKeyless: false }, db, log)
  await app.ready()
  return {
    async ask<T>(method: 'GET', path: string, body?: object) {
      const headers = { 'x-api-key': key }
      const payload = body === undefined ? {} : { payload: body }
      const { statusCode, body: text } = await app.inject({ method, url: API + path, headers, ...payload })
      return checked(statusCode, text) as T
    },
    async close() {
      await app.close()
      await db.close()
    },
  }
}
