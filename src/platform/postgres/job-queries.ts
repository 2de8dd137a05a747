import { sql } from 'kysely'
import type { Executor } from './database.ts'

/** How long a job is taken for running after its last sign of life. */
const LEASE_SECONDS = 15

export interface JobRow {
  subject: string
  done: number
  total: number
  startedAt: Date
}

interface Claim {
  job: string
  owner: string
  subject: string
}

/** Takes the job if nobody has it, or whoever has it (`force`). */
export async function claimJob(executor: Executor, { job, owner, subject }: Claim, force: boolean): Promise<boolean> {
  const { rows } = await sql`
    insert into exclusive_jobs as j (job, owner, subject, expires_at)
    values (${job}, ${owner}, ${subject}, now() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (job) do update set owner = excluded.owner, subject = excluded.subject, done = 0, total = 0,
      started_at = now(), expires_at = excluded.expires_at
    where j.expires_at < now() or ${force}
    returning job`.execute(executor)
  return rows.length > 0
}

/** Shows how far it is and renews the lease; false when it was lost. */
export async function renewJob(
  executor: Executor,
  { job, owner }: Pick<Claim, 'job' | 'owner'>,
  { done, total }: Pick<JobRow, 'done' | 'total'>,
): Promise<boolean> {
  const { rows } = await sql`update exclusive_jobs set done = ${done}, total = ${total},
      expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where job = ${job} and owner = ${owner} returning job`.execute(executor)
  return rows.length > 0
}

export async function releaseJob(executor: Executor, { job, owner }: Pick<Claim, 'job' | 'owner'>): Promise<void> {
  await sql`delete from exclusive_jobs where job = ${job} and owner = ${owner}`.execute(executor)
}

export async function findRunningJob(executor: Executor, job: string): Promise<JobRow | null> {
  const { rows } = await sql<JobRow>`select subject, done, total, started_at as "startedAt" from exclusive_jobs
    where job = ${job} and expires_at >= now()`.execute(executor)
  return rows[0] ?? null
}

/** True for the one of several replicas that may run `task` now: nobody has for `intervalMs`. */
export async function claimTask(executor: Executor, task: string, now: Date, intervalMs: number): Promise<boolean> {
  const { rows } = await sql`insert into periodic_tasks as t (task, ran_at) values (${task}, ${now})
    on conflict (task) do update set ran_at = excluded.ran_at
      where t.ran_at <= ${new Date(now.getTime() - intervalMs)} returning task`.execute(executor)
  return rows.length > 0
}
