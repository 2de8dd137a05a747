import { sql } from 'kysely'
import type { Role } from '../../kernel/people.ts'
import type { Executor } from '../../platform/postgres/index.ts'
import type { LogIn } from './types.ts'

const logInColumns = sql`log_in_id as "logInId", person, address, user_agent as "userAgent", created_at as "createdAt",
  last_used_at as "lastUsedAt", expires_at as "expiresAt"`

/** A log-in with what must be known to let it in. */
export interface LiveLogIn {
  logInId: string
  person: string | null
  sealedKey: Buffer | null
  lastUsedAt: Date
  displayName: string | null
  role: Role | null
  mustChangePassword: boolean | null
}

export async function insertLogIn(
  executor: Executor,
  logIn: {
    logInId: string
    digest: Buffer
    person: string | null
    sealedKey: Buffer | null
    address: string
    userAgent: string
    expiresAt: Date
    now: Date
  },
): Promise<void> {
  const { logInId, digest, person, sealedKey, address, userAgent, expiresAt, now } = logIn
  await sql`insert into log_ins (log_in_id, token_digest, person, sealed_key, address, user_agent, created_at,
      last_used_at, expires_at)
    values (${logInId}, ${digest}, ${person}, ${sealedKey}, ${address}, ${userAgent}, ${now}, ${now}, ${expiresAt})`.execute(
    executor,
  )
}

/** Those that neither ended nor were left unused; people who may no longer log in have none. */
export async function findLogIn(
  executor: Executor,
  digest: Buffer,
  { now, usedAfter }: { now: Date; usedAfter: Date },
): Promise<LiveLogIn | undefined> {
  const { rows } = await sql<LiveLogIn>`select l.log_in_id as "logInId", l.person, l.sealed_key as "sealedKey",
      l.last_used_at as "lastUsedAt", p.display_name as "displayName", p.role,
      p.must_change_password as "mustChangePassword"
    from log_ins l left join people p on p.name = l.person
    where l.token_digest = ${digest} and l.expires_at > ${now} and l.last_used_at > ${usedAfter}
      and (l.person is null or p.is_active)`.execute(executor)
  const [row] = rows
  return row && { ...row, sealedKey: row.sealedKey && Buffer.from(row.sealedKey) }
}

export async function touchLogIn(executor: Executor, logInId: string, now: Date): Promise<void> {
  await sql`with used as (update log_ins set last_used_at = ${now} where log_in_id = ${logInId} returning person)
    update people set last_seen_at = ${now} from used where people.name = used.person`.execute(executor)
}

/** @param person whose; null: everybody's */
export async function listLogIns(executor: Executor, person: string | null, now: Date): Promise<LogIn[]> {
  const { rows } = await sql<LogIn>`select ${logInColumns} from log_ins
    where expires_at > ${now} and ${person === null ? sql`true` : sql`person = ${person}`}
    order by last_used_at desc, log_in_id limit 1000`.execute(executor)
  return rows
}

/** @param person whose it must be; null: anybody's */
export async function deleteLogIn(executor: Executor, logInId: string, person: string | null): Promise<boolean> {
  const { rows } = await sql`delete from log_ins where log_in_id = ${logInId}
    and ${person === null ? sql`true` : sql`person = ${person}`} returning log_in_id`.execute(executor)
  return rows.length > 0
}

export async function deleteLogInByToken(executor: Executor, digest: Buffer): Promise<void> {
  await sql`delete from log_ins where token_digest = ${digest}`.execute(executor)
}

/** @param except the token of the one that stays */
export async function deleteLogInsOf(executor: Executor, person: string, except: Buffer | null): Promise<void> {
  await sql`delete from log_ins where person = ${person}
    and ${except === null ? sql`true` : sql`token_digest <> ${except}`}`.execute(executor)
}

/** When the last of the blocks ends that any of these are under; null: none. */
export async function blockedUntil(executor: Executor, subjects: readonly string[], now: Date): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`select max(blocked_until) as until from log_in_failures
    where subject = any(${[...subjects]}::text[]) and blocked_until > ${now}`.execute(executor)
  return rows[0]?.until ?? null
}

/** Counts a failure; those of more than a day ago are forgotten. */
export async function countFailure(executor: Executor, subject: string, now: Date): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into log_in_failures (subject, failures, failed_at, blocked_until) values (${subject}, 1, ${now}, ${now})
    on conflict (subject) do update set failed_at = ${now}, failures =
      case when log_in_failures.failed_at < ${now}::timestamptz - interval '1 day' then 1
        else log_in_failures.failures + 1 end
    returning failures`.execute(executor)
  return rows[0]?.failures ?? 1
}

export async function blockUntil(executor: Executor, subject: string, until: Date): Promise<void> {
  await sql`update log_in_failures set blocked_until = ${until} where subject = ${subject}`.execute(executor)
}

export async function forgetFailures(executor: Executor, subjects: readonly string[]): Promise<void> {
  await sql`delete from log_in_failures where subject = any(${[...subjects]}::text[])`.execute(executor)
}
