import type { PGlite } from '@electric-sql/pglite'

/** What autovacuum is on a server: the embedded database has no background processes, so this fills quiet moments. */
export interface Maintenance {
  /** Call it with every request: work starts when there was none for a while. */
  postpone(): void
  stop(): void
}

const IDLE_MS = 3_000

/**
 * The table in greatest need, by autovacuum's default thresholds
 * (https://www.postgresql.org/docs/18/routine-vacuuming.html). Searches pass dead rows one by one: after 24 revisions of
 * 400 passages a search took three times as long, and as long as at first after this.
 */
const NEEDY_TABLE = `
  select quote_ident(s.schemaname) || '.' || quote_ident(s.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid, greatest(c.reltuples, 0) as live
  where s.n_dead_tup > 50 + 0.2 * live or s.n_ins_since_vacuum > 1000 + 0.2 * live
    or s.n_mod_since_analyze > 50 + 0.1 * live
  order by s.n_dead_tup desc, s.n_mod_since_analyze desc limit 1`

/** Above it a merge of everything would hold up requests for seconds: about 1 s of it for each 30 MB. */
const MAX_MERGED_BYTES = 128 * 2 ** 20

/**
 * A text index in several segments, and what makes them fewer: all into one, or what a single step merges of a large
 * index. New passages gather in segments of their own, and a search looks each of its words up in every one: over 20,000
 * Chinese passages it took 1.35 ms in one segment and 1.95 in three. Materialised, so that no function of the extension
 * is asked about what is no index of its own.
 */
const SCATTERED_INDEX = `
  with text_indexes as materialized (
    select c.oid::regclass as index, i.indrelid::regclass::text as table, pg_relation_size(c.oid) > $1 as is_large
    from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid
    where a.amname = 'bm25' and c.relkind = 'i')
  select format(case when is_large then 'bm25_compact_step(%L::regclass)' else 'bm25_force_merge(%L)' end, index) as merge,
    "table"
  from text_indexes where case when is_large then bm25_needs_compaction(index)
    else (select sum(n) from unnest(bm25_level_counts(index)) n) > 1 end limit 1`

/**
 * Vacuums one table or merges one text index at a time, so that a request that comes meanwhile waits for one only.
 *
 * @param inTurn runs a task when no statement is under way.
 * @param maxMergedBytes of a text index that is merged into one segment; of a larger one, those of similar size are merged.
 */
export function createMaintenance(
  pg: PGlite,
  inTurn: (task: () => Promise<void>) => void,
  idleMs: number = IDLE_MS,
  maxMergedBytes: number = MAX_MERGED_BYTES,
): Maintenance {
  const timer = setTimeout(() => inTurn(work), idleMs).unref()

  async function work(): Promise<void> {
    // Between two statements of a transaction there is nothing to be done.
    if (pg.isInTransaction()) return
    try {
      if ((await vacuumNeediest(pg)) || (await mergeScattered(pg, maxMergedBytes))) timer.refresh()
    } catch {
      // Whatever it was (a full disk, say), requests will meet it and report it. The next quiet moment tries again.
    }
  }
  return {
    postpone: () => void timer.refresh(),
    stop: () => clearTimeout(timer),
  }
}

/** False: no table needs it. */
async function vacuumNeediest(pg: PGlite): Promise<boolean> {
  const { rows } = await pg.query<{ name: string }>(NEEDY_TABLE)
  const [table] = rows
  if (table) await pg.exec(`vacuum (analyze) ${table.name}`)
  return table !== undefined
}

/** False: every text index is in one piece, or as few as its size allows. */
async function mergeScattered(pg: PGlite, maxBytes: number): Promise<boolean> {
  const { rows } = await pg.query<{ merge: string; table: string }>(SCATTERED_INDEX, [maxBytes])
  const [index] = rows
  if (!index) return false
  await pg.exec(`select ${index.merge}`)
  // What the merged segments took can only be used again after a vacuum; the index would grow with every merge.
  await pg.exec(`vacuum ${index.table}`)
  return true
}
