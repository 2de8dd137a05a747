import { type RawBuilder, sql } from 'kysely'
import type { Executor } from '../../platform/postgres/index.ts'
import type { Bounded } from './holdings.ts'
import type { ExportPlace, OwnedTable, Owners } from './types.ts'

/** Rows of any table, some at a time: shown to whom they belong, or removed. */

export { claimTask } from '../../platform/postgres/index.ts'

const PAGE = 200
const DAY_MS = 86_400_000

/** Rows of the owners after a place in their order, as they are stored, without what is the service's own. */
export async function pageRows(
  executor: Executor,
  { table, of, key, hidden }: OwnedTable,
  owners: Owners,
  after: ExportPlace | null,
) {
  const owner = of === 'channel_user' ? sql`t.channel || ' ' || t.user_id` : sql.ref(`t.${of}`)
  const by = sql.ref(`t.${key}`)
  const beyond = after === null ? sql`true` : sql`(${owner}, ${by}) > (${after.owner}, ${after.key})`
  const { rows } = await sql<{ item: object; owner: string; key: string }>`
    select to_jsonb(t) - ${[...hidden]}::text[] as item, ${owner} as owner, ${by}::text as key
    from ${sql.table(table)} t where ${isOwned(of, owners)} and ${beyond} order by 2, ${by} limit ${PAGE}`.execute(
    executor,
  )
  const last = rows.at(-1)
  // Null: it was the last page.
  const next = last && rows.length === PAGE ? { owner: last.owner, key: last.key } : null
  return { items: rows.map(({ item }) => item), next }
}

export function deleteOwned(executor: Executor, { table, of }: OwnedTable, owners: Owners, limit: number) {
  return deleteSome(executor, table, sql`where ${isOwned(of, owners)}`, limit)
}

/** Rows that are older than so many days before `now`, or all but the newest so many. */
export function deleteBeyond(executor: Executor, bound: Bounded, now: number, limit: number) {
  const column = sql.ref(bound.column)
  const which =
    'days' in bound
      ? sql`where ${column} < ${new Date(now - bound.days * DAY_MS)} order by ${column}`
      : sql`order by ${column} desc offset ${bound.newest}`
  return deleteSome(executor, bound.table, which, limit)
}

function isOwned(of: OwnedTable['of'], owners: Owners): RawBuilder<unknown> {
  if (of !== 'channel_user') return sql`${sql.ref(`t.${of}`)} = any(${[...owners[of]]}::text[])`
  const { channel_user: users } = owners
  return sql`(t.channel, t.user_id) in (select * from unnest(${users.map(({ channel }) => channel)}::text[],
    ${users.map(({ name }) => name)}::text[]))`
}

/** Up to `limit` rows; how many those were. */
async function deleteSome(
  executor: Executor,
  table: string,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ctid = any(array(
    select t.ctid from ${sql.table(table)} t ${which} limit ${limit}))`.execute(executor)
  return Number(numAffectedRows)
}
