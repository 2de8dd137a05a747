import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from './errors.ts'

const DELAY_MS = 1_000

/**
 * Tries again, once a second, while what `read` reads from is unavailable: for streams that outlast an outage. Rejects
 * with any other failure, and with the last one once `signal` is aborted.
 */
export async function untilAvailable<T>(read: () => Promise<T>, signal: AbortSignal, delayMs = DELAY_MS): Promise<T> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted) throw error
    }
    await sleep(delayMs, undefined, { signal }).catch(() => {})
  }
}
