import { type FileHandle, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'

/** Files under way at once. One after the other each waits for the disk; together they share its waits. */
const AT_ONCE = 16

/** Everything below a folder, and its name in the one above, is on the disk when this resolves. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  await pLimit(AT_ONCE).map(paths, async (path) => sync(await open(path, 'r+')))
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  for (const each of [...folders, folder, dirname(folder)]) await syncFolder(each)
}

/** The names in a folder. Windows keeps them with the files and opens no folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') await sync(await open(folder, 'r'))
}

async function sync(file: FileHandle): Promise<void> {
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
