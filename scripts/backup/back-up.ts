import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../src/kernel/errors.ts'
import { lockDataDir } from '../../src/platform/postgres/lock.ts'
import { type Manifest, type Progress, packDatabase } from './archive.ts'
import { requestCopy } from './live-copy.ts'
import { thisProgram } from './this-program.ts'

export interface BackupOptions {
  dataDir: string
  target: string
  progress: Progress
  say: (line: string) => void
}

/** Packs the embedded database of `dataDir`, whether a service runs on it or not. Throws a message for the operator. */
export async function backUp({ dataDir, target, progress, say }: BackupOptions): Promise<Manifest> {
  if (existsSync(target)) throw new Error(`${target} exists; a backup overwrites nothing`)
  const database = resolve(dataDir, 'postgres')
  if (!existsSync(join(database, 'PG_VERSION'))) throw new Error(`There is no database in ${dataDir} (DATA_DIR)`)
  const about = { created_at: new Date().toISOString(), ...thisProgram() }
  const unlock = lockUnlessInUse(dataDir)
  if (unlock) {
    say(`No service runs on ${dataDir}: packing its files`)
    return packDatabase(database, target, about, progress).finally(unlock)
  }
  say(`A service runs on ${dataDir}: asking it for a copy`)
  const copy = await requestCopy(dataDir)
  const watching: Progress = (done, total) => {
    copy.lost.throwIfAborted()
    progress(done, total)
  }
  return packDatabase(copy.folder, target, about, watching).finally(copy.release)
}

function lockUnlessInUse(dataDir: string): (() => void) | null {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    if (error instanceof AppError && error.code === 'data_dir_in_use') return null
    throw error
  }
}
