import { type Kysely, sql, type Transaction } from 'kysely'

/** Tables are declared by the feature that owns them: `executor.withTables<Own>()` or a typed `sql` template. */
export type Executor = Kysely<NoTables> | Transaction<NoTables>
export type NoTables = Record<never, never>

/** Which engine ranks text: BM25 by the extension, or Postgres' own full-text search where it is not installed. */
export type LexicalEngine = 'pg_textsearch' | 'full_text'

export interface Database {
  readonly kind: 'embedded' | 'server'
  readonly lexicalEngine: LexicalEngine
  /** For single statements. Statements of one transaction go through the executor that `transaction` passes. */
  readonly executor: Executor
  /**
   * Commits when `work` resolves, rolls back when it throws. Within it `executor` and `transaction` of the database are
   * refused: the embedded database has one connection, which `work` holds.
   */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /**
   * Calls `handler` for every notification on `channel`, from this process and from every other replica, after the
   * notifying transaction committed. `onGap` runs when notifications may have been missed (a connection was lost and
   * is back): whoever mirrors state reads it anew. A channel may have several handlers. Resolves to what ends this one.
   */
  listen(channel: string, handler: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /** Postgres channel name of a logical channel; two schemas of one server do not hear each other. */
  channelName(channel: string): string
  /** The damage that a statement found in the embedded database's files since they were opened; null: nothing. */
  damage?: () => string | null
  close(): Promise<void>
}

/** Sends when the transaction of `executor` commits. `payload` is at most 7,999 bytes: send ids, not contents. */
export async function notify(db: Database, executor: Executor, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${db.channelName(channel)}, ${payload})`.execute(executor)
}

/** One round trip; rejects when the database does not answer. */
export async function ping(db: Database): Promise<void> {
  await sql`select 1`.execute(db.executor)
}

/**
 * Escapes that Postgres refuses in JSON: U+0000, and halves of surrogate pairs, which are the only ones that
 * `JSON.stringify` escapes. Escaped backslashes are matched too, so that text which merely looks like an escape stays
 * as it is.
 */
const ESCAPES = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g

/** Text of a JSON parameter. Always pass JSON like this: drivers disagree on what an array or a string means. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  if (!text.includes('\\u')) return text
  return text.replace(ESCAPES, (escaped) => {
    if (escaped === '\\\\') return escaped
    return escaped === '\\u0000' ? '' : '\ufffd'
  })
}
