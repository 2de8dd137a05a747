import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { Rating, RatingFilter } from './types.ts'

const ratingColumns = sql`session_id as "sessionId", resolution, score, comment, agent_id as "agentId",
  created_at as "createdAt", updated_at as "updatedAt"`

/** Hours in which a rating may be given, and changed. */
const OPEN_HOURS = 24

/** The latest resolution of a session, and whether it may still be rated; undefined: no person has resolved it. */
export async function findResolution(
  executor: Executor,
  sessionId: string,
): Promise<{ resolution: number; agentId: string | null; isOpen: boolean } | undefined> {
  const { rows } = await sql<{ resolution: number; agentId: string | null; isOpen: boolean }>`
    select seq as resolution, details->>'agentId' as "agentId",
      created_at > now() - make_interval(hours => ${OPEN_HOURS}) as "isOpen"
    from chat_messages where session_id = ${sessionId} and role = 'system' and details->>'event' = 'resolved'
    order by seq desc limit 1`.execute(executor)
  return rows[0]
}

/** The last rating of a resolution counts. */
export async function saveRating(
  executor: Executor,
  rating: Omit<Rating, 'createdAt' | 'updatedAt'>,
): Promise<Rating & { isNew: boolean }> {
  const { sessionId, resolution, score, comment, agentId } = rating
  const { rows } = await sql<Rating & { isNew: boolean }>`
    insert into session_ratings (session_id, resolution, score, comment, agent_id)
    values (${sessionId}, ${resolution}, ${score}, ${comment}, ${agentId})
    on conflict (session_id, resolution) do update set score = excluded.score, comment = excluded.comment,
      updated_at = now()
    returning ${ratingColumns}, xmax = 0 as "isNew"`.execute(executor)
  return rows[0] as Rating & { isNew: boolean }
}

export async function findRating(
  executor: Executor,
  { sessionId, resolution }: { sessionId: string; resolution: number },
): Promise<Rating | undefined> {
  const { rows } = await sql<Rating>`select ${ratingColumns} from session_ratings
    where session_id = ${sessionId} and resolution = ${resolution}`.execute(executor)
  return rows[0]
}

/** The newest first; `before` goes on behind a time and a session. */
export async function listRatings(
  executor: Executor,
  filter: RatingFilter,
  page: { before: readonly [time: string, resolution: string] | null; limit: number },
): Promise<(Rating & { createdKey: string })[]> {
  const { agentId, score, sessionId, from, to } = filter
  const { before, limit } = page
  const conditions = [
    sql`true`,
    ...(agentId === undefined ? [] : [sql`agent_id = ${agentId}`]),
    ...(score === undefined ? [] : [sql`score = ${score}`]),
    ...(sessionId === undefined ? [] : [sql`session_id = ${sessionId}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
    ...(before ? [sql`(created_at, session_id) < (${before[0]}::timestamptz, ${before[1]})`] : []),
  ]
  const { rows } = await sql<Rating & { createdKey: string }>`select ${ratingColumns}, created_at::text as "createdKey"
    from session_ratings where ${sql.join(conditions, sql` and `)}
    order by created_at desc, session_id desc limit ${limit}`.execute(executor)
  return rows
}
