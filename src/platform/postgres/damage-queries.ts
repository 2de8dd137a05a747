import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Postgres' own size of a page. */
const PAGE_BYTES = 8_192

interface Short {
  name: string
  pages: number | null
  expected: number
}

/**
 * The damage of the embedded database's files, as far as it can be told without reading them; null: none.
 * A file that was cut off reads as a table with fewer rows, without a word of Postgres: the catalog knows how many pages
 * there were when it was last looked through, and a table only shrinks in that moment. Pages that changed by themselves
 * are found when they are read, by their checksums.
 */
export async function findDamage(db: Database): Promise<string | null> {
  if (db.kind !== 'embedded') return null
  const { rows } = await sql<Short>`
    select c.oid::regclass::text as name, c.relpages as expected,
      case when f.size is not null then pg_relation_size(c.oid) / ${PAGE_BYTES}::int end as pages
    from pg_class c, lateral pg_stat_file(pg_relation_filepath(c.oid), true) f
    where c.relkind in ('r', 'm', 'i', 't', 'S') and c.relpersistence = 'p'
      and (f.size is null or pg_relation_size(c.oid) / ${PAGE_BYTES}::int < c.relpages)
    limit 1`.execute(db.executor)
  const [found] = rows
  if (!found) return db.damage?.() ?? null
  if (found.pages === null) return `The file of ${found.name} is missing`
  return `The file of ${found.name} was cut off: it holds ${found.pages} of ${found.expected} pages`
}
