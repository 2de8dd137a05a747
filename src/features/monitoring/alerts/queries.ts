import { sql } from 'kysely'
import { type Database, type Executor, notify, toJson } from '../../../platform/postgres/index.ts'
import type { Alert, AlertFilter, Finding, Handled, Silence } from './types.ts'

export { claimTask } from '../../../platform/postgres/index.ts'

/** Carries `<replica> <breaker>` of a breaker that was reset by hand. */
export const BREAKER_CHANNEL = 'breaker_reset'

/** Of the alias `a`, as it is at a time. */
const columnsAt = (now: Date) => sql`a.alert_id as "alertId", a.level, a.source, a.message, a.details, a.fingerprint,
  a.count, a.created_at as "createdAt", a.last_seen_at as "lastSeenAt", a.resolved_at as "resolvedAt",
  a.acknowledged_at as "acknowledgedAt", a.acknowledged_by as "acknowledgedBy", a.acknowledge_note as "acknowledgeNote",
  (select jsonb_build_object('at', s.silenced_at, 'by', s.silenced_by, 'note', s.note, 'until', s.until)
    from alert_silences s where s.fingerprint = a.fingerprint and s.until > ${now}) as silenced`

interface AlertRow extends Omit<Alert, 'acknowledged' | 'silenced'> {
  acknowledgedAt: Date | null
  acknowledgedBy: string | null
  acknowledgeNote: string | null
  silenced: (Omit<Silence, 'at' | 'until'> & { at: string; until: string }) | null
}

function toAlert({
  acknowledgedAt: at,
  acknowledgedBy: by,
  acknowledgeNote: note,
  silenced,
  ...alert
}: AlertRow): Alert {
  return {
    ...alert,
    acknowledged: at && { at, by, note },
    silenced: silenced && { ...silenced, at: new Date(silenced.at), until: new Date(silenced.until) },
  }
}

/** A new alert, or one more count of the open one with this fingerprint. */
export async function raiseAlert(executor: Executor, alert: Finding & { alertId: string; at: Date }): Promise<Alert> {
  const { rows } = await sql<AlertRow>`
    insert into alerts as a (alert_id, level, source, message, details, fingerprint, created_at, last_seen_at)
    values (${alert.alertId}, ${alert.level}, ${alert.source}, ${alert.message}, ${toJson(alert.details)}::jsonb,
      ${alert.fingerprint}, ${alert.at}, ${alert.at})
    on conflict (fingerprint) where resolved_at is null do update set count = a.count + 1, level = excluded.level,
      message = excluded.message, details = excluded.details,
      last_seen_at = greatest(a.last_seen_at, excluded.last_seen_at)
    returning ${columnsAt(alert.at)}`.execute(executor)
  return toAlert(rows[0] as AlertRow)
}

/** Ends the open alert with this fingerprint; undefined when there is none. */
export async function resolveAlert(executor: Executor, fingerprint: string, at: Date): Promise<Alert | undefined> {
  const { rows } = await sql<AlertRow>`update alerts a set resolved_at = ${at}
    where fingerprint = ${fingerprint} and resolved_at is null returning ${columnsAt(at)}`.execute(executor)
  return rows.map(toAlert)[0]
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

export async function listAlerts(executor: Executor, filter: AlertFilter, now: Date): Promise<Alert[]> {
  const { level, source, since, state, limit } = filter
  const { rows } = await sql<AlertRow>`select * from (select ${columnsAt(now)} from alerts a
      where (${level}::text is null or level = ${level})
        and (${source}::text is null or source = ${source})
        and (${since}::timestamptz is null or last_seen_at >= ${since})
      order by created_at desc, seq desc) a
    where ${IN_STATE[state ?? 'heard']} limit ${limit}`.execute(executor)
  return rows.map(toAlert)
}

/** As `alertState` tells them apart; `heard` are all but those that are silenced and not over. */
const IN_STATE = {
  heard: sql`("resolvedAt" is not null or silenced is null)`,
  firing: sql`"resolvedAt" is null and silenced is null and "acknowledgedAt" is null`,
  acknowledged: sql`"resolvedAt" is null and silenced is null and "acknowledgedAt" is not null`,
  silenced: sql`"resolvedAt" is null and silenced is not null`,
  resolved: sql`"resolvedAt" is not null`,
}

export async function findAlert(executor: Executor, alertId: string, now: Date): Promise<Alert | undefined> {
  const { rows } = await sql<AlertRow>`select ${columnsAt(now)} from alerts a where alert_id = ${alertId}`.execute(
    executor,
  )
  return rows.map(toAlert)[0]
}

/** False: it is over. */
export async function acknowledgeAlert(
  executor: Executor,
  alertId: string,
  { at, by, note }: Handled,
): Promise<boolean> {
  const { rows } =
    await sql`update alerts set acknowledged_at = ${at}, acknowledged_by = ${by}, acknowledge_note = ${note}
    where alert_id = ${alertId} and resolved_at is null returning alert_id`.execute(executor)
  return rows.length > 0
}

export async function saveSilence(executor: Executor, fingerprint: string, silence: Silence): Promise<void> {
  const { at, by, note, until } = silence
  await sql`insert into alert_silences (fingerprint, until, silenced_at, silenced_by, note)
    values (${fingerprint}, ${until}, ${at}, ${by}, ${note})
    on conflict (fingerprint) do update set until = excluded.until, silenced_at = excluded.silenced_at,
      silenced_by = excluded.silenced_by, note = excluded.note`.execute(executor)
}

/** Removes the silence of one kind of trouble, or (null) all whose time is over, and returns what still fires of them. */
export async function endSilences(executor: Executor, fingerprint: string | null, now: Date): Promise<Alert[]> {
  const ended = fingerprint === null ? sql`until <= ${now}` : sql`fingerprint = ${fingerprint}`
  const { rows } = await sql<{ fingerprint: string }>`delete from alert_silences where ${ended}
    returning fingerprint`.execute(executor)
  const names = rows.map((row) => row.fingerprint)
  if (names.length === 0) return []
  const found = await sql<AlertRow>`select ${columnsAt(now)} from alerts a
    where fingerprint = any(${names}::text[]) and resolved_at is null order by a.seq`.execute(executor)
  return found.rows.map(toAlert)
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
