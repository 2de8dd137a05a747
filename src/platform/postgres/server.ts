import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pLimit from 'p-limit'
import pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import { asBytes } from './columns.ts'
import { toAppError } from './errors.ts'
import type { Engine, OpenOptions } from './open.ts'

const INT8 = 20
const DEFAULT_POOL_SIZE = 16
const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 5_000
const RECONNECT_DELAY_MS = 500

/** Connects lazily: a server that is down makes statements fail with 503 until it is back. */
export function openServer(url: string, options: OpenOptions): Engine {
  const { poolSize = DEFAULT_POOL_SIZE, statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS, schema, log } = options
  const settings: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'frontdesk',
    keepAlive: true,
    types: { getTypeParser },
    ...(schema ? { options: `-c search_path=${schema},public` } : {}),
  }
  const pool = new pg.Pool({ ...settings, max: poolSize, statement_timeout: statementTimeoutMs })
  // Without a handler an idle connection that breaks would end the process; the pool replaces it by itself.
  pool.on('error', (error) => log.warn({ err: error }, 'An idle database connection was lost'))
  const listener = createListener(settings, log)
  return {
    kind: 'server',
    pool: guarded(pool),
    async runScript(text) {
      await pool.query(text)
    },
    listen: listener.listen,
    async close() {
      await listener.close()
      await pool.end()
    },
  }
}

/** Counts (int8) as numbers, as the embedded database gives them; none of ours reach 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text') =>
  oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser

function guarded(pool: pg.Pool): PostgresPool {
  return {
    options: {},
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw toAppError(error)
      })
      let broken = false
      // While a connection is held the pool does not watch it, and an error that nobody hears ends the process.
      const onError = (): void => {
        broken = true
      }
      client.on('error', onError)
      const query = async (text: string, params: readonly unknown[]): Promise<unknown> => {
        try {
          return await client.query(text, params.map(asBytes))
        } catch (error) {
          const mapped = toAppError(error)
          broken ||= mapped !== error
          throw mapped
        }
      }
      // A connection that failed is thrown away: it may be half way through a transaction.
      const release = (): void => {
        client.off('error', onError)
        client.release(broken)
      }
      return { query, release } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  }
}

interface Subscription {
  handler: (payload: string) => void
  onGap: (() => void) | undefined
}

/** One connection that only listens; reconnects by itself and tells its subscribers that they may have missed some. */
function createListener(settings: pg.ClientConfig, log: Log) {
  const subscriptions = new Map<string, Subscription>()
  let client: pg.Client | undefined
  let connecting: Promise<pg.Client> | undefined
  let closed = false
  /** The driver no longer queues statements by itself. */
  const inTurn = pLimit(1)
  function run(on: pg.Client, statement: 'listen' | 'unlisten', channel: string): Promise<unknown> {
    return inTurn(() => on.query(`${statement} ${pg.escapeIdentifier(channel)}`))
  }

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client(settings)
    fresh.on('error', (error) => log.warn({ err: error }, 'The notification connection was lost'))
    fresh.on('notification', ({ channel, payload }) => subscriptions.get(channel)?.handler(payload ?? ''))
    await fresh.connect()
    fresh.on('end', () => {
      client = undefined
      if (!closed) void reconnect()
    })
    for (const channel of subscriptions.keys()) await run(fresh, 'listen', channel)
    client = fresh
    return fresh
  }
  async function reconnect(): Promise<void> {
    while (!closed) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAY_MS))
      const done = await connected().then(
        () => true,
        () => false,
      )
      if (!done) continue
      for (const { onGap } of subscriptions.values()) onGap?.()
      return
    }
  }
  function connected(): Promise<pg.Client> {
    if (client) return Promise.resolve(client)
    connecting ??= connect().finally(() => {
      connecting = undefined
    })
    return connecting
  }
  return {
    async listen(channel: string, handler: (payload: string) => void, onGap?: () => void) {
      const current = await connected()
      subscriptions.set(channel, { handler, onGap })
      await run(current, 'listen', channel)
      return async () => {
        subscriptions.delete(channel)
        if (client) await run(client, 'unlisten', channel).catch(() => {})
      }
    },
    async close() {
      closed = true
      await client?.end().catch(() => {})
    },
  }
}
