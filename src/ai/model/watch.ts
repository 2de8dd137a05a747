import { TimeLimit } from './failure.ts'

export interface ModelTimeouts {
  /** From the request to the first sign of an answer, in milliseconds. Default 15,000. */
  firstTokenMs: number
  /** Between two pieces of the answer. Default 10,000. */
  betweenTokensMs: number
  /** The whole call with its retries. Default 60,000. */
  totalMs: number
}

export const defaultTimeouts: ModelTimeouts = { firstTokenMs: 15_000, betweenTokensMs: 10_000, totalMs: 60_000 }

export type Watch = ReturnType<typeof watchRequest>

/**
 * The time limits of one HTTP request and its end, whoever wants it. Only the endpoint's time counts: while the consumer is busy with a piece, nobody waits and no limit runs.
 * Rejects by itself instead of relying on `fetch` to do so, so that a stuck connection cannot hold a customer.
 */
export function watchRequest(limits: ModelTimeouts, call: AbortSignal) {
  const controller = new AbortController()
  let rejectWaiting: ((reason: unknown) => void) | null = null
  let timer = setTimeout(() => stopWith(new TimeLimit('first token', limits.firstTokenMs)), limits.firstTokenMs)
  let hasStarted = false
  let released = false

  function stopWith(reason: unknown): void {
    controller.abort(reason)
    rejectWaiting?.(reason)
  }
  const onCallAborted = (): void => stopWith(call.reason)
  call.addEventListener('abort', onCallAborted, { once: true })
  if (call.aborted) onCallAborted()

  /** The first sign of an answer: from now on the pause between two pieces is what is limited. */
  function started(): void {
    if (hasStarted) return
    hasStarted = true
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (rejectWaiting) stopWith(new TimeLimit('between tokens', limits.betweenTokensMs))
    }, limits.betweenTokensMs)
  }

  /** Waits for the endpoint; rejects at once when a limit is passed or the call is aborted, with that reason. */
  async function wait<T>(promise: PromiseLike<T>): Promise<T> {
    if (hasStarted) timer.refresh()
    try {
      return await new Promise<T>((resolve, reject) => {
        rejectWaiting = reject
        promise.then(resolve, reject)
        if (controller.signal.aborted) reject(controller.signal.reason)
      })
    } finally {
      rejectWaiting = null
    }
  }

  /** The answer is complete: no limit runs any more and `stop` leaves the connection to itself. */
  function release(): void {
    clearTimeout(timer)
    call.removeEventListener('abort', onCallAborted)
    released = true
  }

  return {
    /** For the HTTP request. */
    signal: controller.signal,
    wait,
    isWaiting: (): boolean => rejectWaiting !== null,
    started,
    release,
    /** Ends the request if it still runs, and all timers. */
    stop(): void {
      if (released) return
      release()
      controller.abort()
    },
  }
}
