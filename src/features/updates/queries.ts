import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { StoredRun, UpdateSummary } from './types.ts'

const KEPT_RUNS = 100

export async function saveRun(
  executor: Executor,
  { summary, path, startedAt }: { summary: UpdateSummary; path: string; startedAt: Date },
): Promise<void> {
  await sql`insert into update_runs (mode, target, result, started_at)
    values (${summary.mode}, ${path}, ${toJson(summary)}::jsonb, ${startedAt})`.execute(executor)
  await sql`delete from update_runs where run_id <= (select max(run_id) from update_runs) - ${KEPT_RUNS}`.execute(
    executor,
  )
}

export async function findLastRun(executor: Executor): Promise<StoredRun | null> {
  const { rows } = await sql<{ result: UpdateSummary } & Omit<StoredRun, keyof UpdateSummary>>`
    select result, target as path, started_at as "startedAt", finished_at as "finishedAt" from update_runs
    order by run_id desc limit 1`.execute(executor)
  if (!rows[0]) return null
  const { result, ...run } = rows[0]
  return { ...result, ...run }
}
