import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Database } from './postgres/index.ts'
import { claimJob, findRunningJob, type JobRow, releaseJob, renewJob } from './postgres/job-queries.ts'

/** Handed to the work of a job. */
export interface JobRun {
  /** Aborts when the program ends, when the caller's signal does, or when another replica has taken the job over. */
  signal: AbortSignal
  /** Shows how far the work is. */
  progress(done: number, total: number): void
}

export type ExclusiveJob = ReturnType<typeof createExclusiveJob>

const RENEWAL_MS = 1_000

/**
 * Work of which one run at a time is allowed, over all replicas.
 *
 * @param name how the job is called in refusals, e.g. `evaluation`; the same name is the same job.
 */
export function createExclusiveJob(db: Database, name: string, log: Log) {
  const closing = new AbortController()
  let here: (JobRow & { ended: Promise<unknown> }) | null = null
  const busy = () => new AppError('conflict', 'job_running', `The ${name} is running already`)

  async function lead<T>(owner: string, work: (run: JobRun) => Promise<T>, state: JobRow, outer: AbortSignal[]) {
    const lost = new AbortController()
    const signal = AbortSignal.any([closing.signal, lost.signal, ...outer])
    const renew = async (): Promise<void> => {
      if (!(await renewJob(db.executor, { job: name, owner }, state))) lost.abort()
    }
    const timer = setInterval(() => {
      renew().catch((error: unknown) => log.warn({ err: error, job: name }, 'A job could not show that it is alive'))
    }, RENEWAL_MS)
    try {
      return await work({ signal, progress: (done, total) => void Object.assign(state, { done, total }) })
    } catch (error) {
      throw signal.aborted ? stopped(name, error) : error
    } finally {
      clearInterval(timer)
      await releaseJob(db.executor, { job: name, owner }).catch((error: unknown) =>
        log.warn({ err: error, job: name }, 'A job that ended could not say so; its lease runs out'),
      )
    }
  }

  return {
    /** Throws conflict while a run is under way, and unavailable when the run is stopped before its end. */
    async run<T>(subject: string, work: (run: JobRun) => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (here) throw busy()
      if (closing.signal.aborted) throw stopped(name)
      const state = { subject, done: 0, total: 0, startedAt: new Date() }
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      here = Object.assign(state, { ended })
      try {
        const owner = newId('job')
        // An embedded database has this one process, so a lease there is that of a run which was killed.
        if (!(await claimJob(db.executor, { job: name, owner, subject }, db.kind === 'embedded'))) throw busy()
        return await lead(owner, work, state, signal ? [signal] : [])
      } finally {
        here = null
        end()
      }
    },
    /** The run under way, on whichever replica; null: none. */
    async running(): Promise<JobRow | null> {
      if (!here) return db.kind === 'embedded' ? null : findRunningJob(db.executor, name)
      const { subject, done, total, startedAt } = here
      return { subject, done, total, startedAt }
    },
    /** Stops the run that is under way here and waits for its end. */
    async close(): Promise<void> {
      closing.abort()
      await here?.ended
    },
  }
}

function stopped(name: string, cause?: unknown): AppError {
  const message = `The ${name} was stopped before its end: the service is shutting down`
  return new AppError('unavailable', 'job_stopped', message, { cause, retryAfterSeconds: 10 })
}
