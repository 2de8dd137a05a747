import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'
import type { Division, Work } from './types.ts'

const MAX_ROWS = 1_000

interface Period {
  from: Date
  to: Date
}

/** The last thing before a message that happened to its session's owner. */
const eventBefore = sql`left join lateral (select h.details->>'event' as event, h.created_at from chat_messages h
  where h.session_id = m.session_id and h.seq < m.seq and h.role = 'system' and h.details ? 'event'
  order by h.seq desc limit 1) earlier on true`

/** When the session was last given to whoever had it. */
const givenBefore = sql`left join lateral (select h.created_at from chat_messages h
  where h.session_id = m.session_id and h.seq < m.seq and h.role = 'system'
    and h.details->>'event' in ('accepted', 'transferred') order by h.seq desc limit 1) given on true`

/** The call since which no person has said anything. */
const unansweredCall = sql`left join lateral (select h.seq, h.created_at from chat_messages h
    where h.session_id = m.session_id and h.seq < m.seq and h.role = 'system' and h.details->>'event' = 'handoff'
    order by h.seq desc limit 1) called on not exists (select from chat_messages e
  where e.session_id = m.session_id and e.role = 'agent' and e.seq > called.seq and e.seq < m.seq)`

/** Deeds of people: which fact, of which session, when, by whom, and its seconds or score. */
const facts = ({ from, to }: Period) => {
  const within = sql`m.created_at >= ${from} and m.created_at < ${to}`
  const seconds = (since: ReturnType<typeof sql>) => sql`extract(epoch from m.created_at - ${since})::float8`
  return sql`
    select 'taken' as fact, m.session_id, m.created_at as at, m.details->>'agentId' as person,
      case when earlier.event in ('handoff', 'released') then ${seconds(sql`earlier.created_at`)} end as value
    from chat_messages m ${eventBefore}
    where m.role = 'system' and m.details->>'event' in ('accepted', 'transferred') and ${within}
    union all
    select 'resolved', m.session_id, m.created_at, m.details->>'agentId', ${seconds(sql`given.created_at`)}
    from chat_messages m ${givenBefore}
    where m.role = 'system' and m.details->>'event' = 'resolved' and ${within}
    union all
    select 'message', m.session_id, m.created_at, m.details->>'agentId', ${seconds(sql`called.created_at`)}
    from chat_messages m ${unansweredCall} where m.role = 'agent' and ${within}
    union all
    select 'rating', session_id, created_at, agent_id, score::float8 from session_ratings
    where created_at >= ${from} and created_at < ${to}`
}

const KEY_OF = {
  person: sql`coalesce(person, '')`,
  label: sql`coalesce(l.label_id, '')`,
  channel: sql`s.channel`,
  day: sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  none: sql`''::text`,
} as const

const LABELS = sql`left join desk_session_labels o on o.session_id = s.session_id
  left join desk_labels l on l.label_id = o.label_id`

const spread = (fact: string) => {
  const part = (share: number) => sql`percentile_cont(${share}::float8) within group (order by value)
    filter (where fact = ${fact} and value is not null)`
  return sql`jsonb_build_object('median', ${part(0.5)}, 'p90', ${part(0.9)})`
}

/** By key; `none`: all in one. A conversation with several labels counts for each. */
export async function listWork(executor: Executor, period: Period, by: Division | 'none'): Promise<Work[]> {
  const isByLabel = by === 'label'
  const { rows } = await sql<Work>`with facts as (${facts(period)})
    select ${KEY_OF[by]} as key, ${isByLabel ? sql`max(l.name)` : sql`null`} as name,
      (count(*) filter (where fact = 'taken'))::integer as taken,
      (count(*) filter (where fact = 'resolved'))::integer as resolved,
      (count(*) filter (where fact = 'message'))::integer as messages,
      ${spread('message')} as "firstResponse", ${spread('resolved')} as handling, ${spread('taken')} as waiting,
      (count(*) filter (where fact = 'rating'))::integer as ratings,
      avg(value) filter (where fact = 'rating') as "averageRating"
    from facts join chat_sessions s using (session_id) ${isByLabel ? LABELS : sql``}
    group by 1 order by 1 limit ${MAX_ROWS}`.execute(executor)
  return rows
}
