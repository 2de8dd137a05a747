import { batchesOf } from '../../../kernel/batches.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { ParseAnswer, ParseJob } from './parser-pool.ts'
import { readDocument } from './read-document.ts'

/** Chunks per message: the parent turns each into objects in a few milliseconds and serves others in between. */
const BATCH = 500

/** One job at a time; whatever happens is answered, so that only a kill ends without an answer. */
process.on('message', async (job: ParseJob) => {
  for await (const answer of answers(job)) process.send?.(answer)
})
process.send?.({ type: 'ready' } satisfies ParseAnswer)
// The parent is gone, so nobody waits for an answer.
process.on('disconnect', () => process.exit(0))

async function* answers(job: ParseJob): AsyncGenerator<ParseAnswer> {
  try {
    const { chunks, ...document } = await readDocument(job.input, job)
    for (const batch of batchesOf(chunks, BATCH)) yield { type: 'chunks', chunks: batch }
    yield { type: 'done', document }
  } catch (error) {
    yield failure(error)
  }
}

function failure(error: unknown): ParseAnswer {
  const cause = error instanceof AppError ? error.cause : error
  const trace = cause instanceof Error ? (cause.stack ?? cause.message) : undefined
  if (error instanceof AppError) return { type: 'failed', code: error.code, message: error.message, cause: trace }
  // A stack or a string beyond the engine's limits is the document's doing.
  const code = error instanceof RangeError ? 'document_too_complex' : 'malformed_document'
  return { type: 'failed', code, message: null, cause: trace }
}
