import type { Worker } from 'node:worker_threads'

/**
 * Hands over pages one after the other. The next one is read while the one before is taken in, so that no more than two
 * are held. Rejects with what `take` rejects with, or with the signal's reason.
 */
export async function takePages<Page>(
  pages: AsyncIterable<Page>,
  take: (page: Page) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  let taken: Promise<unknown> = Promise.resolve()
  for await (const page of pages) {
    signal?.throwIfAborted()
    await taken
    taken = take(page)
    // Awaited a page later; until then a failure must not count as unhandled.
    taken.catch(() => {})
  }
  await taken
  signal?.throwIfAborted()
}

export interface ThreadQuestion {
  /** Completes "The thread of … ended". */
  of: string
  /** Posted to the thread, which answers one at a time. */
  request: unknown
  /** False for messages on the way to the answer; every message is one unless given. */
  isAnswer?: (message: { kind: string }) => boolean
}

/** The answer of a thread to a request. Rejects when the thread fails or ends before. */
export function askThread<Answer extends { kind: string }>(
  worker: Worker,
  { of, request, isAnswer = () => true }: ThreadQuestion,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void): void => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      action()
    }
    const onMessage = (message: Answer): void => {
      if (isAnswer(message)) settle(() => resolve(message))
    }
    const onError = (error: unknown): void => settle(() => reject(error))
    const onExit = (): void => settle(() => reject(new Error(`The thread of ${of} ended`)))
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.postMessage(request)
  })
}

/** Did a thread end because it needed more memory than its `resourceLimits` allow? */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}
