import { chownSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../kernel/errors.ts'
import { demandNoForeignFiles, unusable } from './data-folder.ts'

/** How often the holder looks whether its locks still have their names. */
const LOOK_EVERY_MS = 1_000

/**
 * Takes the data folder for this process, or throws when another one has it.
 *
 * The lock is SQLite's lock on a file: the kernel releases it when the process dies, however it dies, so a stale lock
 * cannot exist. Process ids in a file were rejected: they are reused, and two starts can both find one stale. Of two
 * files each, because somebody who takes `lock` for a leftover and removes it would let a second process in, which
 * would destroy the database: the hidden one still refuses that process, and the holder makes `lock` anew.
 */
export function lockDataDir(dataDir: string): () => void {
  const holderFile = join(dataDir, 'holder')
  const held: ReturnType<typeof hold>[] = []
  const release = (): void => held.splice(0).forEach((lock) => void lock.release())
  try {
    demandNoForeignFiles(dataDir)
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    for (const name of ['lock', '.lock']) held.push(hold(dataDir, name))
    writeFileSync(holderFile, String(process.pid), { mode: 0o600 })
    giveToOwner(dataDir, 'holder')
  } catch (cause) {
    release()
    if (cause instanceof AppError) throw cause
    if (!isBusy(cause)) throw unusable(dataDir, cause instanceof Error ? cause.message : String(cause), cause)
    throw new AppError('conflict', 'data_dir_in_use', inUseMessage(dataDir, holderFile), { cause })
  }
  const watch = setInterval(() => held.forEach((lock) => void lock.keepNamed()), LOOK_EVERY_MS).unref()
  return () => {
    clearInterval(watch)
    release()
  }
}

function hold(dataDir: string, name: string) {
  const path = join(dataDir, name)
  let current = acquire(path)
  giveToOwner(dataDir, name)
  return {
    /** Locks a file of the same name when the locked one was removed. */
    keepNamed(): void {
      if (lstatSync(path, { throwIfNoEntry: false })?.ino === current.inode) return
      try {
        const next = acquire(path)
        current.lock.close()
        current = next
      } catch {
        // Somebody else has just taken it, who is refused by the other lock: the next look finds it free.
      }
    },
    release: () => current.lock.close(),
  }
}

function acquire(path: string): { lock: DatabaseSync; inode: number } {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return { lock, inode: statSync(path).ino }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** A backup that the administrator makes must not leave files that the service may not open. */
function giveToOwner(dataDir: string, name: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  chownSync(join(dataDir, name), uid, gid)
}

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number } | null)?.errcode === SQLITE_BUSY
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
