import type { Log } from '../../kernel/log.ts'
import { listIdle, listOverdue, releaseSession, withdrawSession } from './queries.ts'
import { announce, type TransitionOptions } from './transitions.ts'

export interface ReturningOptions extends TransitionOptions {
  /** How long a session waits for a person before it goes back to the assistant; 0: for ever. */
  timeoutSeconds: number
  /** How long a customer waits for the person who has the session before it waits for the next one; 0: for ever. */
  idleMinutes: number
  /** Since when people are there; null: they are not, and nobody waits in vain. */
  openSince(): Date | null
  log: Log
}

const BATCH = 100
const MIN_SWEEP_MS = 250
const MAX_SWEEP_MS = 15_000

/** When a session that has waited since a moment goes back, as `listOverdue` finds it; null: it waits until a person comes. */
export function returnsAt(
  { timeoutSeconds, openSince }: Pick<ReturningOptions, 'timeoutSeconds' | 'openSince'>,
  waitingSince: Date,
): Date | null {
  const since = openSince()
  if (timeoutSeconds === 0 || since === null) return null
  return new Date(Math.max(waitingSince.getTime(), since.getTime()) + timeoutSeconds * 1_000)
}

/** Gives back the sessions that nobody took in time. */
async function returnOverdue(options: ReturningOptions): Promise<void> {
  const { db, timeoutSeconds } = options
  const openSince = options.openSince()
  if (timeoutSeconds === 0 || openSince === null) return
  for (const sessionId of await listOverdue(db.executor, timeoutSeconds, BATCH, openSince)) {
    // Another replica may have returned it, or a person taken it, since the list was read.
    await db.transaction(async (trx) => {
      const session = await withdrawSession(trx, sessionId, timeoutSeconds, openSince)
      if (session) await announce(options, trx, session, 'returned')
    })
  }
}

/** Releases the sessions whose person is not there any more. */
async function releaseIdle(options: ReturningOptions): Promise<void> {
  const { db, idleMinutes } = options
  if (idleMinutes === 0 || options.openSince() === null) return
  for (const { sessionId, agentId } of await listIdle(db.executor, idleMinutes, BATCH)) {
    await db.transaction(async (trx) => {
      const [still] = await listIdle(trx, idleMinutes, 1, sessionId)
      const session = still && (await releaseSession(trx, sessionId, agentId))
      if (session) await announce(options, trx, session, 'released', { from: agentId, note: 'idle' })
    })
  }
}

/** Looks for sessions that wait in vain every now and then; returns the function that ends it. */
export function returnRegularly(options: ReturningOptions): () => Promise<void> {
  const { timeoutSeconds, idleMinutes, log } = options
  const limits = [timeoutSeconds, idleMinutes * 60].filter((seconds) => seconds > 0)
  if (limits.length === 0) return async () => {}
  const intervalMs = Math.min(Math.max(Math.min(...limits) * 250, MIN_SWEEP_MS), MAX_SWEEP_MS)
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= Promise.all([returnOverdue(options), releaseIdle(options)])
      .catch((error: unknown) => log.warn({ err: error }, 'Looking for overdue sessions failed'))
      .finally(() => {
        running = undefined
      })
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
