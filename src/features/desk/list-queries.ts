import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { DeskCounts, DeskCursor, DeskFilter, DeskRow } from './types.ts'

/** Statements that read conversations as lists; whoever owns a conversation's tables changes them. */

const MAX_UNREAD = 100
const MAX_COUNTED = 10_000

/** Of a conversation that is read for a list; `s` is its session. */
const rowColumns = (reader: string) => sql`s.session_id as "sessionId", s.user_id as "userId", s.channel,
  s.agent_status as "agentStatus", s.agent_id as "agentId", s.priority, s.turn_count as "turnCount", s.intent,
  s.created_at as "createdAt", s.updated_at as "updatedAt",
  s.updated_at::text as "updatedKey", s.escalated_at as "escalatedAt", s.resolved_at as "resolvedAt",
  case when s.agent_status = 'pending' then s.escalated_at when s.agent_status = 'assigned' then (
    select case when min(m.created_at) is not null then greatest(min(m.created_at), s.escalated_at) end
    from chat_messages m where m.session_id = s.session_id and m.role = 'user' and m.seq > (
      select coalesce(max(a.seq), 0) from chat_messages a where a.session_id = s.session_id and a.role = 'agent'))
  end as "waitingSince",
  (select count(*) from (select from chat_messages m where m.session_id = s.session_id and m.role = 'user'
    and m.seq > ${readUpTo(reader)} limit ${MAX_UNREAD}) unread) as unread,
  coalesce((select jsonb_agg(jsonb_build_object('labelId', l.label_id, 'name', l.name, 'colour', l.colour)
      order by lower(l.name), l.label_id)
    from desk_session_labels o join desk_labels l using (label_id) where o.session_id = s.session_id), '[]') as labels,
  (select r.score from session_ratings r where r.session_id = s.session_id order by r.resolution desc limit 1) as rating,
  (select jsonb_build_object('messageId', m.message_id, 'role', m.role, 'content', left(m.content, 1000),
      'createdAt', m.created_at, 'details', m.details)
    from chat_messages m where m.session_id = s.session_id and m.role <> 'system'
    order by s.agent_status is not distinct from 'pending' and m.role = 'user' desc, m.seq desc limit 1) as last`

const readUpTo = (reader: string) => sql`coalesce((select r.seq from desk_reads r
  where r.session_id = s.session_id and r.reader = ${reader}), 0)`

/** Of a session `s`. */
export function conditionsOf(filter: DeskFilter, reader: string) {
  const { status, agentId, channel, user, labelId, from, to, isUnread } = filter
  return [
    sql`true`,
    ...(status === undefined
      ? []
      : [status === 'none' ? sql`s.agent_status is null` : sql`s.agent_status = ${status}`]),
    ...(agentId === undefined ? [] : [sql`s.agent_id = ${agentId}`]),
    ...(channel === undefined ? [] : [sql`s.channel = ${channel}`]),
    // With the channels, of which there are few, the index on a channel's users serves.
    ...(user
      ? [sql`s.user_id = ${user.id} and s.user_id <> '' and s.channel = any(${[...user.channels]}::text[])`]
      : []),
    ...(labelId === undefined
      ? []
      : [
          sql`exists (select from desk_session_labels o where o.session_id = s.session_id and o.label_id = ${labelId})`,
        ]),
    ...(from === undefined ? [] : [sql`s.updated_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`s.updated_at < ${to}`]),
    ...(isUnread
      ? [
          sql`exists (select from chat_messages m where m.session_id = s.session_id and m.role = 'user'
            and m.seq > ${readUpTo(reader)})`,
        ]
      : []),
  ]
}

/**
 * The latest activity first.
 *
 * @param words conversations alone in which one message holds all of them
 */
export async function listRows(
  executor: Executor,
  {
    filter,
    reader,
    before,
    limit,
    words = [],
  }: { filter: DeskFilter; reader: string; before: DeskCursor | null; limit: number; words?: readonly number[] },
): Promise<DeskRow[]> {
  const conditions = conditionsOf(filter, reader)
  if (before)
    conditions.push(sql`(s.updated_at, s.session_id) < (${before.updatedAt}::timestamptz, ${before.sessionId})`)
  if (words.length > 0) {
    conditions.push(sql`exists (select from chat_messages m join desk_words w on w.seq = m.seq
      where m.session_id = s.session_id and w.words @> ${[...words]}::integer[])`)
  }
  const { rows } = await sql<DeskRow>`with page as materialized (
      select s.session_id from chat_sessions s where ${sql.join(conditions, sql` and `)}
      order by s.updated_at desc, s.session_id desc limit ${limit})
    select ${rowColumns(reader)} from page join chat_sessions s using (session_id)
    order by s.updated_at desc, s.session_id desc`.execute(executor)
  return rows.map(withDate)
}

/** Of the given conversations those that the filter lets through, in no order. */
export async function findRows(
  executor: Executor,
  { sessionIds, filter, reader }: { sessionIds: readonly string[]; filter: DeskFilter; reader: string },
): Promise<DeskRow[]> {
  const conditions = [sql`s.session_id = any(${[...sessionIds]}::text[])`, ...conditionsOf(filter, reader)]
  const { rows } = await sql<DeskRow>`select ${rowColumns(reader)} from chat_sessions s
    where ${sql.join(conditions, sql` and `)}`.execute(executor)
  return rows.map(withDate)
}

/** Conversations of which a text is the id, or the id of their customer. */
export async function findByName(
  executor: Executor,
  { id: name, channels }: NonNullable<DeskFilter['user']>,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where session_id = ${name} or (user_id = ${name} and user_id <> '' and channel = any(${[...channels]}::text[]))
    order by updated_at desc limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

export async function countRows(executor: Executor, reader: string): Promise<DeskCounts> {
  const { rows } = await sql<DeskCounts>`select
    (select count(*) from chat_sessions where agent_status = 'assigned' and agent_id = ${reader}) as mine,
    (select count(*) from chat_sessions where agent_status = 'pending') as waiting,
    (select count(*) from chat_sessions where agent_status = 'assigned') as assigned,
    (select count(*) from (select from chat_sessions limit ${MAX_COUNTED}) counted) as all`.execute(executor)
  return rows[0] as DeskCounts
}

function withDate(row: DeskRow): DeskRow {
  return { ...row, last: row.last && { ...row.last, createdAt: new Date(row.last.createdAt) } }
}

/** Marks a conversation as read up to a message, or to its end. Undefined: there is no such conversation or message. */
export async function saveRead(
  executor: Executor,
  { sessionId, reader, messageId }: { sessionId: string; reader: string; messageId: string | null },
): Promise<number | undefined> {
  const upTo = messageId === null ? sql`true` : sql`m.message_id = ${messageId}`
  const { rows } = await sql<{ seq: number }>`insert into desk_reads (session_id, reader, seq)
    select m.session_id, ${reader}, m.seq from chat_messages m where m.session_id = ${sessionId} and ${upTo}
    order by m.seq desc limit 1
    on conflict (session_id, reader) do update set seq = excluded.seq, read_at = now() returning seq`.execute(executor)
  return rows[0]?.seq
}

export async function deleteRead(executor: Executor, sessionId: string, reader: string): Promise<void> {
  await sql`delete from desk_reads where session_id = ${sessionId} and reader = ${reader}`.execute(executor)
}
