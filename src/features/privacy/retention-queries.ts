import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { AgeRule } from './types.ts'

export { claimTask } from '../../platform/postgres/index.ts'

/** Deletes up to `limit` rows from before `before`; returns how many. */
export async function deleteOld(
  executor: Executor,
  { table, column }: AgeRule,
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} where ${sql.ref(column)} < ${before}
    order by ${sql.ref(column)} limit ${limit}))`.execute(executor)
  return Number(numAffectedRows)
}

/** Deletes all but the newest `keep` rows, by a column that grows. */
export async function deleteBeyond(
  executor: Executor,
  { table, column }: AgeRule,
  keep: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select ctid from ${sql.table(table)} order by ${sql.ref(column)} desc offset ${keep} limit ${limit}))`.execute(
    executor,
  )
  return Number(numAffectedRows)
}
