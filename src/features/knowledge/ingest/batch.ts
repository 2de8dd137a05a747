import pLimit from 'p-limit'
import { AppError, isUnavailable } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import type { IngestResult } from '../types.ts'
import { documentIdOf } from './identity.ts'
import type { IngestRequest } from './ingest.ts'

/** A file of a batch: what became of it, or why it could not be taken in. */
export type BatchResult = Omit<IngestResult, 'status'> & { status: IngestResult['status'] | 'failed' }

export interface BatchSummary {
  total: number
  succeeded: number
  /** Of these, files whose content was there already. */
  unchanged: number
  rejected: number
  failed: number
}

interface Batch {
  ingest(request: IngestRequest): Promise<IngestResult>
  log: Pick<Log, 'warn'>
}

/** Files read and prepared at the same time: enough to keep the database busy while the next ones are analysed. */
const AT_ONCE = 4

/**
 * Takes in several files, each by itself: one that cannot be read leaves the others alone. Ends early, and throws, when
 * no further file would fare better (the database is gone) or nobody waits for it any more; files that are in stay in.
 *
 * @param onResult is told of each file as it ends, in whatever order.
 * @returns in the order of the files.
 */
export async function ingestBatch(
  { ingest, log }: Batch,
  requests: readonly IngestRequest[],
  signal: AbortSignal,
  onResult: (result: BatchResult) => Promise<void> = async () => {},
): Promise<BatchResult[]> {
  const failed = new AbortController()
  const stopped = AbortSignal.any([signal, failed.signal])
  const takeIn = async (request: IngestRequest): Promise<BatchResult> => {
    stopped.throwIfAborted()
    const result = await ingest(request).catch((error: unknown) => {
      if (isUnavailable(error)) failed.abort(error)
      failed.signal.throwIfAborted()
      if (!(error instanceof AppError)) log.warn({ err: error }, 'A file of a batch could not be taken in')
      return failure(request, error instanceof AppError ? error.message : 'could not be taken in')
    })
    await onResult(result)
    return result
  }
  const limit = pLimit(AT_ONCE)
  const taken = await Promise.allSettled(requests.map((request) => limit(() => takeIn(request))))
  // A file fails by itself; anything that was thrown stopped them all.
  stopped.throwIfAborted()
  return taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
}

function failure({ source }: IngestRequest, reason: string): BatchResult {
  const nothing = { chunkCount: 0, version: null, unchanged: false }
  return { docId: documentIdOf(source), source, status: 'failed', ...nothing, errors: [reason] }
}

export function summaryOf(results: readonly BatchResult[]): BatchSummary {
  const count = (is: (result: BatchResult) => boolean): number => results.filter(is).length
  return {
    total: results.length,
    succeeded: count(({ status }) => status === 'success'),
    unchanged: count(({ status, unchanged }) => status === 'success' && unchanged),
    rejected: count(({ status }) => status === 'rejected'),
    failed: count(({ status }) => status === 'failed'),
  }
}
