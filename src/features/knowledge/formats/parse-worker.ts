import { parentPort } from 'node:worker_threads'
import { AppError } from '../../../kernel/errors.ts'
import { chunkDocument } from '../chunking.ts'
import { parseDocument } from './index.ts'
import type { ParseAnswer, ParseJob } from './parser-pool.ts'

/** One job at a time; whatever happens is answered, so that only a kill ends without an answer. */
parentPort?.on('message', async (job: ParseJob) => {
  parentPort?.postMessage(await answer(job))
})

async function answer(job: ParseJob): Promise<ParseAnswer> {
  try {
    const { blocks, ...document } = await parseDocument(job.input, job.limits)
    return {
      ok: true,
      document: { ...document, chunks: chunkDocument({ title: document.title, blocks }, job.chunking) },
    }
  } catch (error) {
    if (error instanceof AppError)
      return { ok: false, code: error.code, message: error.message, cause: causeOf(error.cause) }
    // A stack or a string beyond the engine's limits is the document's doing.
    const tooMuch = error instanceof RangeError
    return {
      ok: false,
      code: tooMuch ? 'document_too_complex' : 'malformed_document',
      message: null,
      cause: causeOf(error),
    }
  }
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error.stack ?? error.message) : undefined
}
