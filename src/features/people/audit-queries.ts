import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { AuditEntry } from './types.ts'

export async function insertEntry(executor: Executor, entry: Omit<AuditEntry, 'seq' | 'happenedAt'>): Promise<void> {
  const { actor, isPerson, action, subject, before, after, address, requestId } = entry
  await sql`insert into audit_log (actor, is_person, action, subject, before, after, address, request_id)
    values (${actor}, ${isPerson}, ${action}, ${subject}, ${before && toJson(before)}::jsonb,
      ${after && toJson(after)}::jsonb, ${address}, ${requestId})`.execute(executor)
}

export interface AuditFilter {
  actor?: string | undefined
  subject?: string | undefined
  /** Part of the method and route. */
  action?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** Older than the entry of this number. */
  before?: number | undefined
  limit: number
}

/** Newest first. */
export async function listEntries(executor: Executor, filter: AuditFilter): Promise<AuditEntry[]> {
  const { actor, subject, action, from, to, before, limit } = filter
  const conditions = [
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(action === undefined ? [] : [sql`position(lower(${action}) in lower(action)) > 0`]),
    ...(from === undefined ? [] : [sql`happened_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`happened_at < ${to}`]),
    ...(before === undefined ? [] : [sql`seq < ${before}`]),
    sql`true`,
  ]
  const { rows } =
    await sql<AuditEntry>`select seq, happened_at as "happenedAt", actor, is_person as "isPerson", action,
      subject, before, after, address, request_id as "requestId"
    from audit_log where ${sql.join(conditions, sql` and `)} order by seq desc limit ${limit}`.execute(executor)
  return rows
}
