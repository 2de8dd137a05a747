import type { PGlite } from '@electric-sql/pglite'

export type Maintenance = ReturnType<typeof createMaintenance>

export interface MaintenanceOptions {
  /** A quiet moment. */
  idleMs?: number
  /**
   * How long it may stay without one: a channel's outbox is looked at every two seconds, and dead rows would gather for
   * ever. From then on one piece of work is done after another, each after a pause, between two requests.
   */
  deadlineMs?: number
  pauseMs?: number
  /** Size of a text index that is merged into one segment; of a larger one, those of similar size are merged. */
  maxMergedBytes?: number
  /** Transactions after which a table is frozen; Postgres' own limit for that unless given. */
  freezeAge?: number
  now?: () => number
}

const IDLE_MS = 3_000
const DEADLINE_MS = 60_000
const PAUSE_MS = 5_000

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
/** The same while requests wait: a third of a second. */
const MAX_MERGED_BYTES_AMID_REQUESTS = 8 * 2 ** 20

/**
 * The table whose transactions are the oldest, of those that autovacuum would freeze whatever else happens. Transaction
 * numbers come round after two thousand million, and Postgres stops taking writes before. Catalogs age too.
 */
const AGED_TABLE = `
  select c.oid::int as id, c.oid::regclass::text as name from pg_class c
  where c.relkind in ('r', 'm', 't') and c.relpersistence = 'p' and c.oid <> all ($2::oid[])
    and age(c.relfrozenxid) > coalesce($1::int, current_setting('autovacuum_freeze_max_age')::int)
  order by age(c.relfrozenxid) desc limit 1`

/**
 * The templates of databases hold nothing but rows that were frozen when they were made, and nobody can connect to them
 * here to say so; by their age Postgres would stop all the same.
 */
const FREEZE_TEMPLATES = `
  update pg_database d set datfrozenxid = own.datfrozenxid, datminmxid = own.datminmxid
  from (select datfrozenxid, datminmxid from pg_database where datname = current_database()) own
  where d.datname <> current_database() and age(d.datfrozenxid) > coalesce($1::int, current_setting('autovacuum_freeze_max_age')::int)
    and age(d.datfrozenxid) > age(own.datfrozenxid)`

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
 * Stands in for a server's autovacuum: the embedded database has no background processes, so this fills quiet moments.
 * Vacuums one table or merges one text index at a time, so that a request that comes meanwhile waits for one only.
 *
 * @param inTurn runs a task when no statement is under way.
 */
export function createMaintenance(
  pg: PGlite,
  inTurn: (task: () => Promise<void>) => void,
  options: MaintenanceOptions = {},
) {
  const { idleMs = IDLE_MS, deadlineMs = DEADLINE_MS, pauseMs = PAUSE_MS, now = () => performance.now() } = options
  const { maxMergedBytes = MAX_MERGED_BYTES, freezeAge = null } = options
  const freezing = createFreezing(pg, freezeAge)
  let dueAt = now() + deadlineMs
  const timer = setTimeout(() => inTurn(() => work(maxMergedBytes, true)), idleMs).unref()

  async function work(maxBytes: number, isQuiet: boolean): Promise<void> {
    // Between two statements of a transaction there is nothing to be done; the next request tries again.
    if (pg.isInTransaction()) return
    dueAt = now() + deadlineMs
    try {
      const didSomething =
        (await freezing.freezeOldest()) || (await vacuumNeediest(pg)) || (await mergeScattered(pg, maxBytes))
      if (!didSomething) return
      dueAt = now() + pauseMs
      if (isQuiet) timer.refresh()
    } catch {
      // Whatever it was (a full disk, say), requests will meet it and report it. The next quiet moment tries again.
    }
  }
  return {
    /** Call it with every request: work starts when there was none for a while, or when that never happens. */
    postpone(): void {
      timer.refresh()
      if (now() < dueAt) return
      // Until it has begun, no second one is wanted.
      dueAt = now() + pauseMs
      inTurn(() => work(Math.min(maxMergedBytes, MAX_MERGED_BYTES_AMID_REQUESTS), false))
    },
    stop: (): void => clearTimeout(timer),
  }
}

function createFreezing(pg: PGlite, freezeAge: number | null) {
  /** One that stays old, for whatever reason, must not keep the others waiting. */
  const tried = new Set<number>()
  return {
    /** False: none is old. */
    async freezeOldest(): Promise<boolean> {
      const { rows } = await pg.query<{ id: number; name: string }>(AGED_TABLE, [freezeAge, [...tried]])
      const [table] = rows
      if (table) {
        tried.add(table.id)
        await pg.exec(`vacuum (freeze) ${table.name}`)
        return true
      }
      tried.clear()
      const { affectedRows = 0 } = await pg.query(FREEZE_TEMPLATES, [freezeAge])
      return affectedRows > 0
    },
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
  // The room of the merged segments can only be used again after a vacuum; the index would grow with every merge.
  await pg.exec(`vacuum ${index.table}`)
  return true
}
