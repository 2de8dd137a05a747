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

/**
 * Vacuums one table at a time, so that a request that comes meanwhile waits for one only.
 *
 * @param inTurn runs a task when no statement is under way.
 */
export function createMaintenance(
  pg: PGlite,
  inTurn: (task: () => Promise<void>) => void,
  idleMs: number = IDLE_MS,
): Maintenance {
  const timer = setTimeout(() => inTurn(work), idleMs).unref()

  async function work(): Promise<void> {
    // Between two statements of a transaction there is nothing to be done.
    if (pg.isInTransaction()) return
    try {
      const { rows } = await pg.query<{ name: string }>(NEEDY_TABLE)
      const [table] = rows
      if (!table) return
      await pg.exec(`vacuum (analyze) ${table.name}`)
      timer.refresh()
    } catch {
      // Whatever it was (a full disk, say), requests will meet it and report it. The next quiet moment tries again.
    }
  }
  return {
    postpone: () => void timer.refresh(),
    stop: () => clearTimeout(timer),
  }
}
