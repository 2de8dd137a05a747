import { AppError } from '../../kernel/errors.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { blockedUntil, blockUntil, countFailure, forgetFailures } from './log-in-queries.ts'

/** Failures that are free, and the longest wait after the ones that follow, in seconds. Each doubles the wait. */
interface Rule {
  subject: string
  free: number
  maxSeconds: number
}

/** Somebody who knows a name must not be able to lock its owner out: by name alone the wait stays short. */
function rulesFor(name: string, address: string): Rule[] {
  return [
    { subject: `${name} ${address}`, free: 5, maxSeconds: 900 },
    { subject: `address ${address}`, free: 20, maxSeconds: 900 },
    { subject: `name ${name}`, free: 50, maxSeconds: 15 },
  ]
}

/** Slows down those who guess passwords, on all replicas and over restarts. */
export function createThrottle({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Throws too_many with the seconds to wait. */
    async assertFree(name: string, address: string): Promise<void> {
      const subjects = rulesFor(name, address).map(({ subject }) => subject)
      const until = await blockedUntil(db.executor, subjects, new Date(now()))
      if (until === null) return
      const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now()) / 1_000))
      const message = `Too many failed log-ins: try again in ${retryAfterSeconds} seconds`
      throw new AppError('too_many', 'log_in', message, { retryAfterSeconds })
    },
    async failed(name: string, address: string): Promise<void> {
      for (const { subject, free, maxSeconds } of rulesFor(name, address)) {
        const failures = await countFailure(db.executor, subject, new Date(now()))
        if (failures < free) continue
        const seconds = Math.min(maxSeconds, 2 ** Math.min(failures - free, 20))
        await blockUntil(db.executor, subject, new Date(now() + seconds * 1_000))
      }
    },
    /** Failures by the same name from elsewhere stay counted. */
    async succeeded(name: string, address: string): Promise<void> {
      const [own] = rulesFor(name, address)
      if (own) await forgetFailures(db.executor, [own.subject])
    },
  }
}
