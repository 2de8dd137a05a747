import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { PresenceState, StoredPresence } from './types.ts'

/** The state until now; undefined: nothing was heard for `freshSeconds`. */
export async function savePresence(
  executor: Executor,
  { name, state, freshSeconds }: { name: string; state: PresenceState; freshSeconds: number },
): Promise<PresenceState | undefined> {
  const { rows } = await sql<{ before: PresenceState | null }>`with before as (
      select state from desk_presence where name = ${name} and seen_at > now() - make_interval(secs => ${freshSeconds}))
    insert into desk_presence as p (name, state) values (${name}, ${state})
    on conflict (name) do update set state = excluded.state, seen_at = now()
    returning (select state from before) as before`.execute(executor)
  return rows[0]?.before ?? undefined
}

/** Everybody who was ever there, by name, with the conversations that they have. */
export async function listPresence(executor: Executor, freshSeconds: number): Promise<StoredPresence[]> {
  const { rows } = await sql<StoredPresence>`select name, seen_at as "seenAt",
      case when seen_at > now() - make_interval(secs => ${freshSeconds}) then state else 'offline' end as state,
      (select count(*) from chat_sessions s where s.agent_status = 'assigned' and s.agent_id = name) as "openSessions"
    from desk_presence order by name limit 1000`.execute(executor)
  return rows
}
