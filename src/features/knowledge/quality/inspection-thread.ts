import { Worker } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import type { InspectionReply, InspectionRequest, QualityLists } from './inspection-protocol.ts'
import type { InspectedChunk, Inspection } from './inspector.ts'

/** Enough for 500,000 chunks; beyond it the check fails and the service goes on. */
const MAX_HEAP_MB = 2_048

/**
 * Inspects chunks that arrive in pages, on a thread of its own that ends with the inspection. The next page is asked for
 * when the one before has been taken in, so that no more than two are held.
 */
export async function inspectOnThread(
  lists: QualityLists,
  pages: AsyncIterable<readonly InspectedChunk[]>,
): Promise<Inspection> {
  const worker = new Worker(new URL('./inspection-worker.ts', import.meta.url), {
    workerData: lists,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  try {
    let taken: Promise<unknown> = Promise.resolve()
    for await (const chunks of pages) {
      await taken
      taken = ask(worker, { op: 'add', chunks })
      // Awaited a page later; until then a failure must not count as unhandled.
      taken.catch(() => {})
    }
    await taken
    const reply = await ask(worker, { op: 'finish' })
    if (reply.kind !== 'finished') throw new Error(`Unexpected reply of the inspection: ${reply.kind}`)
    return reply.inspection
  } finally {
    await worker.terminate()
  }
}

function ask(worker: Worker, request: InspectionRequest): Promise<InspectionReply> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      action()
    }
    const onMessage = (reply: InspectionReply): void => settle(() => resolve(reply))
    const onError = (error: unknown): void => settle(() => reject(explain(error)))
    const onExit = (): void => settle(() => reject(explain(new Error('The thread of the inspection ended'))))
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.postMessage(request)
  })
}

function explain(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const message = 'The knowledge base is too large to be checked at once; check it by source or doc_id'
  return new AppError('unavailable', 'quality_memory', message, { cause: error })
}
