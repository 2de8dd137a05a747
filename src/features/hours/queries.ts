import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { Hours } from './types.ts'

export interface StoredHours {
  hours: Hours
  updatedBy: string | null
  updatedAt: Date
}

export async function findHours(executor: Executor): Promise<StoredHours | undefined> {
  const { rows } = await sql<StoredHours>`select hours, updated_by as "updatedBy", updated_at as "updatedAt"
    from desk_hours`.execute(executor)
  return rows[0]
}

export async function saveHours(executor: Executor, hours: Hours, updatedBy: string | null): Promise<void> {
  await sql`insert into desk_hours (hours, updated_by) values (${toJson(hours)}::jsonb, ${updatedBy})
    on conflict (only_row) do update set hours = excluded.hours, updated_by = excluded.updated_by,
      updated_at = now()`.execute(executor)
}

export async function deleteHours(executor: Executor): Promise<void> {
  await sql`delete from desk_hours`.execute(executor)
}
