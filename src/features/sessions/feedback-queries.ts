import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { Source, StoredMessage } from './types.ts'

/** A rating with what was rated. */
export interface Rated {
  messageId: string
  sessionId: string
  rating: 'up' | 'down'
  comment: string | null
  ratedAt: Date
  role: StoredMessage['role']
  reply: string
  intent: string | null
  sources: Source[] | null
  /** Of a reply of the assistant. */
  traceId: string | null
  /** Of a message of a person. */
  agentId: string | null
  /** The customer's last words before it; null: nothing. */
  question: string | null
}

/** Where a page ended. */
export interface RatedPosition {
  atMs: number
  messageId: string
}

export interface FeedbackFilter {
  rating: Rated['rating'] | null
  sessionId: string | null
  from: Date | null
  to: Date | null
  before: RatedPosition | null
  limit: number
}

/** The last given first; each reply has its last rating. */
export async function listFeedback(executor: Executor, filter: FeedbackFilter): Promise<(Rated & RatedPosition)[]> {
  const { rating, sessionId, from, to, before, limit } = filter
  const conditions = [
    sql`true`,
    rating !== null && sql`f.rating = ${rating}`,
    sessionId !== null && sql`f.session_id = ${sessionId}`,
    from !== null && sql`f.created_at >= ${from}`,
    to !== null && sql`f.created_at < ${to}`,
    before !== null && sql`(f.at_ms, f.message_id) < (${before.atMs}::bigint, ${before.messageId})`,
  ].filter((condition) => condition !== false)
  const { rows } = await sql<Rated & RatedPosition>`select f.message_id as "messageId", f.session_id as "sessionId",
      f.rating, f.comment, f.created_at as "ratedAt", f.at_ms as "atMs", m.role, m.content as reply, m.intent, m.sources,
      m.details->>'traceId' as "traceId", m.details->>'agentId' as "agentId", asked.content as question
    from (select *, floor(extract(epoch from created_at) * 1000)::bigint as at_ms from chat_feedback) f
    join chat_messages m on m.message_id = f.message_id
    left join lateral (select content from chat_messages q where q.session_id = m.session_id and q.seq < m.seq
        and q.role = 'user' and (q.details ? 'guest') = (m.details ? 'guest') order by q.seq desc limit 1) asked on true
    where ${sql.join(conditions, sql` and `)}
    order by f.at_ms desc, f.message_id desc limit ${limit}`.execute(executor)
  return rows
}
