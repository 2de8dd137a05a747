import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { AppError } from '../../kernel/errors.ts'

export interface Scan {
  /** Real paths of the files found, in order. */
  files: string[]
  /** Folders that could not be listed: what lies in them is unknown, not gone. */
  unreadable: { path: string; reason: string }[]
}

const MAX_FILES = 100_000
const MAX_DEPTH = 64

/**
 * Finds the regular files with one of `extensions` (lower case, with the dot) in a folder and below it. Hidden files and
 * folders are passed over, and so are links: what a link inside the folder leads to is found where it lies, and what lies
 * outside is not of this folder.
 *
 * @param mayEnter whether a folder below the first one may be read.
 * Throws bad_request when the folder itself cannot be listed, and for more files or depth than any help centre has.
 */
export async function scanFolder(
  folder: string,
  extensions: ReadonlySet<string>,
  mayEnter: (path: string) => Promise<boolean>,
): Promise<Scan> {
  const scan: Scan = { files: [], unreadable: [] }
  await scanLevel(folder, 0)
  return scan

  async function scanLevel(path: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw refusal(`is nested deeper than ${MAX_DEPTH} folders`)
    for (const entry of await list(path, depth)) {
      const entryPath = join(path, entry.name)
      const kind = await kindOf(entry, entryPath)
      if (kind === 'folder' && (await mayEnter(entryPath))) await scanLevel(entryPath, depth + 1)
      if (kind === 'file' && extensions.has(extname(entry.name).toLowerCase())) scan.files.push(entryPath)
      if (scan.files.length > MAX_FILES) throw refusal(`holds more than ${MAX_FILES} files`)
    }
  }

  async function list(path: string, depth: number): Promise<Dirent[]> {
    try {
      const entries = await readdir(path, { withFileTypes: true })
      return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch (error) {
      if (depth === 0) throw refusal('cannot be read', error)
      scan.unreadable.push({ path, reason: 'the folder cannot be read' })
      return []
    }
  }
}

/** Some file systems do not say in a listing what an entry is. */
async function kindOf(entry: Dirent, path: string): Promise<'file' | 'folder' | 'other'> {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  const isKnown = entry.isSymbolicLink() || entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice()
  if (isKnown || entry.isBlockDevice()) return 'other'
  const stats = await lstat(path).catch(() => null)
  if (stats?.isFile()) return 'file'
  return stats?.isDirectory() ? 'folder' : 'other'
}

/** Whether no file stands at a path any more. A path that cannot be looked at is not known to be gone. */
export async function isGone(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}

function refusal(reason: string, cause?: unknown): AppError {
  return new AppError('bad_request', 'path', `dir_path: ${reason}`, cause === undefined ? {} : { cause })
}
