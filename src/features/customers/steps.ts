import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import type { Counts, Reason, Removed } from './types.ts'

/** A removal, of which others must not notice more than that the service is a little busier. */
export interface Removal {
  db: Database
  reason: Reason
  /** In the transaction of each step: notes what it removed. Throws when another process has taken the work over. */
  note(trx: Executor, counts: Counts): Promise<void>
  /** Between two steps: others get their turn. Throws when the program ends. */
  rest(tookMs: number): Promise<void>
}

/** One short transaction, then a rest. */
export async function step<T extends Pick<Removed, 'counts'>>(
  { db, note, rest }: Removal,
  work: (trx: Executor) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  const done = await db.transaction(async (trx) => {
    const result = await work(trx)
    await note(trx, result.counts)
    return result
  })
  await rest(performance.now() - startedAt)
  return done
}

/** Batch after batch until there is nothing left. */
export async function drain(removal: Removal, batch: (trx: Executor) => Promise<Removed>): Promise<void> {
  while ((await step(removal, batch)).more);
}

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
