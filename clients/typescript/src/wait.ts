const LONGEST_MS = 30_000

/** Twice as long each time, and not at the same moment as everybody else. */
export function backOff(attempt: number): number {
  return Math.min(LONGEST_MS, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
