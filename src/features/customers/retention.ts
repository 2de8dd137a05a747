import { newId } from '../../kernel/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { batchSize, boundsOf, type RetentionDays } from './holdings.ts'
import { removeConversations } from './removal.ts'
import { claimTask, deleteBeyond } from './row-queries.ts'
import { holdSessions, oldSessions } from './session-queries.ts'
import { rest } from './steps.ts'

export interface RetentionOptions {
  db: Database
  clock: Clock
  days: RetentionDays
  /** The newest traces that are kept, whatever their age. */
  maxTraces: number
  /** Between two runs over all replicas, in milliseconds. */
  intervalMs: number
}

const DAY_MS = 86_400_000
const SESSIONS = 50

/** Removes what is older than it is to be kept, a little at a time. */
export function createRetention(options: RetentionOptions) {
  const { db, clock, days } = options
  const closing = new AbortController()

  /** Batch after batch, with rests, until one finds less than a batch; how many rows went. */
  async function drain(table: string, batch: (limit: number) => Promise<number>): Promise<number> {
    const limit = batchSize(table)
    for (let total = 0; ; ) {
      const startedAt = performance.now()
      const gone = await batch(limit)
      total += gone
      await rest(performance.now() - startedAt, closing.signal)
      if (gone < limit) return total
    }
  }

  async function run(): Promise<Record<string, number>> {
    const removed: Record<string, number> = {}
    const note = (table: string, count: number): void => {
      removed[table] = (removed[table] ?? 0) + count
    }
    const traces = { table: 'traces', column: 'started_at', newest: options.maxTraces }
    for (const bound of [...boundsOf(days), traces]) {
      const { table } = bound
      note(table, await drain(table, (limit) => deleteBeyond(db.executor, bound, clock.now(), limit)))
    }
    if (days.conversations > 0) {
      const before = new Date(clock.now() - days.conversations * DAY_MS)
      note('chat_sessions', await removeOldConversations(before))
    }
    return removed
  }

  async function removeOldConversations(before: Date): Promise<number> {
    const removal = { db, reason: 'age', note: async () => {}, rest: (ms: number) => rest(ms, closing.signal) } as const
    for (let total = 0; ; ) {
      const found = await oldSessions(db.executor, before, SESSIONS)
      // One in which somebody speaks at this moment is no old one any more.
      const held = await holdSessions(db.executor, found, newId('turn'), before)
      if (held.length === 0) return total
      await removeConversations(removal, held)
      total += held.length
    }
  }

  async function runUntilClosed(): Promise<void> {
    await run().catch((error: unknown) => {
      if (!closing.signal.aborted) throw error
    })
  }

  return {
    /** After a start, which may come after a long rest. */
    runAtStart: runUntilClosed,
    /** Now, on this replica; how many rows of each table went. */
    run,
    /** On the one of several replicas whose turn it is. */
    async runIfDue(): Promise<void> {
      // A timer is never quite on time: the replica whose turn it was last must not lose it to its own early tick.
      const isDue = await claimTask(db.executor, 'retention', new Date(clock.now()), options.intervalMs * 0.9)
      if (isDue) await runUntilClosed()
    },
    close: (): void => closing.abort(),
  }
}
