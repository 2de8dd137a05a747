import { sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { ExportPage, ExportPlace, ExportTable, Subject } from './types.ts'

/** Rows as they are stored, a page at a time, without what is only there for the service itself. */

const ROWS = 200

/** The customer's sessions after one, by id. */
export async function pageSessionIds(
  executor: Executor,
  userIds: readonly string[],
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions
    where user_id = any(${[...userIds]}::text[]) and user_id <> '' and session_id > ${after}
    order by session_id limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

/** Rows that belong to one of `owners`, after a place in their order. */
export async function pageRows(
  executor: Executor,
  { table, owner, key, hidden }: ExportTable,
  owners: readonly string[],
  after: ExportPlace | null,
): Promise<ExportPage> {
  const [of, by] = [sql.ref(`t.${owner}`), sql.ref(`t.${key}`)]
  const beyond = after === null ? sql`true` : sql`(${of}, ${by}) > (${after.owner}, ${after.key})`
  const { rows } = await sql<{ item: object; owner: string; key: string }>`
    select to_jsonb(t) - ${[...hidden]}::text[] as item, ${of} as owner, ${by}::text as key
    from ${sql.table(table)} t
    where ${of} = any(${[...owners]}::text[]) and ${beyond}
    order by ${of}, ${by} limit ${ROWS}`.execute(executor)
  return pageOf(rows)
}

export async function pageChannelMessages(
  executor: Executor,
  { onChannels }: Subject,
  after: ExportPlace | null,
): Promise<ExportPage> {
  const beyond =
    after === null ? sql`true` : sql`(m.channel || ' ' || m.user_id, m.message_id) > (${after.owner}, ${after.key})`
  const { rows } = await sql<{ item: object; owner: string; key: string }>`
    select to_jsonb(m) - '{owner,lease_expires_at}'::text[] as item, m.channel || ' ' || m.user_id as owner, m.message_id as key
    from gateway_messages m
    where (m.channel, m.user_id) in (select * from unnest(${onChannels.map(({ channel }) => channel)}::text[],
      ${onChannels.map(({ name }) => name)}::text[])) and ${beyond}
    order by 2, 3 limit ${ROWS}`.execute(executor)
  return pageOf(rows)
}

function pageOf(rows: { item: object; owner: string; key: string }[]): ExportPage {
  const last = rows.at(-1)
  const next = last && rows.length === ROWS ? { owner: last.owner, key: last.key } : null
  return { items: rows.map(({ item }) => item), next }
}
