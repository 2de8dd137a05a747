import { parentPort, Worker } from 'node:worker_threads'
import { AppError } from './errors.ts'

export interface ReductionOptions {
  /** Completes "The thread of … ended". */
  of: string
  workerData: unknown
  maxHeapMb: number
  /** The refusal of an input that needs more memory. */
  outOfMemory: { code: string; message: string }
  signal?: AbortSignal
  /** Share of the work after the last page that is done, 0 to 1. */
  onProgress?(share: number): void
}

type Answer<Result> = { kind: 'taken' } | { kind: 'progress'; share: number } | { kind: 'result'; result: Result }
/** `null` asks for the result. */
type Request<Page> = { page: Page | null }

/**
 * The result of a thread of its own, which ends with it, for pages that arrive one after the other: seconds of computing that
 * would stall every request on the main thread. The file of the thread calls `serveReduction`. The next page is read while
 * the one before is taken in, so that no more than two are held. Rejects with what the thread throws, or with the signal's
 * reason.
 */
export async function reduceOnThread<Page, Result>(
  file: URL,
  pages: AsyncIterable<Page>,
  { of, workerData, maxHeapMb, outOfMemory, signal, onProgress }: ReductionOptions,
): Promise<Result> {
  const worker = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } })
  const stop = (): void => void worker.terminate()
  signal?.addEventListener('abort', stop)

  const ended = new Promise<never>((_, reject) => {
    worker.on('error', reject).on('exit', () => reject(new Error(`The thread of ${of} ended`)))
  })
  ended.catch(() => {})
  let answered: (result?: Result) => void = () => {}
  worker.on('message', (answer: Answer<Result>) => {
    if (answer.kind === 'progress') onProgress?.(answer.share)
    else answered(answer.kind === 'result' ? answer.result : undefined)
  })
  /** One question at a time. */
  function ask(request: Request<Page>): Promise<Result | undefined> {
    const answer = new Promise<Result | undefined>((resolve) => {
      answered = resolve
    })
    worker.postMessage(request)
    return Promise.race([answer, ended])
  }

  try {
    let taken: Promise<unknown> = Promise.resolve()
    for await (const page of pages) {
      signal?.throwIfAborted()
      await taken
      taken = ask({ page })
      // Awaited a page later; until then a failure must not count as unhandled.
      taken.catch(() => {})
    }
    await taken
    signal?.throwIfAborted()
    return (await ask({ page: null })) as Result
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
    throw new AppError('unavailable', outOfMemory.code, outOfMemory.message, { cause: error })
  } finally {
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

/** The thread's side of `reduceOnThread`. */
export function serveReduction<Page, Result>(reducer: {
  add(page: Page): void
  finish(onProgress: (share: number) => void): Result
}): void {
  const post = (answer: Answer<Result>): void => parentPort?.postMessage(answer)
  parentPort?.on('message', ({ page }: Request<Page>) => {
    if (page !== null) reducer.add(page)
    post(
      page === null
        ? { kind: 'result', result: reducer.finish((share) => post({ kind: 'progress', share })) }
        : { kind: 'taken' },
    )
  })
}

/** Did a thread end because it needed more memory than its `resourceLimits` allow? */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}
