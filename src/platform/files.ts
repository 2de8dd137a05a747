import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { AppError } from '../kernel/errors.ts'

export type Files = ReturnType<typeof createFiles>

/** Folders that belong to the operating system. Docker images keep programs in `/usr/src` and data in `/var/www`. */
const SYSTEM_FOLDERS = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/run', '/sbin', '/sys'],
  ...['/usr/bin', '/usr/include', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libexec', '/usr/local/bin'],
  ...['/usr/local/etc', '/usr/local/lib', '/usr/local/sbin', '/usr/sbin'],
  ...['/var/backups', '/var/cache', '/var/db', '/var/lib', '/var/log', '/var/mail', '/var/run', '/var/spool'],
  ...['/Library', '/System', '/private/etc', '/private/var/db', '/private/var/log', '/private/var/run'],
  ...['C:\\Windows', 'C:\\Program Files', 'C:\\Program Files (x86)', 'C:\\ProgramData'],
]

/**
 * Files and folders of this machine that a request may name. Every refusal is bad_request and begins with `field`. About
 * what lies where requests may not read there is one answer, whether it is there, what it is and who may read it.
 *
 * @param roots the folders that files must lie in, links resolved; empty: anywhere but in system folders. Hidden files
 *   and folders are refused in both cases, unless a root itself lies in one.
 */
export function createFiles(roots: readonly string[]) {
  /** The real path of what may be read, whatever it is, and what it is. */
  async function find(field: string, path: string): Promise<{ path: string; stats: Stats }> {
    const found = await resolveLinks(field, path)
    if (!(await isAllowed(found.path, roots))) throw refusal(field, 'lies outside the folders that may be read')
    if ('missing' in found) throw refusal(field, reasonOf(found.missing), found.missing)
    return found
  }
  /** Opens a regular file and makes sure that the open one is one that may be read. The caller closes it. */
  async function openFile(field: string, path: string): Promise<{ path: string; handle: FileHandle; stats: Stats }> {
    const found = await find(field, path)
    if (!found.stats.isFile()) throw refusal(field, 'is no regular file')
    const handle = await openNow(field, found.path)
    try {
      const stats = await handle.stat()
      // A folder on the way may have become a link since it was resolved: then another file is open.
      const isSame = stats.isFile() && (await pathOfOpen(handle, found.path)) === found.path
      if (!isSame) throw refusal(field, 'changed while it was opened')
      return { path: found.path, handle, stats }
    } catch (error) {
      await handle.close()
      throw error
    }
  }
  return {
    find,
    /** The real path of a folder that may be read. */
    async findFolder(field: string, path: string): Promise<string> {
      const found = await find(field, path)
      if (!found.stats.isDirectory()) throw refusal(field, 'is no folder')
      return found.path
    },
    open: openFile,
    /** The whole of a regular file of at most `maxBytes`. */
    async read(field: string, path: string, maxBytes: number): Promise<{ path: string; bytes: Buffer }> {
      const opened = await openFile(field, path)
      try {
        if (opened.stats.size > maxBytes) throw tooLarge(field, maxBytes)
        return { path: opened.path, bytes: await readUpTo(opened.handle, maxBytes, () => tooLarge(field, maxBytes)) }
      } finally {
        await opened.handle.close()
      }
    },
  }
}

/**
 * Where an open file lies. Linux tells; elsewhere it is `path` as long as that still leads to the same file, which
 * somebody who swaps folders all the time might get past.
 */
async function pathOfOpen(handle: FileHandle, path: string): Promise<string | null> {
  const told = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => null)
  if (told !== null) return told
  const [open, named] = [await handle.stat(), await stat(path).catch(() => null)]
  return open.ino === named?.ino && open.dev === named.dev ? realpath(path).catch(() => null) : null
}

/** A file may grow while it is read. */
async function readUpTo(handle: FileHandle, maxBytes: number, tooLong: () => AppError): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxBytes) throw tooLong()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

type Resolved = { path: string; stats: Stats } | { path: string; missing: unknown }

/** The place that a path leads to; where there is nothing or it cannot be looked at, the place that it would have. */
async function resolveLinks(field: string, path: string): Promise<Resolved> {
  if (path === '' || path.includes('\u0000')) throw refusal(field, 'is no path')
  try {
    const real = await realpath(resolve(path))
    return { path: real, stats: await stat(real) }
  } catch (missing) {
    return { path: await placeOf(resolve(path), MAX_LINKS), missing }
  }
}

/** As many as Linux follows. */
const MAX_LINKS = 40

/**
 * Where a path without a file would lie: its nearest folder that is there, with links resolved, and the rest of its
 * names. A link that leads nowhere is followed by hand.
 */
async function placeOf(path: string, linksLeft: number): Promise<string> {
  const above = dirname(path)
  if (above === path) return path
  const target = linksLeft > 0 ? await readlink(path).catch(() => null) : null
  if (target !== null) return placeOf(resolve(await realOrPlace(above), target), linksLeft - 1)
  return join(await realOrPlace(above), path.slice(above.length))

  async function realOrPlace(folder: string): Promise<string> {
    return realpath(folder).catch(() => placeOf(folder, linksLeft))
  }
}

/** Neither follows a link that was put in place of the file, nor waits for the writer of a pipe. */
async function openNow(field: string, path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  try {
    return await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    throw refusal(field, reasonOf(error), error)
  }
}

async function isAllowed(path: string, roots: readonly string[]): Promise<boolean> {
  if (roots.length === 0) return !isHidden(path) && !SYSTEM_FOLDERS.some((folder) => liesIn(path, folder))
  // Resolved each time: a root may be mounted or replaced while the service runs.
  const real = await Promise.all(roots.map((root) => realpath(resolve(root)).catch(() => null)))
  return real.some((root) => root !== null && liesIn(path, root) && !isHidden(path.slice(root.length)))
}

function liesIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function isHidden(path: string): boolean {
  return path.split(sep).some((segment) => segment.startsWith('.'))
}

function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist'
    case 'ENAMETOOLONG':
      return 'is too long'
    case 'ELOOP':
      return 'is a link that leads nowhere'
    default:
      return 'cannot be read'
  }
}

function tooLarge(field: string, maxBytes: number): AppError {
  return refusal(field, `is larger than ${Math.floor(maxBytes / 1_048_576)} MiB`)
}

function refusal(field: string, reason: string, cause?: unknown): AppError {
  return new AppError('bad_request', 'path', `${field}: ${reason}`, cause === undefined ? {} : { cause })
}
