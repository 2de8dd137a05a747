import { sql } from 'kysely'
import type { Executor } from '../../../platform/postgres/index.ts'

/** Pairs of passages that a person found to be right as they are, known by the hashes of their texts. */

export interface Pair {
  a: number
  b: number
}

const textA = sql`least(md5(a.content), md5(b.content))`
const textB = sql`greatest(md5(a.content), md5(b.content))`
const passages = sql`knowledge_chunks a, knowledge_chunks b`

/** Accepts a pair, or no longer. @returns false for passages that are not there */
export async function setAccepted(
  executor: Executor,
  { a, b }: Pair,
  accepted: { by: string | null } | null,
): Promise<boolean> {
  const isPair = sql`a.chunk_id = ${a} and b.chunk_id = ${b}`
  const { rows } = await sql<{ found: number }>`select 1 as found from ${passages} where ${isPair}`.execute(executor)
  if (rows.length === 0) return false
  if (accepted === null) {
    await sql`delete from knowledge_accepted_pairs p using ${passages}
      where ${isPair} and p.text_a = ${textA} and p.text_b = ${textB}`.execute(executor)
    return true
  }
  await sql`insert into knowledge_accepted_pairs (text_a, text_b, accepted_by)
    select ${textA}, ${textB}, ${accepted.by} from ${passages} where ${isPair} on conflict do nothing`.execute(executor)
  return true
}

/** Which of the pairs are accepted, as `a b`. */
export async function readAccepted(executor: Executor, pairs: readonly Pair[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const asked = sql`unnest(${pairs.map(({ a }) => a)}::bigint[], ${pairs.map(({ b }) => b)}::bigint[]) as pair (a, b)`
  const { rows } = await sql<Pair>`select pair.a::float8 as a, pair.b::float8 as b from ${asked}
    join knowledge_chunks a on a.chunk_id = pair.a join knowledge_chunks b on b.chunk_id = pair.b
    join knowledge_accepted_pairs p on p.text_a = ${textA} and p.text_b = ${textB}`.execute(executor)
  return new Set(rows.map(keyOf))
}

export function keyOf({ a, b }: Pair): string {
  return `${a} ${b}`
}
