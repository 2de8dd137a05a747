import { sql } from 'kysely'
import { type Database, type Executor, notify, toJson } from '../../platform/postgres/index.ts'
import type { BucketCount, Count } from './types.ts'

/** Carries the id of the replica that cleared its cache. */
export const CACHE_CHANNEL = 'reply_cache'

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

/** What was counted in buckets that begin after `after`. */
export async function sumBuckets(executor: Executor, after: Date): Promise<Count[]> {
  const { rows } = await sql<Count>`select name, label, sum(count)::bigint as count, sum(total) as total
    from metric_buckets where bucket_at > ${after} group by name, label`.execute(executor)
  return rows
}

/** What was counted since the first start. */
export async function readTotals(executor: Executor, name: string): Promise<Count[]> {
  const { rows } = await sql<Count>`select name, label, count, total from metric_totals
    where name = ${name}`.execute(executor)
  return rows
}

/** Grows with every change of what is searchable; a row of the knowledge base's, read only. */
export async function readKnowledgeRevision(executor: Executor): Promise<number | null> {
  const { rows } = await sql<{ revision: number }>`select revision from knowledge_state`.execute(executor)
  return rows[0]?.revision ?? null
}

export function announceClearing(db: Database, replicaId: string): Promise<void> {
  return notify(db, db.executor, CACHE_CHANNEL, replicaId)
}
