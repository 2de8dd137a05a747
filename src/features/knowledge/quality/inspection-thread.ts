import { Worker } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { askThread, isOutOfMemory, takePages } from '../../../kernel/threads.ts'
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
    await takePages(pages, (chunks) => ask(worker, { op: 'add', chunks }))
    const reply = await ask(worker, { op: 'finish' })
    if (reply.kind !== 'finished') throw new Error(`Unexpected reply of the inspection: ${reply.kind}`)
    return reply.inspection
  } finally {
    await worker.terminate()
  }
}

function ask(worker: Worker, request: InspectionRequest): Promise<InspectionReply> {
  return askThread<InspectionReply>(worker, { of: 'the inspection', request }).catch((error: unknown) => {
    throw explain(error)
  })
}

function explain(error: unknown): unknown {
  if (!isOutOfMemory(error)) return error
  const message = 'The knowledge base is too large to be checked at once; check it by source or doc_id'
  return new AppError('unavailable', 'quality_memory', message, { cause: error })
}
