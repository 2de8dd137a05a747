import { sql } from 'kysely'
import { type Executor, toJson } from '../../../platform/postgres/index.ts'

/** How often something was counted, and the sum of the values that came with it. */
export interface Count {
  name: string
  label: string
  count: number
  total: number
}

export interface BucketCount extends Count {
  bucketAt: Date
}

/** Adds to the buckets of all replicas and to the totals. */
export async function addCounts(executor: Executor, counts: readonly BucketCount[]): Promise<void> {
  // In one order everywhere, so that two replicas never wait for each other's rows.
  await sql`with input as (
      select * from jsonb_to_recordset(${toJson(counts)}::jsonb)
        as r("bucketAt" timestamptz, name text, label text, count bigint, total double precision)
    ), totals as (
      insert into metric_totals as t (name, label, count, total)
      select name, label, sum(count), sum(total) from input group by name, label order by name, label
      on conflict (name, label) do update set count = t.count + excluded.count, total = t.total + excluded.total
    )
    insert into metric_buckets as b (bucket_at, name, label, count, total)
    select "bucketAt", name, label, count, total from input order by "bucketAt", name, label
    on conflict (bucket_at, name, label)
      do update set count = b.count + excluded.count, total = b.total + excluded.total`.execute(executor)
}

/** Counts in buckets that begin after `after`. */
export async function sumBuckets(executor: Executor, after: Date): Promise<Count[]> {
  const { rows } = await sql<Count>`select name, label, sum(count)::bigint as count, sum(total) as total
    from metric_buckets where bucket_at > ${after} group by name, label`.execute(executor)
  return rows
}

/** Counts since the first start. */
export async function readTotals(executor: Executor, name: string): Promise<Count[]> {
  const { rows } = await sql<Count>`select name, label, count, total from metric_totals
    where name = ${name}`.execute(executor)
  return rows
}
