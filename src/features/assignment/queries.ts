import { sql } from 'kysely'
import { type Executor, toJson } from '../../platform/postgres/index.ts'
import type { AssignmentSettings, Candidate, Team } from './types.ts'

const teamColumns = sql`team_id as "teamId", name, members, channels, languages`

export async function listTeams(executor: Executor): Promise<Team[]> {
  const { rows } = await sql<Team>`select ${teamColumns} from desk_teams order by lower(name)`.execute(executor)
  return rows
}

/** False: another team has the name. */
export async function saveTeam(
  executor: Executor,
  { teamId, name, members, channels, languages }: Team,
): Promise<boolean> {
  const { rows } = await sql`insert into desk_teams (team_id, name, members, channels, languages)
    select ${teamId}, ${name}, ${members}::text[], ${channels}::text[], ${languages}::text[]
    where not exists (select from desk_teams where lower(name) = lower(${name}) and team_id <> ${teamId})
    on conflict (team_id) do update set name = excluded.name, members = excluded.members,
      channels = excluded.channels, languages = excluded.languages
    returning team_id`.execute(executor)
  return rows.length > 0
}

export async function findTeam(executor: Executor, teamId: string): Promise<Team | undefined> {
  const { rows } = await sql<Team>`select ${teamColumns} from desk_teams where team_id = ${teamId}`.execute(executor)
  return rows[0]
}

export async function deleteTeam(executor: Executor, teamId: string): Promise<Team | undefined> {
  const { rows } = await sql<Team>`delete from desk_teams where team_id = ${teamId} returning ${teamColumns}`.execute(
    executor,
  )
  return rows[0]
}

export async function findSettings(executor: Executor): Promise<AssignmentSettings | undefined> {
  const { rows } = await sql<{ settings: AssignmentSettings }>`select settings from desk_assignment`.execute(executor)
  return rows[0]?.settings
}

export async function saveSettings(executor: Executor, settings: AssignmentSettings, by: string | null): Promise<void> {
  await sql`insert into desk_assignment (settings, updated_by) values (${toJson(settings)}::jsonb, ${by})
    on conflict (only_row) do update set settings = excluded.settings, updated_by = excluded.updated_by,
      updated_at = now()`.execute(executor)
}

/** Those who are online and may log in, or whom a program with the key reports. */
export async function listCandidates(executor: Executor, freshSeconds: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`select p.name,
      (select count(*) from chat_sessions s where s.agent_status = 'assigned' and s.agent_id = p.name) as "openSessions",
      (select max(accepted_at) from chat_sessions s where s.agent_id = p.name) as "lastTakenAt"
    from desk_presence p left join people on people.name = p.name
    where p.state = 'online' and p.seen_at > now() - make_interval(secs => ${freshSeconds})
      and coalesce(people.is_active, true)`.execute(executor)
  return rows
}

/** Customers who wait for longer than the target of their priority, for a person or for their answer. */
export async function countOverdue(executor: Executor, targets: AssignmentSettings['targets']): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from chat_sessions s
    join jsonb_each_text(${toJson(targets)}::jsonb) target on target.key = s.priority
    where s.agent_status in ('pending', 'assigned') and coalesce(case when s.agent_status = 'pending' then s.escalated_at
      else (select min(m.created_at) from chat_messages m where m.session_id = s.session_id and m.role = 'user' and m.seq > (
        select coalesce(max(a.seq), 0) from chat_messages a where a.session_id = s.session_id and a.role = 'agent'))
      end, now()) < now() - make_interval(secs => target.value::double precision * 60)`.execute(executor)
  return rows[0]?.count ?? 0
}
