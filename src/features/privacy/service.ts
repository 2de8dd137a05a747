import type { Clock } from '../../platform/clock.ts'
import type { PeriodicTask } from '../../platform/periodic.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { createErasures, type ErasureRequest } from './erasure.ts'
import { ERASED_CHANNEL } from './erasure-queries.ts'
import { exportCustomer } from './export.ts'
import type { RetentionDays } from './holdings.ts'
import { createRetention } from './retention.ts'

export interface PrivacyOptions {
  db: Database
  clock: Clock
  days: RetentionDays
  maxTraces: number
  /** Drops what this replica remembers of conversations. */
  forget(): void
  every(intervalMs: number, work: () => Promise<unknown>): PeriodicTask
  turnWaitMs?: number
  log: { warn(details: object, message: string): void }
}

export type Privacy = Awaited<ReturnType<typeof createPrivacy>>

const RETENTION_MS = 600_000
const RESUME_MS = 60_000

/** What is kept how long, and what is known of a customer: shown, and erased. */
export async function createPrivacy(options: PrivacyOptions) {
  const { db, clock, forget, every } = options
  const erasures = createErasures(options)
  const retention = createRetention({ ...options, intervalMs: RETENTION_MS })
  const unfollow = await db.listen(ERASED_CHANNEL, forget, forget)
  const tasks = [every(RETENTION_MS, retention.runIfDue), every(RESUME_MS, erasures.resume)]
  // What a process that died left half done, and what grew old meanwhile: nobody need wait for it.
  void tasks[1]?.run()
  const starting = retention.runAtStart().catch((error: unknown) => {
    options.log.warn({ err: error }, 'What is old could not be removed after the start')
  })

  return {
    /** Resolves when everything is gone. */
    erase: (request: ErasureRequest) => erasures.erase(request),
    erasures: erasures.list,
    resume: erasures.resume,
    export: (userId: string): AsyncGenerator<string> => exportCustomer(db, userId, new Date(clock.now())),
    /** Removes now what is old; how many rows of each table went. */
    prune: retention.run,

    async close(): Promise<void> {
      retention.close()
      await Promise.all([erasures.close(), starting])
      await Promise.all(tasks.map((task) => task.stop()))
      await unfollow()
    },
  }
}
