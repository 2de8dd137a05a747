import { chmodSync, rmSync } from 'node:fs'
import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join, relative, resolve } from 'node:path'
import type { Log } from '../../kernel/log.ts'

/** The answer that a caller reads: one line of JSON. The copy in `folder` lasts as long as the connection. */
export type SnapshotAnswer = { folder: string } | { error: string }

export interface SnapshotOptions {
  dataDir: string
  /** Copies the database, as it is between two transactions, into a folder that does not exist yet. */
  copyTo: (folder: string) => Promise<void>
  log: Log
}

/** The longest path that every system takes for a socket (`sun_path` in `sys/un.h`, 104 on macOS, less its end). */
const MAX_SOCKET_PATH_BYTES = 103

/**
 * Where a running service hands out copies; null where it cannot: Windows has no such sockets, and the path must be
 * short. The folder's permissions decide who may ask, as they decide who may read the data.
 */
export function snapshotSocket(dataDir: string): string | null {
  if (process.platform === 'win32') return null
  const absolute = resolve(dataDir, 'snapshot.sock')
  const paths = [absolute, relative(process.cwd(), absolute)]
  return paths.find((path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) ?? null
}

/** Serves copies of the database on a socket in its folder, one at a time. The caller holds the folder's lock. */
export async function serveSnapshots({ dataDir, copyTo, log }: SnapshotOptions): Promise<() => Promise<void>> {
  const path = snapshotSocket(dataDir)
  const folder = join(resolve(dataDir), 'snapshot')
  if (path === null) return async () => {}
  const callers = new Set<Socket>()
  let busy: Promise<void> | null = null
  const server = createServer((socket) => {
    callers.add(socket)
    socket.on('error', () => {})
    const gone = new Promise<void>((done) => socket.once('close', done)).then(() => void callers.delete(socket))
    if (busy) return void socket.end(line({ error: 'another backup is being made' }))
    busy = serveOne(socket, gone, { dataDir, folder, copyTo, log }).finally(() => {
      busy = null
    })
  })
  try {
    // Left by a killed process; a living one would hold the lock.
    rmSync(folder, { recursive: true, force: true })
    rmSync(path, { force: true })
    await listen(server, path)
  } catch (error) {
    log.warn({ err: error }, 'Backups need this process to stop: its socket in the data folder cannot be opened')
    return async () => {}
  }
  return async () => {
    server.close()
    for (const socket of callers) socket.destroy()
    await busy
  }
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((done, fail) => server.once('error', fail).listen(path, done))
  chmodSync(path, 0o600)
  // A caller who asks for a copy does not keep the process alive.
  server.unref()
}

async function serveOne(
  socket: Socket,
  gone: Promise<void>,
  { dataDir, folder, copyTo, log }: SnapshotOptions & { folder: string },
): Promise<void> {
  try {
    await demandSpace(join(dataDir, 'postgres'))
    await copyTo(folder)
    socket.write(line({ folder }))
  } catch (error) {
    log.warn({ err: error }, 'The database could not be copied for a backup')
    socket.end(line({ error: error instanceof Error ? error.message : String(error) }))
  }
  socket.resume()
  await gone
  await rm(folder, { recursive: true, force: true })
}

/** A disk that the copy fills is one on which the service can no longer write. */
async function demandSpace(database: string): Promise<void> {
  const [{ bavail, bsize }, neededBytes] = await Promise.all([statfs(database), folderBytes(database)])
  const freeBytes = bavail * bsize
  if (freeBytes > neededBytes * 1.1) return
  throw new Error(
    `the copy needs ${mebibytes(neededBytes)} MiB beside the database, and ${mebibytes(freeBytes)} are free`,
  )
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let bytes = 0
  for (const entry of entries.filter((each) => each.isFile())) {
    // Files come and go while the service works.
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1_048_576)
}

function line(answer: SnapshotAnswer): string {
  return `${JSON.stringify(answer)}\n`
}
