import { join } from 'node:path'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import {
  closeToOthers,
  DATABASE_FOLDER,
  damaged,
  INITIALISING_FOLDER,
  isNewDatabase,
  removeRunningMark,
} from './data-folder.ts'
import { type EmbeddedClient, startEmbeddedClient } from './embedded-client.ts'
import { DAMAGED, type WorkerOptions } from './embedded-protocol.ts'
import { isDamage, toAppError } from './errors.ts'
import { lockDataDir } from './lock.ts'
import type { Engine, OpenOptions } from './open.ts'
import { serveSnapshots } from './snapshots.ts'

/** Opens the embedded database. Throws `data_dir_in_use` when another process has the folder. */
export async function openEmbedded(options: OpenOptions): Promise<Engine> {
  const { dataDir, sync = 'second', buffersMb = 32, log, onCrash = () => {} } = options
  const unlock = dataDir === undefined ? () => {} : lockDataDir(dataDir)
  try {
    const folders = dataDir === undefined ? IN_MEMORY : foldersOf(dataDir)
    if (folders.initialising) {
      log.info({}, 'Creating the embedded database; this first start takes some seconds')
      // Making a database takes 300 MB, which go with the thread.
      const maker = await startEmbeddedClient({ ...folders, sync, buffersMb }, onCrash)
      await maker.close()
    }
    const client = await startEmbeddedClient({ ...folders, initialising: undefined, sync, buffersMb }, onCrash)
    const engine = asEngine(client, unlock)
    if (dataDir === undefined) return engine
    const stopServing = await serveSnapshots({ dataDir, copyTo: engine.copyTo, log })
    return { ...engine, close: () => stopServing().then(engine.close) }
  } catch (error) {
    unlock()
    const { code, message } = error as { code?: string; message: string }
    throw code === DAMAGED ? damaged(dataDir ?? '', message, error) : error
  }
}

const IN_MEMORY = { dataDir: undefined, initialising: undefined }

/** Throws when what is there is no database that this program may open. */
function foldersOf(dataDir: string): Omit<WorkerOptions, 'sync' | 'buffersMb'> {
  const initialising = isNewDatabase(dataDir) ? join(dataDir, INITIALISING_FOLDER) : undefined
  closeToOthers(dataDir)
  removeRunningMark(join(dataDir, DATABASE_FOLDER))
  return { dataDir: join(dataDir, DATABASE_FOLDER), initialising }
}

function asEngine(client: EmbeddedClient, unlock: () => void) {
  const handlers = new Map<string, (payload: string) => void>()
  client.onNotification((channel, payload) => handlers.get(channel)?.(payload))
  const close = async (): Promise<void> => {
    await client.close()
    unlock()
  }
  let damage: string | null = null
  const onFailure = (error: unknown): void => {
    if (isDamage(error)) damage = (error as Error).message
  }
  const pool = oneConnectionPool(client, close, onFailure)
  /** Between transactions: a channel that is begun to be listened to within one is forgotten with its rollback. */
  const alone = async (operation: Parameters<EmbeddedClient['request']>[0]): Promise<void> => {
    const connection = await pool.connect()
    await client.request(operation).finally(() => connection.release())
  }
  return {
    kind: 'embedded',
    pool,
    damage: () => damage,
    runScript: (text) => alone({ op: 'exec', text }),
    /** Copies the database's files as they are between two transactions. */
    copyTo: (folder: string) => alone({ op: 'copy', folder }),
    async listen(channel, handler) {
      handlers.set(channel, handler)
      await alone({ op: 'listen', channel })
      return async () => {
        handlers.delete(channel)
        // A database that is closed hears nothing any more.
        await alone({ op: 'unlisten', channel }).catch(() => {})
      }
    },
    close,
  } satisfies Engine & { copyTo: unknown }
}

const BEGINS_TRANSACTION = /^\s*(?:begin|start\s+transaction)\b/i

/**
 * The embedded database has one connection, so whoever holds it runs a whole transaction before the next one starts.
 * Waiting is first come, first served. (Kysely's own PGlite driver shares the connection without waiting: a statement
 * of one request would land in the transaction of another.) A statement outside of transactions gives the connection
 * back when it was handed over, not when it was answered: the thread keeps the order, and is not left without work while
 * this one is busy.
 */
function oneConnectionPool(
  client: EmbeddedClient,
  end: () => Promise<void>,
  onFailure: (error: unknown) => void,
): PostgresPool {
  const connections = createKeyedMutex()
  const acquire = (): Promise<() => void> => connections.acquire('the only one')
  const run = async <R>(text: string, params: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    try {
      const { rows, affectedRows } = await client.request({ op: 'query', text, params: params.map(toCloneable) })
      return { command: 'UPDATE', rowCount: affectedRows, rows: rows as R[] }
    } catch (error) {
      onFailure(error)
      throw toAppError(error)
    }
  }
  return {
    options: {},
    async connect() {
      let giveBack: (() => void) | null = await acquire()
      let inTransaction = false
      const release = (): void => {
        giveBack?.()
        giveBack = null
      }
      const query = async (text: string, params: readonly unknown[]) => {
        giveBack ??= await acquire()
        inTransaction ||= BEGINS_TRANSACTION.test(text)
        const answer = run(text, params)
        if (!inTransaction) release()
        return answer
      }
      // The cast: cursors, the second overload, exist on servers only and nothing here uses them.
      return { query, release } as unknown as PostgresPoolClient
    },
    end,
  }
}

/** Undefined means NULL for a server's driver; the embedded one refuses it. */
function toCloneable(value: unknown): unknown {
  return value === undefined ? null : value
}
