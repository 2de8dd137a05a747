import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../kernel/errors.ts'

/** Of the Postgres inside the embedded database: its files belong to one major version. */
export const POSTGRES_MAJOR = '18'
/** Holds the database, below the data folder. */
export const DATABASE_FOLDER = 'postgres'
/** A database that is being made; it takes its name when it is whole, so that a killed first start leaves nothing else. */
export const INITIALISING_FOLDER = 'postgres.initialising'

/**
 * Names of what this program puts into a data folder; `restoring-` and `.before-` are restores', `snapshot` a backup's.
 */
const OURS =
  /^(?:postgres(?:\.(?:initialising|before-\w+))?|\.?lock(?:-journal)?|holder|snapshot(?:\.sock)?|restoring-\w+)$/
/** Names of what a new file system, a repository or a desktop leaves in a folder that is empty otherwise. */
const NOBODYS = /^(?:lost\+found|\.git(?:keep|ignore)|\.keep|\.DS_Store|\.nfs\w+)$/

/** Throws when the folder holds other things than a data folder does and none of what it does: it was named by mistake. */
export function demandNoForeignFiles(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : []
  const foreign = names.filter((name) => !NOBODYS.test(name))
  if (foreign.length === 0 || foreign.some((name) => OURS.test(name))) return
  throw unusable(
    dataDir,
    `it holds other files (${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', …' : ''}) and no database. ` +
      'Choose an empty folder, or one that does not exist yet, as DATA_DIR',
  )
}

/**
 * Whether the database has to be made. A database that is there is never made anew: throws when it is no whole database
 * of this version. The caller holds the folder's lock.
 */
export function isNewDatabase(dataDir: string): boolean {
  rmSync(join(dataDir, INITIALISING_FOLDER), { recursive: true, force: true })
  const folder = join(dataDir, DATABASE_FOLDER)
  if (!existsSync(folder) || readdirSync(folder).length === 0) return demandNoneAside(dataDir)
  const version = readVersion(folder)
  if (version === POSTGRES_MAJOR) return false
  if (version === null) {
    throw unusable(
      dataDir,
      `${folder} is not empty and holds no PG_VERSION, so it is no whole database, and nothing was changed in it. ` +
        `${RESTORE}; if nothing in it is needed, remove that folder`,
    )
  }
  throw unusable(
    dataDir,
    `${folder} was written by Postgres ${version}, and this Frontdesk runs Postgres ${POSTGRES_MAJOR}. ` +
      'Run the Frontdesk that wrote it, or restore a backup that fits this one',
  )
}

/** The operator's remedy when a database is broken. */
const RESTORE = 'Restore a backup by "npm run restore -- FILE --force", which keeps what is there aside'

/** A restore that was cut off between its two renames leaves the database under another name alone. */
function demandNoneAside(dataDir: string): true {
  const aside = readdirSync(dataDir).filter((name) => name.startsWith(`${DATABASE_FOLDER}.before-`))
  if (aside.length === 0) return true
  throw unusable(
    dataDir,
    `it holds no ${DATABASE_FOLDER}, but ${aside.join(', ')}, as a restore leaves it that was cut off. ` +
      `Restore once more, or rename that folder to ${DATABASE_FOLDER}`,
  )
}

/**
 * Removes the mark of a running Postgres. The folder's lock, which the caller holds, says by itself that nobody else runs
 * one here, so the mark is what a killed process left; and where the power went away while it was written, it is empty
 * or holds rubbish, with which Postgres refuses to start.
 */
export function removeRunningMark(databaseFolder: string): void {
  rmSync(join(databaseFolder, 'postmaster.pid'), { force: true })
}

function readVersion(folder: string): string | null {
  const path = join(folder, 'PG_VERSION')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().slice(0, 20) : null
}

/**
 * Takes every permission of group and others away: conversations are in these files. Throws where that cannot be done,
 * as Postgres does; the data folder itself may be a volume's, whose owner another is, as long as not everybody may
 * write in it. Windows has no such modes.
 */
export function closeToOthers(dataDir: string): void {
  if (process.platform === 'win32') return
  const stats = lstatSync(dataDir)
  // Beside other people's files the folder stays as it is for them; what is ours is closed.
  if (isMine(stats) && readdirSync(dataDir).every((name) => OURS.test(name) || NOBODYS.test(name))) {
    closePath(dataDir, stats, dataDir)
  } else if ((stats.mode & 0o002) !== 0) {
    throw unusable(dataDir, `everybody may write in it (${describe(stats)}). Close it by "chmod 700 ${dataDir}"`)
  }
  for (const name of readdirSync(dataDir).filter((each) => OURS.test(each))) closeTree(dataDir, join(dataDir, name))
}

function closeTree(dataDir: string, path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  // A link's own mode means nothing, and what it leads to may be another's.
  if (stats === undefined || stats.isSymbolicLink()) return
  closePath(path, stats, dataDir)
  if (stats.isDirectory()) for (const name of readdirSync(path)) closeTree(dataDir, join(path, name))
}

function closePath(path: string, stats: Stats, dataDir: string): void {
  if ((stats.mode & 0o077) === 0) return
  try {
    chmodSync(path, stats.mode & 0o700)
  } catch (cause) {
    throw unusable(dataDir, exposure(path, stats), cause)
  }
  // Some file systems (shares, disks of other systems) take a mode and do not keep it.
  if ((lstatSync(path).mode & 0o077) !== 0) throw unusable(dataDir, exposure(path, stats))
}

function exposure(path: string, stats: Stats): string {
  return (
    `others than its owner may use ${path} (${describe(stats)}), and that cannot be changed. ` +
    'Give it to the user that runs Frontdesk, and take the permissions of all others away'
  )
}

function describe({ uid, mode }: Stats): string {
  return `it belongs to user ${uid}, its mode is ${(mode & 0o777).toString(8).padStart(4, '0')}`
}

function isMine({ uid }: Stats): boolean {
  const user = process.geteuid?.()
  return user === uid || user === 0
}

/** Postgres does not open the database, for this reason. */
export function damaged(dataDir: string, reason: string, cause: unknown): AppError {
  return unusable(dataDir, `its database is damaged (${reason}). ${RESTORE}`, cause)
}

export function unusable(dataDir: string, reason: string, cause?: unknown): AppError {
  const message = `The data folder ${dataDir} cannot be used: ${reason}`
  return new AppError('unavailable', 'data_dir_unusable', message, cause === undefined ? {} : { cause })
}
