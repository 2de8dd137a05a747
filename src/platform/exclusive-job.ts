import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Database } from './postgres/index.ts'
import { claimJob, findRunningJob, type JobRow, releaseJob, renewJob } from './postgres/job-queries.ts'
import { beginRun, cancelRun, findRun, finishRun, listRuns, noteRun, type RunRow } from './postgres/run-queries.ts'

export type { RunRow } from './postgres/run-queries.ts'

/** Handed to the work of a job. */
export interface JobRun {
  /** Aborts when the program ends, when the caller's signal does, when it is cancelled, or when another replica has taken the job over. */
  signal: AbortSignal
  /** Shows how far the work is. @param stage the part of it, by the job's own names */
  progress(done: number, total: number, stage?: string): void
}

/** About a run, for those who look at it later. */
export interface RunOptions<T> {
  by?: string | null
  /** Called once the run is under way. */
  onBegun?: (runId: string) => void
  /** The report that it left. */
  resultOf?: (result: T) => string
}

export type ExclusiveJob = ReturnType<typeof createExclusiveJob>

const RENEWAL_MS = 1_000

/** A run under way here. */
interface Led extends JobRow {
  runId: string
  stage: string | null
  ended: Promise<unknown>
  cancelled: AbortController
}

interface Job {
  db: Database
  name: string
  log: Log
}

/**
 * Work of which one run at a time is allowed, over all replicas, and what became of each run.
 *
 * @param name how the job is called in refusals, e.g. `evaluation`; the same name is the same job.
 */
export function createExclusiveJob(db: Database, name: string, log: Log) {
  const closing = new AbortController()
  let here: Led | null = null
  const busy = () => new AppError('conflict', 'job_running', `The ${name} is running already`)

  return {
    /** Throws conflict while a run is under way or when it is cancelled, and unavailable when it is stopped before its end. */
    async run<T>(
      subject: string,
      work: (run: JobRun) => Promise<T>,
      signal?: AbortSignal,
      options: RunOptions<T> = {},
    ): Promise<T> {
      if (here) throw busy()
      if (closing.signal.aborted) throw stopped(name)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const runId = newId('run')
      const at = { subject, done: 0, total: 0, startedAt: new Date(), stage: null }
      const led: Led = { ...at, runId, ended, cancelled: new AbortController() }
      here = led
      try {
        // An embedded database has this one process, so a lease there is that of a run which was killed.
        if (!(await claimJob(db.executor, { job: name, owner: runId, subject }, db.kind === 'embedded'))) throw busy()
        return await lead({ db, name, log }, led, work, {
          ...options,
          outer: [closing.signal, ...(signal ? [signal] : [])],
        })
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
    ...recorded({ db, name }, () => here),
    /** Stops the run that is under way here and waits for its end. */
    async close(): Promise<void> {
      closing.abort()
      await here?.ended
    },
  }
}

/** The runs that are kept, and those under way. */
function recorded({ db, name }: Pick<Job, 'db' | 'name'>, underWay: () => Led | null) {
  /** As it is this very moment, where it is under way here. */
  const live = (run: RunRow): RunRow => {
    if (run.state !== 'running') return run
    const here = underWay()
    if (here?.runId === run.runId) return { ...run, done: here.done, total: here.total, stage: here.stage }
    // An embedded database has this one process: a lease that it does not know is that of one that was killed.
    return db.kind === 'embedded' ? { ...run, state: 'interrupted' } : run
  }
  async function find(runId: string): Promise<RunRow> {
    const run = await findRun(db.executor, name, runId)
    if (!run) throw new AppError('not_found', 'run', `No run has the run_id ${runId}`)
    return live(run)
  }
  return {
    /** Newest first. Throws not_found where the page is to go on after an unknown run. */
    async runs(page: { limit: number; before: string | null }): Promise<RunRow[]> {
      if (page.before !== null) await find(page.before)
      return (await listRuns(db.executor, name, page)).map(live)
    },
    /** Throws not_found. */
    find,
    /** Has a run end before its end, on whichever replica. Throws not_found, and conflict when it is over. */
    async cancel(runId: string, by: string | null): Promise<RunRow> {
      const { state } = await find(runId)
      if (state !== 'running' || !(await cancelRun(db.executor, runId, by))) {
        throw new AppError('conflict', 'run_over', 'The run is over')
      }
      const here = underWay()
      if (here?.runId === runId) here.cancelled.abort()
      return find(runId)
    },
  }
}

/** Does the work of a run that has the lease, and keeps what became of it. */
async function lead<T>(
  job: Job,
  led: Led,
  work: (run: JobRun) => Promise<T>,
  { by = null, onBegun, resultOf, outer }: RunOptions<T> & { outer: AbortSignal[] },
): Promise<T> {
  const { db, name } = job
  const { runId, cancelled, subject } = led
  const lost = new AbortController()
  const signal = AbortSignal.any([lost.signal, cancelled.signal, ...outer])
  const rest = stayAlive(job, led, lost)
  let ending: Ending = { state: 'interrupted', resultId: null, error: null }
  try {
    await beginRun(db.executor, { job: name, runId, subject, by })
    onBegun?.(runId)
    const result = await work({
      signal,
      progress: (done, total, stage) => void Object.assign(led, { done, total }, stage === undefined ? {} : { stage }),
    })
    ending = { state: 'finished', resultId: resultOf?.(result) ?? null, error: null }
    return result
  } catch (error) {
    ending = endingAfter(error, signal, cancelled.signal)
    throw toCaller(name, error, ending)
  } finally {
    rest()
    await endRun(job, led, ending)
  }
}

/** Shows once a second that the run is alive. Returns the function that ends that. */
function stayAlive({ db, name, log }: Job, led: Led, lost: AbortController): () => void {
  const renew = async (): Promise<void> => {
    if (!(await renewJob(db.executor, { job: name, owner: led.runId }, led))) lost.abort()
    if (await noteRun(db.executor, led.runId, led)) led.cancelled.abort()
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error, job: name }, 'A job could not show that it is alive'))
  }, RENEWAL_MS)
  return () => clearInterval(timer)
}

/**
 * A run says how it ended and gives its lease back at once: without a lease it would seem to have lost its process, and with one
 * nobody could begin the next although it is over.
 */
async function endRun({ db, name, log }: Job, led: Led, ending: Ending): Promise<void> {
  try {
    await db.transaction(async (trx) => {
      await finishRun(trx, { ...led, ...ending, job: name })
      await releaseJob(trx, { job: name, owner: led.runId })
    })
  } catch (error) {
    log.warn({ err: error, job: name }, 'A job that ended could not say so; its lease runs out')
  }
}

type Ending = Pick<RunRow, 'state' | 'resultId' | 'error'>

function endingAfter(error: unknown, signal: AbortSignal, cancelled: AbortSignal): Ending {
  if (cancelled.aborted) return { state: 'cancelled', resultId: null, error: null }
  if (signal.aborted) return { state: 'interrupted', resultId: null, error: null }
  return { state: 'failed', resultId: null, error: error instanceof AppError ? error.message : 'internal error' }
}

/** Error for those who wait for the run. */
function toCaller(name: string, error: unknown, { state }: Ending): unknown {
  if (state === 'cancelled') return new AppError('conflict', 'job_cancelled', `The ${name} was cancelled`)
  return state === 'interrupted' ? stopped(name, error) : error
}

function stopped(name: string, cause?: unknown): AppError {
  const message = `The ${name} was stopped before its end: the service is shutting down`
  return new AppError('unavailable', 'job_stopped', message, { cause, retryAfterSeconds: 10 })
}
