import type { PeriodicTask } from '../../platform/interval.ts'
import { createErasures, type ErasureOptions } from './erasure.ts'
import { ERASED_CHANNEL } from './erasure-queries.ts'
import { exportCustomer } from './export.ts'
import { createRetention, type RetentionOptions } from './retention.ts'

export interface PrivacyOptions extends ErasureOptions, Omit<RetentionOptions, 'intervalMs'> {
  every(intervalMs: number, work: () => Promise<unknown>): PeriodicTask
}

export type Privacy = Awaited<ReturnType<typeof createPrivacy>>

const RETENTION_MS = 600_000
const RESUME_MS = 60_000

/** Retention, and what is known of a customer: shown, and erased. */
export async function createPrivacy(options: PrivacyOptions) {
  const { db, clock, forget, every } = options
  const erasures = createErasures(options)
  const retention = createRetention({ ...options, intervalMs: RETENTION_MS })
  const unfollow = await db.listen(ERASED_CHANNEL, forget, forget)
  const tasks = [every(RETENTION_MS, retention.runIfDue), every(RESUME_MS, erasures.resume)]
  // Work that a process left half done when it died, and rows that grew old meanwhile: nobody need wait for them.
  void tasks[1]?.run()
  const starting = retention.runAtStart().catch((error: unknown) => {
    options.log.warn({ err: error }, 'What is old could not be removed after the start')
  })

  return {
    /** Resolves when everything is gone. */
    erase: erasures.erase,
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
