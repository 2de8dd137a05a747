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
  mkdirSync(dataDir, { recursive: true })
  const holderFile = join(dataDir, 'holder')
  const lock = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    throw new AppError('conflict', 'data_dir_in_use', inUseMessage(dataDir, holderFile), { cause })
  }
  writeFileSync(holderFile, String(process.pid))
  return () => lock.close()
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
