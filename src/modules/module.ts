import type { Config } from '../config.ts'
import type { App } from '../http/server.ts'
import type { Log } from '../kernel/log.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/postgres/index.ts'

/** The ground that modules stand on. */
export interface Ground {
  config: Config
  db: Database
  clock: Clock
  log: Log<'info' | 'warn'>
}

/** A feature with all that it needs: its endpoints, and its end. */
export interface Module {
  routes(app: App): unknown
  close(): unknown
}
