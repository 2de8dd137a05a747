import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import type { SerialisedError, WorkerOptions, WorkerReply, WorkerRequest } from './embedded-protocol.ts'

/** Any request without its number. */
type Operation = WorkerRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never
interface Result {
  rows: unknown[]
  affectedRows: number
}
interface Waiting {
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

export type EmbeddedClient = Awaited<ReturnType<typeof startEmbeddedClient>>

/** Starts the worker thread; resolves when the database is open. `onCrash` runs when the thread dies by itself. */
export async function startEmbeddedClient(options: WorkerOptions, onCrash: (error: Error) => void) {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: options })
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let closing = false
  let notified: (channel: string, payload: string) => void = () => {}

  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const crash = (error: Error): void => {
    failAll(error)
    if (closing) return
    closing = true
    onCrash(error)
  }
  const settle = (reply: WorkerReply): void => {
    if (reply.kind === 'broken') crash(gone(unwritable(reply.reason)))
    if (reply.kind === 'notification') notified(reply.channel, reply.payload)
    if (reply.kind !== 'result' && reply.kind !== 'error') return
    const entry = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.kind === 'result') entry?.resolve(reply)
    else entry?.reject(revive(reply.error))
  }
  const request = (operation: Operation): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (closing) return reject(gone('The embedded database is closed'))
      const id = nextId++
      waiting.set(id, { resolve, reject })
      worker.postMessage({ ...operation, id })
    })

  worker.on('message', settle)
  await ready(worker)
  worker.on('error', (error) => failAll(gone(`The embedded database's thread failed: ${String(error)}`)))
  worker.on('exit', (code) => crash(gone(`The embedded database's thread ended (code ${code})`)))

  return {
    request,
    onNotification(handler: typeof notified): void {
      notified = handler
    },
    async close(): Promise<void> {
      if (closing) return
      const closed = request({ op: 'close' })
      closing = true
      await closed
      await worker.terminate()
    },
  }
}

function ready(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (reply: WorkerReply): void => {
      if (reply.kind === 'ready') resolve()
      if (reply.kind === 'failed') reject(revive(reply.error))
      if (reply.kind === 'broken') reject(new AppError('unavailable', 'database_unwritable', unwritable(reply.reason)))
    }
    worker.once('message', onMessage)
    worker.once('error', reject)
  })
}

function unwritable(reason: string): string {
  return `The embedded database cannot write its log: ${reason}. What was acknowledged is safe; start again once it can`
}

function revive(error: SerialisedError): Error {
  const { message, ...rest } = error
  return Object.assign(new Error(message), rest)
}

function gone(message: string): Error {
  return Object.assign(new Error(message), { code: '08006' })
}
