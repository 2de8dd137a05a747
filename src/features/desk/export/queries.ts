import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import { conditionsOf } from '../list-queries.ts'
import type { DeskFilter } from '../types.ts'
import type { ExportedSession } from './service.ts'

/** By id, which never changes: activity while pages are read neither hides nor repeats a conversation. */
export async function listForExport(
  executor: Executor,
  { filter, after, limit }: { filter: DeskFilter; after: string; limit: number },
): Promise<ExportedSession[]> {
  const conditions = [...conditionsOf(filter, ''), sql`s.session_id > ${after}`]
  const { rows } = await sql<ExportedSession>`select s.session_id as "sessionId", s.user_id as "userId", s.channel,
      s.agent_status as "agentStatus", s.agent_id as "agentId",
      array(select l.name from desk_session_labels o join desk_labels l using (label_id)
        where o.session_id = s.session_id order by lower(l.name), l.label_id) as labels
    from chat_sessions s where ${sql.join(conditions, sql` and `)} order by s.session_id limit ${limit}`.execute(
    executor,
  )
  return rows
}
