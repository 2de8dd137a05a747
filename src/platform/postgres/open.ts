import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { shareChannels } from './channels.ts'
import type { Database, Executor, LexicalEngine, NoTables } from './database.ts'
import { openEmbedded } from './embedded.ts'
import type { EmbeddedSync } from './embedded-durability.ts'
import { migrate } from './migrate.ts'
import { createConnectionGuard } from './own-connection.ts'
import { openServer } from './server.ts'

/** Both ways of running Postgres provide this; everything above them is the same. */
export interface Engine {
  readonly kind: Database['kind']
  readonly pool: PostgresPool
  /** Several statements without parameters. */
  runScript(text: string): Promise<void>
  listen(channel: string, handler: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  damage?: () => string | null
  close(): Promise<void>
}

export interface OpenOptions {
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined
  /** Folder that this process alone uses; undefined: in memory, for tests. */
  dataDir?: string | undefined
  /** When the embedded database's log reaches the disk; `second` unless set. */
  sync?: EmbeddedSync | undefined
  /** Pages of the embedded database in memory, in MB. */
  buffersMb?: number | undefined
  /** Connections of this replica to a server. */
  poolSize?: number
  statementTimeoutMs?: number
  /** Tests keep apart by schema; undefined uses the server's search path. */
  schema?: string
  log: Log<'info' | 'warn' | 'fatal'>
  /** The embedded database's thread died (out of memory, say): nothing can be saved any more. */
  onCrash?: (error: Error) => void
}

/** Opens the database, checks its extensions and brings its schema up to date. Throws with a message for the operator. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const engine = options.databaseUrl ? openServer(options.databaseUrl, options) : await openEmbedded(options)
  try {
    const guard = createConnectionGuard()
    const pool = guard.guard(engine.pool)
    const executor: Executor = new Kysely<NoTables>({ dialect: new PostgresDialect({ pool }) })
    const schema = options.schema ?? (await currentSchema(executor))
    await ensureExtensions(engine, executor)
    const lexicalEngine = await detectLexicalEngine(executor)
    await migrate(executor, options.log)
    const channelName = (channel: string): string => `frontdesk_${schema}_${channel}`
    const listen = shareChannels(engine.listen)
    let closing: Promise<void> | undefined
    return {
      kind: engine.kind,
      lexicalEngine,
      executor,
      transaction: (work) => executor.transaction().execute((trx) => guard.within(() => work(trx))),
      listen: (channel, handler, onGap) => listen(channelName(channel), handler, onGap),
      channelName,
      ...(engine.damage ? { damage: engine.damage } : {}),
      close() {
        closing ??= engine.close()
        return closing
      },
    }
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

async function currentSchema(executor: Executor): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(executor)
  return rows[0]?.name ?? 'public'
}

async function ensureExtensions(engine: Engine, executor: Executor): Promise<void> {
  try {
    await sql`create extension if not exists vector with schema public`.execute(executor)
  } catch (cause) {
    if (await hasExtension(executor, 'vector')) return
    throw new AppError(
      'unavailable',
      'pgvector_missing',
      'The database server lacks the pgvector extension, which Frontdesk needs. Install pgvector (the package is ' +
        'often called postgresql-17-pgvector) and, if Frontdesk may not create extensions, run ' +
        '"CREATE EXTENSION vector" in its database as a superuser.',
      { cause },
    )
  }
  if (engine.kind === 'embedded') await sql`create extension if not exists pg_textsearch`.execute(executor)
}

/** On a server `pg_textsearch` is used where an operator installed it; it needs a preloaded library, so not by us. */
async function detectLexicalEngine(executor: Executor): Promise<LexicalEngine> {
  return (await hasExtension(executor, 'pg_textsearch')) ? 'pg_textsearch' : 'full_text'
}

async function hasExtension(executor: Executor, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = ${name}`.execute(executor)
  return rows.length > 0
}
