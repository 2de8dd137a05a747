import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'

/** Longest pause after a step. */
const MAX_REST_MS = 250

/**
 * Rests as long as the last step took, so that removing takes half of a connection's time at the most. Throws
 * unavailable once `signal` aborts.
 */
export async function rest(tookMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(tookMs, MAX_REST_MS), undefined, { signal }).catch(() => {})
  if (signal.aborted) {
    const text = 'The service is shutting down; it goes on with this at its next start'
    throw new AppError('unavailable', 'removal_stopped', text, { retryAfterSeconds: 10 })
  }
}
