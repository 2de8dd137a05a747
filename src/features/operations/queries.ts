import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { AskedQuestion, SessionCounts } from './types.ts'

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

/** Of the turns whose trace is kept; 0 while there is none. */
export async function averageTurnMs(executor: Executor): Promise<number> {
  const { rows } = await sql<{ average: number }>`select coalesce(avg(duration_ms), 0) as average
    from traces`.execute(executor)
  return rows[0]?.average ?? 0
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

/** Whether there is a chunk that can be found. */
export async function hasChunks(executor: Executor): Promise<boolean> {
  const { rows } = await sql`select 1 from knowledge_chunks where collection = 'main' limit 1`.execute(executor)
  return rows.length > 0
}

/** Lengths of the vectors that are served, and how many chunks have none. */
export async function readVectorState(executor: Executor): Promise<{ dimensions: number[]; missing: number }> {
  const { rows } = await sql<{ dimensions: number[]; missing: number }>`with serving as (
      select generation from knowledge_embedding_generations where status = 'serving'
    )
    select coalesce((select array_agg(distinct vector_dims(embedding)) from knowledge_embeddings
        where collection = 'main' and generation in (select generation from serving)), '{}') as dimensions,
      (select count(*) from knowledge_chunks c where collection = 'main' and not exists (
        select 1 from knowledge_embeddings e where e.chunk_id = c.chunk_id
          and e.generation in (select generation from serving))) as missing`.execute(executor)
  return rows[0] as { dimensions: number[]; missing: number }
}
