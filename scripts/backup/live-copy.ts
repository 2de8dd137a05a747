import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type SnapshotAnswer, snapshotSocket } from '../../src/platform/postgres/snapshots.ts'

export interface LiveCopy {
  folder: string
  /** Aborts when the service ends: it takes its copy with it, or leaves it for the next start to remove. */
  lost: AbortSignal
  release(): void
}

/** Asks the service that runs on `dataDir` for a copy of its database. Throws a message for the operator. */
export async function requestCopy(dataDir: string): Promise<LiveCopy> {
  const socket = await reach(dataDir)
  const lost = new AbortController()
  socket.once('close', () => lost.abort(new Error('The service stopped before the backup was complete')))
  const answer = await firstLine(socket)
  if ('folder' in answer) return { folder: answer.folder, lost: lost.signal, release: () => socket.destroy() }
  throw new Error(`The running service refused: ${answer.error}`)
}

async function reach(dataDir: string): Promise<Socket> {
  const path = snapshotSocket(dataDir)
  if (path === null) throw new Error(`${STOP_IT} (this system or the length of ${dataDir} allows no socket there)`)
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch (cause) {
    throw new Error(`${STOP_IT} (it does not answer at ${path})`, { cause })
  }
}

const STOP_IT = 'The running service cannot be asked for a copy; stop it and run the backup again'

async function firstLine(socket: Socket): Promise<SnapshotAnswer> {
  for await (const line of createInterface({ input: socket })) return JSON.parse(line) as SnapshotAnswer
  throw new Error('The service stopped before it had copied its database')
}
