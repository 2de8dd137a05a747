import { sql } from 'kysely'
import { type Database, type Executor, notify, toJson } from '../../../platform/postgres/index.ts'
import type { Alert, AlertFilter, Finding } from './types.ts'

export { claimTask } from '../../../platform/postgres/index.ts'

/** Carries `<replica> <breaker>` of a breaker that was reset by hand. */
export const BREAKER_CHANNEL = 'breaker_reset'

const alertColumns = sql`alert_id as "alertId", level, source, message, details, fingerprint, count,
  created_at as "createdAt", last_seen_at as "lastSeenAt", resolved_at as "resolvedAt"`

/** A new alert, or one more count of the open one with this fingerprint. */
export async function raiseAlert(executor: Executor, alert: Finding & { alertId: string; at: Date }): Promise<Alert> {
  const { rows } = await sql<Alert>`
    insert into alerts as a (alert_id, level, source, message, details, fingerprint, created_at, last_seen_at)
    values (${alert.alertId}, ${alert.level}, ${alert.source}, ${alert.message}, ${toJson(alert.details)}::jsonb,
      ${alert.fingerprint}, ${alert.at}, ${alert.at})
    on conflict (fingerprint) where resolved_at is null do update set count = a.count + 1, level = excluded.level,
      message = excluded.message, details = excluded.details,
      last_seen_at = greatest(a.last_seen_at, excluded.last_seen_at)
    returning ${alertColumns}`.execute(executor)
  return rows[0] as Alert
}

/** Ends the open alert with this fingerprint; undefined when there is none. */
export async function resolveAlert(executor: Executor, fingerprint: string, at: Date): Promise<Alert | undefined> {
  const { rows } = await sql<Alert>`update alerts set resolved_at = ${at}
    where fingerprint = ${fingerprint} and resolved_at is null returning ${alertColumns}`.execute(executor)
  return rows[0]
}

/** Notes that the trouble of an open alert goes on. */
export async function touchAlert(executor: Executor, fingerprint: string, at: Date): Promise<void> {
  await sql`update alerts set last_seen_at = greatest(last_seen_at, ${at})
    where fingerprint = ${fingerprint} and resolved_at is null`.execute(executor)
}

/** Fingerprints of the source's open alerts that nobody has seen since `before`. */
export async function listUnseenAlerts(executor: Executor, source: string, before: Date): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from alerts
    where source = ${source} and resolved_at is null and last_seen_at < ${before}`.execute(executor)
  return rows.map(({ fingerprint }) => fingerprint)
}

export async function listAlerts(executor: Executor, filter: AlertFilter): Promise<Alert[]> {
  const { rows } = await sql<Alert>`select ${alertColumns} from alerts
    where (${filter.level}::text is null or level = ${filter.level})
      and (${filter.source}::text is null or source = ${filter.source})
      and (${filter.since}::timestamptz is null or last_seen_at >= ${filter.since})
    order by created_at desc, seq desc limit ${filter.limit}`.execute(executor)
  return rows
}

export async function countOpenAlerts(executor: Executor, level: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from alerts
    where level = ${level} and resolved_at is null`.execute(executor)
  return rows[0]?.count ?? 0
}

/** Deletes the oldest of the alerts that are over, beyond `kept`. */
export async function boundAlerts(executor: Executor, kept: number): Promise<void> {
  await sql`delete from alerts where seq in (
    select seq from alerts where resolved_at is not null order by seq desc offset ${kept})`.execute(executor)
}

/** When the customer who has waited longest for a person was handed over; sessions are chat's own, only read here. */
export async function oldestPending(executor: Executor): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(escalated_at) as at from chat_sessions
    where agent_status = 'pending'`.execute(executor)
  return rows[0]?.at ?? null
}

export function announceReset(db: Database, replicaId: string, breaker: string): Promise<void> {
  return notify(db, db.executor, BREAKER_CHANNEL, `${replicaId} ${breaker}`)
}
