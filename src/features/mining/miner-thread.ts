import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import type { MinerReply, MinerRequest, MinerSettings } from './miner-protocol.ts'
import type { MinedTicket, MiningLimits, MiningOutcome } from './types.ts'

/** Enough for about half a million tickets; beyond it the run fails and the service goes on. */
const MAX_HEAP_MB = 2_048

export interface Threaded {
  settings: MinerSettings
  limits: MiningLimits
  signal: AbortSignal
  /** Share of the work after the last page that is done, 0 to 1. */
  onProgress(share: number): void
}

/**
 * Mines tickets that arrive in pages, on a thread that ends with the run. The next page is asked for when the one before
 * has been taken in, so that no more than two are held.
 */
export async function mineInThread(
  pages: AsyncIterable<readonly MinedTicket[]>,
  { settings, limits, signal, onProgress }: Threaded,
): Promise<MiningOutcome> {
  const worker = new Worker(new URL('./miner-worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const stop = (): void => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    let taken: Promise<unknown> = Promise.resolve()
    for await (const tickets of pages) {
      signal.throwIfAborted()
      await taken
      taken = ask(worker, { op: 'add', tickets }, onProgress)
      // Awaited a page later; until then a failure must not count as unhandled.
      taken.catch(() => {})
    }
    await taken
    signal.throwIfAborted()
    const reply = await ask(worker, { op: 'finish', limits }, onProgress)
    if (reply.kind !== 'finished') throw new Error(`Unexpected reply of the miner: ${reply.kind}`)
    return reply.outcome
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

function ask(worker: Worker, request: MinerRequest, onProgress: Threaded['onProgress']): Promise<MinerReply> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      action()
    }
    const onMessage = (reply: MinerReply): void => {
      if (reply.kind === 'progress') onProgress(reply.share)
      else settle(() => resolve(reply))
    }
    const onError = (error: unknown): void => settle(() => reject(explain(error)))
    const onExit = (): void => settle(() => reject(new Error('The thread of the mining run ended')))
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.postMessage(request)
  })
}

function explain(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const message = 'There are too many tickets to be mined at once; mine them by start_time and end_time'
  return new AppError('unavailable', 'mining_memory', message, { cause: error })
}
