import { AppError } from '../../kernel/errors.ts'
import { untilAvailable } from '../../kernel/patience.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { findMessage, findSession, lastSeq, messagesAfter, saveFeedback } from './queries.ts'
import type { SessionRow, StoredMessage } from './types.ts'

const PAGE = 200

export interface CustomerViewOptions {
  db: Database
  live: LiveEvents
  /** Told of every rating. */
  onFeedback(sessionId: string, rating: 'up' | 'down'): void
}

/** What customers see of their own conversation beside the replies to what they ask. */
export function createCustomerView({ db, live, onFeedback }: CustomerViewOptions) {
  async function session(sessionId: string): Promise<SessionRow> {
    const found = await findSession(db.executor, sessionId)
    if (!found) throw new AppError('not_found', 'session', `No session has the id ${sessionId}`)
    return found
  }

  return {
    /** Messages after the one named, oldest first. Throws not_found for an unknown session or message. */
    async messages(
      sessionId: string,
      after: string,
      limit: number,
    ): Promise<{ session: SessionRow; messages: StoredMessage[] }> {
      const found = await session(sessionId)
      const from = after === '' ? 0 : (await message(sessionId, after)).seq
      return { session: found, messages: await messagesAfter(db.executor, sessionId, from, limit) }
    },

    /**
     * What people and the service say in the session, as it happens: messages of agents, handoff, acceptance and
     * resolution. `afterSeq` resumes after an event that was seen; null starts now. Ends when `signal` aborts.
     */
    async events(
      sessionId: string,
      afterSeq: number | null,
      signal: AbortSignal,
    ): Promise<AsyncIterable<StoredMessage>> {
      await session(sessionId)
      const start = afterSeq ?? (await lastSeq(db.executor, sessionId))
      return follow(db, live, sessionId, start, signal)
    },

    async feedback(
      sessionId: string,
      given: { messageId: string; rating: 'up' | 'down'; comment: string | null },
    ): Promise<void> {
      await session(sessionId)
      const { role } = await message(sessionId, given.messageId)
      if (role === 'user') throw new AppError('invalid', 'feedback', 'message_id: only replies can be rated')
      await saveFeedback(db.executor, { sessionId, ...given })
      onFeedback(sessionId, given.rating)
    },
  }

  async function message(sessionId: string, messageId: string): Promise<StoredMessage> {
    const found = await findMessage(db.executor, sessionId, messageId)
    if (!found) throw new AppError('not_found', 'message', `The session has no message ${messageId}`)
    return found
  }
}

async function* follow(
  db: Database,
  live: LiveEvents,
  sessionId: string,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<StoredMessage> {
  let wake = (): void => {}
  let isNew = true
  const look = (): void => {
    isNew = true
    wake()
  }
  const unsubscribe = live.subscribe(`session:${sessionId}`, look, look)
  signal.addEventListener('abort', look, { once: true })
  let seen = start
  try {
    while (!signal.aborted) {
      isNew = false
      const read = () => messagesAfter(db.executor, sessionId, seen, PAGE)
      for (const next of await untilAvailable(read, signal)) {
        seen = next.seq
        if (next.role === 'agent' || next.role === 'system') yield next
      }
      if (isNew || signal.aborted) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    unsubscribe()
  }
}
