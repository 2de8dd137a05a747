import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { StoredRun, UpdateSummary } from './types.ts'

const KEPT_RUNS = 100

/** @returns the number under which it is found */
export async function saveRun(
  executor: Executor,
  { summary, path, startedAt }: { summary: UpdateSummary; path: string; startedAt: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into update_runs (mode, target, result, started_at)
    values (${summary.mode}, ${path}, ${toJson(summary)}::jsonb, ${startedAt}) returning run_id::text as id`.execute(
    executor,
  )
  await sql`delete from update_runs where run_id <= (select max(run_id) from update_runs) - ${KEPT_RUNS}`.execute(
    executor,
  )
  return rows[0]!.id
}

type Row = { result: UpdateSummary } & Omit<StoredRun, keyof UpdateSummary>

const columns = sql`result, target as path, started_at as "startedAt", finished_at as "finishedAt"`

export async function findLastRun(executor: Executor): Promise<StoredRun | null> {
  const { rows } = await sql<Row>`select ${columns} from update_runs order by run_id desc limit 1`.execute(executor)
  return rows[0] ? toRun(rows[0]) : null
}

/** @param id digits */
export async function findRun(executor: Executor, id: string): Promise<StoredRun | null> {
  const { rows } = await sql<Row>`select ${columns} from update_runs where run_id = ${id}::bigint`.execute(executor)
  return rows[0] ? toRun(rows[0]) : null
}

function toRun({ result, ...run }: Row): StoredRun {
  return { ...result, ...run }
}
