import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'frontdesk-tests-'
const ROOM_BYTES = 4 * 2 ** 30

/**
 * A folder for the databases of this run, in memory where there is room: a copy of the prepared database is a thousand
 * small files, which takes a disk twenty times as long. What an earlier run left when it was killed goes.
 */
export function setup(): () => void {
  const parent = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()
  for (const name of readdirSync(parent)) {
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length)))) remove(join(parent, name))
  }
  const folder = join(parent, `${PREFIX}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.env.TEST_SCRATCH = folder
  return () => remove(folder)
}

/** Where test databases go; outside of a run, the system's folder for such things. */
export function scratchFolder(): string {
  return process.env.TEST_SCRATCH ?? tmpdir()
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize > ROOM_BYTES
  } catch {
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
