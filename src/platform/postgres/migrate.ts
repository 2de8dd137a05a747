import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Executor } from './database.ts'

export interface Migration {
  version: number
  name: string
  text: string
  checksum: string
}

const MIGRATIONS_DIR = new URL('../../../migrations/', import.meta.url).pathname
/** Any constant will do; it only has to be the same in every replica. */
const LOCK_KEY = 7_266_837

/**
 * Applies what is missing, in order, in one transaction under an advisory lock: of several replicas that start at once
 * one does the work and the others find it done. Forward only. Throws when the database is newer than this program or
 * when an applied migration was edited afterwards.
 */
export async function migrate(
  executor: Executor,
  log: Log<'info'>,
  migrations: Migration[] = readMigrations(MIGRATIONS_DIR),
): Promise<void> {
  await executor.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_KEY}::bigint)`.execute(trx)
    await sql`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default now())`.execute(trx)
    const { rows } = await sql<{ version: number; name: string; checksum: string }>`
      select version, name, checksum from schema_migrations order by version`.execute(trx)
    refuseForeign(rows, migrations)
    const applied = new Set(rows.map((row) => row.version))
    for (const migration of migrations.filter(({ version }) => !applied.has(version))) {
      await apply(trx, migration)
      log.info({}, `Applied migration ${migration.name}`)
    }
  })
}

/** How many migrations this program has, and how many of them the database holds. */
export async function migrationStatus(executor: Executor): Promise<{ expected: number; applied: number }> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from schema_migrations`.execute(executor)
  return { expected: readMigrations(MIGRATIONS_DIR).length, applied: rows[0]?.count ?? 0 }
}

/** Reads `0001_name.sql` files; throws when a number is missing or twice there. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
  return names.map((name, index) => {
    const version = Number(name.slice(0, 4))
    if (version !== index + 1) throw new Error(`Migration ${name} breaks the numbering: expected ${index + 1}`)
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    return { version, name, text, checksum: hash('sha256', text) }
  })
}

function refuseForeign(applied: { version: number; name: string; checksum: string }[], known: Migration[]): void {
  const byVersion = new Map(known.map((migration) => [migration.version, migration]))
  for (const row of applied) {
    const migration = byVersion.get(row.version)
    if (!migration) {
      const message = `The database is newer than this program: it holds migration ${row.name}. Run a newer Frontdesk.`
      throw new AppError('conflict', 'database_newer', message)
    }
    if (migration.checksum !== row.checksum) {
      const message = `Migration ${migration.name} was changed after the database had applied it. Restore the file and add a new migration instead.`
      throw new AppError('conflict', 'migration_changed', message)
    }
  }
}

async function apply(trx: Executor, migration: Migration): Promise<void> {
  for (const statement of splitStatements(migration.text)) await sql.raw(statement).execute(trx)
  await sql`insert into schema_migrations (version, name, checksum)
    values (${migration.version}, ${migration.name}, ${migration.checksum})`.execute(trx)
}

const STATEMENT = /(?:\$\$[\s\S]*?\$\$|;(?![ \t]*(?:\n|$))|\$(?!\$)|[^$;])+/g

/**
 * Statements end with a semicolon at the end of a line, but not within the `$$ … $$` of a function; the drivers take one
 * at a time inside a transaction.
 */
export function splitStatements(text: string): string[] {
  return (text.match(STATEMENT) ?? [])
    .map((statement) => statement.replace(/^\s*--.*$/gm, '').trim())
    .filter((statement) => statement !== '')
}
