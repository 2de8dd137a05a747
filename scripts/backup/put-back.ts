import { mkdir, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DATABASE_FOLDER, POSTGRES_MAJOR } from '../../src/platform/postgres/data-folder.ts'
import { lockDataDir } from '../../src/platform/postgres/lock.ts'
import { syncFolder, syncTree } from '../../src/platform/postgres/sync-files.ts'
import { type Manifest, type Progress, unpackDatabase, writeEntry } from './archive.ts'
import { thisProgram } from './this-program.ts'

export interface RestoreOptions {
  archive: string
  dataDir: string
  /** Put it in place of what is there. */
  force: boolean
  progress: Progress
}

export interface Restored {
  manifest: Manifest
  /** Where the database lies that was there before; null: there was none. */
  aside: string | null
}

/** Reads a whole archive and restores nothing. Throws what is wrong with it. */
export function checkArchive(archive: string, progress: Progress): Promise<Manifest> {
  return unpackDatabase(archive, { accept: demandKnown, write: null, progress })
}

/**
 * Unpacks an archive beside the database, checks all of it, and only then renames it into place. Throws a message for
 * the operator, and then nothing has changed.
 */
export async function putBack({ archive, dataDir, force, progress }: RestoreOptions): Promise<Restored> {
  const unlock = lockDataDir(dataDir)
  const database = resolve(dataDir, DATABASE_FOLDER)
  const unpacked = await mkdtemp(resolve(dataDir, 'restoring-'))
  try {
    const isEmpty = await isEmptyFolder(database)
    if (!isEmpty && !force)
      throw new Error(`${dataDir} holds a database. --force puts the backup in its place and keeps it aside`)
    const manifest = await unpackDatabase(archive, {
      async accept(announced) {
        demandKnown(announced)
        await demandSpace(unpacked, announced.bytes)
      },
      write: (entry, content) => writeBelow(unpacked, entry, content),
      progress,
    })
    await syncTree(join(unpacked, DATABASE_FOLDER))
    const aside = await replace(database, join(unpacked, DATABASE_FOLDER), isEmpty)
    await syncFolder(dataDir)
    return { manifest, aside }
  } finally {
    await rm(unpacked, { recursive: true, force: true })
    unlock()
  }
}

async function writeBelow(
  folder: string,
  { path, type }: { path: string; type: 'file' | 'folder' },
  content: AsyncIterable<Buffer>,
): Promise<void> {
  await mkdir(join(folder, type === 'folder' ? path : dirname(path)), { recursive: true, mode: 0o700 })
  if (type === 'file') await writeEntry(folder, path, content)
}

/** The new database takes the old one's name within two renames; the first is taken back when the second fails. */
async function replace(database: string, unpacked: string, isEmpty: boolean): Promise<string | null> {
  if (isEmpty) {
    await rm(database, { recursive: true, force: true })
    await rename(unpacked, database)
    return null
  }
  const aside = `${database}.before-${new Date().toISOString().replace(/\W/g, '')}`
  await rename(database, aside)
  try {
    await rename(unpacked, database)
  } catch (error) {
    await rename(aside, database)
    throw error
  }
  return aside
}

function demandKnown({ frontdesk, postgres, migrations }: Manifest): void {
  const known = thisProgram()
  if (migrations > known.migrations)
    throw new Error(`The backup was made by a newer Frontdesk (${frontdesk}); this is ${known.frontdesk}`)
  if (postgres !== POSTGRES_MAJOR)
    throw new Error(`The backup holds files of Postgres ${postgres}; this Frontdesk runs Postgres ${POSTGRES_MAJOR}`)
}

async function demandSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const [needed, free] = [neededBytes, bavail * bsize].map((bytes) => Math.ceil(bytes / 1_048_576))
  if (bavail * bsize < neededBytes * 1.05) throw new Error(`The backup needs ${needed} MiB, and ${free} are free`)
}

async function isEmptyFolder(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (names) => names.length === 0,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true
      throw error
    },
  )
}
