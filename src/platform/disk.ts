import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Room on the file system that holds `path`, or that will hold it once it is made. */
export async function diskSpace(path: string): Promise<{ freeBytes: number; totalBytes: number }> {
  let folder = resolve(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
