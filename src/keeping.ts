import type { Config } from './config.ts'
import { createPrivacy, type Privacy } from './features/privacy/index.ts'
import type { Clock } from './platform/clock.ts'
import { every } from './platform/periodic.ts'
import type { Database } from './platform/postgres/index.ts'

export interface KeepingOptions {
  config: Config
  db: Database
  clock: Clock
  /** Drops what this replica remembers of conversations. */
  forget(): void
  log: { warn(details: object, message: string): void }
}

/** What is kept how long, and the erasure of customers, as the settings say. */
export function createKeeping({ config, ...options }: KeepingOptions): Promise<Privacy> {
  return createPrivacy({
    ...options,
    days: {
      conversations: config.CONVERSATION_RETENTION_DAYS,
      traces: config.TRACE_RETENTION_DAYS,
      tickets: config.TICKET_RETENTION_DAYS,
      alerts: config.ALERT_RETENTION_DAYS,
      evaluations: config.EVALUATION_RETENTION_DAYS,
    },
    maxTraces: config.TRACE_MAX_COUNT,
    every: (intervalMs, work) => every(intervalMs, work, options.log),
  })
}
