import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import type { Responses } from './responses.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the server begins to close: what would outlast the running requests ends early. */
    closing: AbortSignal
    /** Aborts when the time of the running requests is over: what has not ended then is cut off a moment later. */
    cutting: AbortSignal
  }
}

/** Time that a shutdown keeps for itself, to write down what waits and to close the database. */
const CLOSING_MS = 3_000
/** For streams to say that they end. */
const LAST_WORDS_MS = 200

/** How much of a shutdown's time running requests are given: all but the last seconds, and half of a short one. */
export function drainLimitMs(shutdownMs: number): number {
  return Math.max(shutdownMs - CLOSING_MS, shutdownMs / 2)
}

/**
 * Lets running requests finish when the server closes, for at most `limitMs`, and refuses what still arrives. Then every
 * connection is cut: Node waits for each of them, without its own time limits, and one stalled upload would hold up the
 * end of the process.
 */
export function finishRunningRequests(app: FastifyInstance, { running }: Responses, limitMs: number): void {
  const begun = new AbortController()
  const over = new AbortController()
  app.decorate('closing', begun.signal)
  app.decorate('cutting', over.signal)
  let closing = false
  app.addHook('onRequest', (_request, _reply, done) => {
    if (closing) throw new AppError('unavailable', 'closing', 'The service is shutting down', { retryAfterSeconds: 2 })
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    closing = true
    begun.abort()
    app.publicServer?.close()
    await ended(running, limitMs)
    over.abort(new AppError('unavailable', 'closing', 'The service is shutting down'))
    await ended(running, LAST_WORDS_MS)
    // The port listens a moment longer, and Node waits for a connection that asks for nothing.
    app.server.on('connection', (socket) => socket.destroy())
    app.server.closeAllConnections()
    app.publicServer?.closeAllConnections()
  })
}

async function ended(running: Responses['running'], limitMs: number): Promise<void> {
  const limit = new AbortController()
  const { signal } = limit
  const timer = sleep(limitMs, undefined, { signal }).then(() => limit.abort())
  for (let left = running(); left.length > 0 && !signal.aborted; left = running()) {
    await Promise.all(left.map((response) => once(response, 'close', { signal }))).catch(() => {})
  }
  limit.abort()
  await timer.catch(() => {})
}
