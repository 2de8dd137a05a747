import { sql } from 'kysely'
import { type Database, type Executor, notify, toJson } from '../../platform/postgres/index.ts'
import type { AutoReport } from './auto.ts'
import type { TunerParameters } from './parameters.ts'

export const TUNER_CHANNEL = 'tuner'

export interface TunerState {
  version: number
  /** Only what differs from the defaults. */
  params: Partial<TunerParameters>
  updatedAt: Date
}

export interface HistoryEntry {
  version: number
  action: 'update' | 'reset' | 'auto'
  changes: Record<string, { from: number; to: number }>
  createdAt: Date
}

export async function readState(executor: Executor, lock = sql``): Promise<TunerState> {
  const { rows } = await sql<TunerState>`
    select version, params, updated_at as "updatedAt" from tuner_state ${lock}`.execute(executor)
  return rows[0] as TunerState
}

/** The state, locked until the transaction ends: of two changes at once the second builds on the first. */
export const lockState = (trx: Executor): Promise<TunerState> => readState(trx, sql`for update`)

export async function saveState(
  db: Database,
  executor: Executor,
  entry: Omit<HistoryEntry, 'createdAt'> & Pick<TunerState, 'params'>,
): Promise<void> {
  await sql`update tuner_state set version = ${entry.version}, params = ${toJson(entry.params)}::jsonb,
    updated_at = now()`.execute(executor)
  await sql`insert into tuner_history (version, action, changes, params) values (${entry.version}, ${entry.action},
    ${toJson(entry.changes)}::jsonb, ${toJson(entry.params)}::jsonb)`.execute(executor)
  await notify(db, executor, TUNER_CHANNEL, String(entry.version))
}

export async function listHistory(executor: Executor, limit: number): Promise<HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`select version, action, changes, created_at as "createdAt"
    from tuner_history order by version desc limit ${limit}`.execute(executor)
  return rows
}

export async function insertSearch(executor: Executor, report: AutoReport): Promise<Date> {
  const { rows } = await sql<{ createdAt: Date }>`insert into tuner_searches (search_id, report)
    values (${report.searchId}, ${toJson(report)}::json) returning created_at as "createdAt"`.execute(executor)
  return (rows[0] as { createdAt: Date }).createdAt
}

export async function findSearch(
  executor: Executor,
  searchId: string,
): Promise<(AutoReport & { createdAt: Date }) | null> {
  const { rows } = await sql<{ report: AutoReport; createdAt: Date }>`select report, created_at as "createdAt"
    from tuner_searches where search_id = ${searchId}`.execute(executor)
  const [row] = rows
  return row ? { ...row.report, createdAt: row.createdAt } : null
}

/** Null: none was ever run. */
export async function findLatestSearch(executor: Executor): Promise<(AutoReport & { createdAt: Date }) | null> {
  const { rows } = await sql<{ report: AutoReport; createdAt: Date }>`select report, created_at as "createdAt"
    from tuner_searches order by ordinal desc limit 1`.execute(executor)
  const [row] = rows
  return row ? { ...row.report, createdAt: row.createdAt } : null
}
