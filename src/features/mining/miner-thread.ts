import { Worker } from 'node:worker_threads'
import { AppError } from '../../kernel/errors.ts'
import { askThread, isOutOfMemory, takePages } from '../../kernel/threads.ts'
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
  worker.on('message', (reply: MinerReply) => (reply.kind === 'progress' ? onProgress(reply.share) : undefined))
  try {
    await takePages(pages, (tickets) => ask(worker, { op: 'add', tickets }), signal)
    const reply = await ask(worker, { op: 'finish', limits })
    if (reply.kind !== 'finished') throw new Error(`Unexpected reply of the miner: ${reply.kind}`)
    return reply.outcome
  } finally {
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

type Answer = Exclude<MinerReply, { kind: 'progress' }>

function ask(worker: Worker, request: MinerRequest): Promise<Answer> {
  const isAnswer = ({ kind }: { kind: string }) => kind !== 'progress'
  return askThread<Answer>(worker, { of: 'the mining run', request, isAnswer }).catch((error: unknown) => {
    throw explain(error)
  })
}

function explain(error: unknown): unknown {
  if (!isOutOfMemory(error)) return error
  const message = 'There are too many tickets to be mined at once; mine them by start_time and end_time'
  return new AppError('unavailable', 'mining_memory', message, { cause: error })
}
