import { sql } from 'kysely'
import type { Executor } from './database.ts'

export type RunState = 'running' | 'finished' | 'failed' | 'cancelled' | 'interrupted'

/** A run of a job, under way or over. */
export interface RunRow {
  runId: string
  subject: string
  state: RunState
  /** The part of the work that it is at, by the job's own names; null: it has none, or has not begun with one. */
  stage: string | null
  done: number
  total: number
  startedBy: string | null
  startedAt: Date
  finishedAt: Date | null
  /** Since then it is to end; null: nobody said so. */
  cancelledAt: Date | null
  cancelledBy: string | null
  resultId: string | null
  error: string | null
}

/** Runs of a job that are kept. */
const KEPT_RUNS = 200

const columns = sql`r.run_id as "runId", r.subject, r.stage, r.done, r.total, r.started_by as "startedBy",
  r.started_at as "startedAt", r.finished_at as "finishedAt", r.cancelled_at as "cancelledAt",
  r.cancelled_by as "cancelledBy", r.result_id as "resultId", r.error,
  case when r.state = 'running' and not exists (select from exclusive_jobs j where j.job = r.job
    and j.owner = r.run_id and j.expires_at >= now()) then 'interrupted' else r.state end as state`

/** Notes a run of whoever has the lease: others that seem to run have lost their processes. */
export async function beginRun(
  executor: Executor,
  { job, runId, subject, by }: { job: string; runId: string; subject: string; by: string | null },
): Promise<void> {
  await sql`update job_runs set state = 'interrupted', finished_at = now()
    where job = ${job} and state = 'running'`.execute(executor)
  await sql`insert into job_runs (run_id, job, subject, state, started_by)
    values (${runId}, ${job}, ${subject}, 'running', ${by})`.execute(executor)
}

/** Shows how far it is; true: somebody wants it to end. */
export async function noteRun(
  executor: Executor,
  runId: string,
  { done, total, stage }: Pick<RunRow, 'done' | 'total' | 'stage'>,
): Promise<boolean> {
  const { rows } = await sql<{
    isCancelled: boolean
  }>`update job_runs set done = ${done}, total = ${total}, stage = ${stage}
    where run_id = ${runId} and state = 'running' returning cancelled_at is not null as "isCancelled"`.execute(executor)
  return rows[0]?.isCancelled ?? false
}

export async function finishRun(
  executor: Executor,
  {
    runId,
    job,
    state,
    done,
    total,
    stage,
    resultId,
    error,
  }: Pick<RunRow, 'runId' | 'state' | 'done' | 'total' | 'stage' | 'resultId' | 'error'> & { job: string },
): Promise<void> {
  await sql`update job_runs set state = ${state}, done = ${done}, total = ${total}, stage = ${stage},
    result_id = ${resultId}, error = ${error}, finished_at = now() where run_id = ${runId}`.execute(executor)
  await sql`delete from job_runs where job = ${job} and ordinal <= (select ordinal from job_runs where job = ${job}
    order by ordinal desc offset ${KEPT_RUNS} limit 1)`.execute(executor)
}

/** Asks a run to end. False: it is over. */
export async function cancelRun(executor: Executor, runId: string, by: string | null): Promise<boolean> {
  const { rows } = await sql`update job_runs set cancelled_at = coalesce(cancelled_at, now()),
      cancelled_by = coalesce(cancelled_by, ${by})
    where run_id = ${runId} and state = 'running' returning run_id`.execute(executor)
  return rows.length > 0
}

export async function findRun(executor: Executor, job: string, runId: string): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`select ${columns} from job_runs r
    where r.job = ${job} and r.run_id = ${runId}`.execute(executor)
  return rows[0] ?? null
}

/** Newest first. @param before the run that the page before ended with */
export async function listRuns(
  executor: Executor,
  job: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`select ${columns} from job_runs r
    where r.job = ${job} and (${before}::text is null
      or r.ordinal < (select ordinal from job_runs b where b.job = ${job} and b.run_id = ${before}))
    order by r.ordinal desc limit ${limit}`.execute(executor)
  return rows
}
