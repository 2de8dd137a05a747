import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'

export interface SessionCounts {
  sessions: number
  escalated: number
  resolved: number
}

export interface AskedQuestion {
  question: string
  count: number
  /** Those in which it was asked; empty where nobody wants to know. */
  sessions: string[]
}

/**
 * How the conversations stand; sessions and traces are others' own, here they are only read. Resolved: a person said so,
 * or none was needed, the last answer was a confident one, and the customer's last rating does not say otherwise.
 */
export async function countSessions(executor: Executor): Promise<SessionCounts> {
  const { rows } = await sql<SessionCounts>`with rated as (
      select distinct on (session_id) session_id, rating from chat_feedback order by session_id, created_at desc
    )
    select count(*) as sessions,
      count(*) filter (where escalated_at is not null) as escalated,
      count(*) filter (where agent_status = 'resolved'
        or (escalated_at is null and failed_attempts = 0 and turn_count > 0
          and rating is distinct from 'down')) as resolved
    from chat_sessions left join rated using (session_id)`.execute(executor)
  return rows[0] as SessionCounts
}

/** The most frequent among the last `messages` messages that ask something, as they were written. */
export async function frequentQuestions(
  executor: Executor,
  { messages, limit, withSessions }: { messages: number; limit: number; withSessions: boolean },
): Promise<AskedQuestion[]> {
  const { rows } = await sql<AskedQuestion>`with recent as (
      select seq, session_id, role, content, intent from chat_messages order by seq desc limit ${messages}
    ), answered as (
      select session_id, role, content, lead(intent) over (partition by session_id order by seq) as intent from recent
    )
    select min(trim(content)) as question, count(*) as count,
      coalesce(array_agg(distinct session_id) filter (where ${withSessions}), '{}') as sessions
    from answered
    where role = 'user' and length(content) <= 500 and coalesce(intent, '') not in ('chitchat', 'human')
    group by lower(trim(content)) order by count desc, question limit ${limit}`.execute(executor)
  return rows
}
