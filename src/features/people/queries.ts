import { sql } from 'kysely'
import type { Role } from '../../kernel/people.ts'
import type { Executor } from '../../platform/postgres/index.ts'
import type { Member, MemberChange } from './types.ts'

const memberColumns = sql`name, display_name as "displayName", role, is_active as "isActive",
  must_change_password as "mustChangePassword", created_at as "createdAt", last_seen_at as "lastSeenAt"`

export async function listMembers(executor: Executor): Promise<Member[]> {
  const { rows } = await sql<Member>`select ${memberColumns} from people order by name`.execute(executor)
  return rows
}

/** @param isLocked until the transaction ends, with all other admins: the last one must stay */
export async function findMember(executor: Executor, name: string, isLocked = false): Promise<Member | undefined> {
  const { rows } = await sql<Member>`select ${memberColumns} from people where name = ${name}
    ${isLocked ? sql`for update` : sql``}`.execute(executor)
  return rows[0]
}

export async function findPassword(executor: Executor, name: string): Promise<string | null> {
  const { rows } = await sql<{ password: string }>`select password from people where name = ${name}`.execute(executor)
  return rows[0]?.password ?? null
}

export async function countMembers(executor: Executor): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from people`.execute(executor)
  return Number(rows[0]?.count ?? 0)
}

/** Undefined: somebody has the name. */
export async function insertMember(
  executor: Executor,
  member: { name: string; displayName: string; role: Role; password: string; mustChange: boolean },
): Promise<Member | undefined> {
  const { name, displayName, role, password, mustChange } = member
  const { rows } = await sql<Member>`insert into people (name, display_name, role, password, must_change_password)
    values (${name}, ${displayName}, ${role}, ${password}, ${mustChange})
    on conflict (name) do nothing returning ${memberColumns}`.execute(executor)
  return rows[0]
}

export async function updateMember(
  executor: Executor,
  name: string,
  { displayName, role, isActive }: MemberChange,
): Promise<Member | undefined> {
  const { rows } = await sql<Member>`update people set display_name = coalesce(${displayName ?? null}, display_name),
      role = coalesce(${role ?? null}, role), is_active = coalesce(${isActive ?? null}::boolean, is_active),
      updated_at = now()
    where name = ${name} returning ${memberColumns}`.execute(executor)
  return rows[0]
}

export async function updatePassword(
  executor: Executor,
  name: string,
  password: string,
  mustChange: boolean,
): Promise<boolean> {
  const { rows } = await sql`update people set password = ${password}, must_change_password = ${mustChange},
      updated_at = now() where name = ${name} returning name`.execute(executor)
  return rows.length > 0
}

export async function deleteMember(executor: Executor, name: string): Promise<Member | undefined> {
  const { rows } = await sql<Member>`delete from people where name = ${name} returning ${memberColumns}`.execute(
    executor,
  )
  return rows[0]
}

/**
 * Admins who may log in, locked in one order until the transaction ends, so that of two who leave at once one stays. Before any
 * other row is locked: otherwise two would wait for each other.
 */
export async function lockAdmins(executor: Executor): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from people where role = 'admin' and is_active
    order by name for update`.execute(executor)
  return rows.map((row) => row.name)
}
