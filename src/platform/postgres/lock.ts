import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../kernel/errors.ts'

/**
 * Takes the data folder for this process, or throws when another one has it.
 *
 * The lock is SQLite's lock on a file: the kernel releases it when the process dies, however it dies, so a stale lock
 * cannot exist. Process ids in a file were rejected: they are reused, and two starts can both find one stale.
 */
export function lockDataDir(dataDir: string): () => void {
  const holderFile = join(dataDir, 'holder')
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(dataDir, { recursive: true })
    lock = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
    lock.exec('begin exclusive')
    writeFileSync(holderFile, String(process.pid))
    const held = lock
    return () => held.close()
  } catch (cause) {
    lock?.close()
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw unusable(dataDir, cause)
    throw new AppError('conflict', 'data_dir_in_use', inUseMessage(dataDir, holderFile), { cause })
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

function unusable(dataDir: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('unavailable', 'data_dir_unusable', `The data folder ${dataDir} cannot be used: ${reason}`, {
    cause,
  })
}

function inUseMessage(dataDir: string, holderFile: string): string {
  let holder = ''
  try {
    holder = ` (process ${readFileSync(holderFile, 'utf8').trim()})`
  } catch {
    // The holder writes its id just after locking; without it the message is still right.
  }
  return (
    `The data folder ${dataDir} is in use by another Frontdesk${holder}. ` +
    'Stop that one, choose another DATA_DIR, or set DATABASE_URL to run several on one server.'
  )
}
