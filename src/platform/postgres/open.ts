import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { AppError } from '../../kernel/errors.ts'
import { shareChannels } from './channels.ts'
import type { Database, Executor, LexicalEngine, NoTables } from './database.ts'
import { openEmbedded } from './embedded.ts'
import type { EmbeddedSync } from './embedded-durability.ts'
import { migrate } from './migrate.ts'
import { createConnectionGuard } from './own-connection.ts'
import { openServer } from './server.ts'

/** What both ways of running Postgres provide; everything above them is the same. */
export interface Engine {
  readonly kind: Database['kind']
  readonly pool: PostgresPool
  /** Several statements without parameters. */
  runScript(text: string): Promise<void>
  listen(channel: string, handler: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  damage?: () => string | null
  close(): Promise<void>
}

interface Log {
  info(message: string): void
  warn(details: object, message: string): void
  fatal(details: object, message: string): void
}

export interface OpenOptions {
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir?: string | undefined
  /** When the embedded database's log reaches the disk; `second` unless set. */
  sync?: EmbeddedSync | undefined
  poolSize?: number
  statementTimeoutMs?: number
  schema?: string
  log: Log
  onCrash?: (error: Error) => void
}

const DEFAULT_POOL_SIZE = 16
const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000

/** Opens the database, checks its extensions and brings its schema up to date. Throws with a message for the operator. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const engine = await openEngine(options)
  try {
    const guard = createConnectionGuard()
    const pool = guard.guard(engine.pool)
    const executor: Executor = new Kysely<NoTables>({ dialect: new PostgresDialect({ pool }) })
    const schema = options.schema ?? (await currentSchema(executor))
    await ensureExtensions(engine, executor)
    const lexicalEngine = await detectLexicalEngine(executor)
    await migrate(executor, options.log)
    return assemble(engine, { executor, guard, lexicalEngine, schema })
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

async function openEngine(options: OpenOptions): Promise<Engine> {
  if (options.databaseUrl) {
    return openServer({
      url: options.databaseUrl,
      poolSize: options.poolSize ?? DEFAULT_POOL_SIZE,
      statementTimeoutMs: options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS,
      schema: options.schema,
      log: options.log,
    })
  }
  const { dataDir, sync, log, onCrash = () => {} } = options
  return openEmbedded({ dataDir, sync, log, onCrash })
}

interface Opened {
  executor: Executor
  guard: ReturnType<typeof createConnectionGuard>
  lexicalEngine: LexicalEngine
  schema: string
}

function assemble(engine: Engine, { executor, guard, lexicalEngine, schema }: Opened): Database {
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
