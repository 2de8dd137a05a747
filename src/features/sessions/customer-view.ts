import { type Aside, readAside } from '../../kernel/asides.ts'
import { AppError } from '../../kernel/errors.ts'
import { untilAvailable } from '../../kernel/retry.ts'
import type { LiveEvent, LiveEvents } from '../../platform/live-events.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { otherUser, type SessionIdentity } from './identity.ts'
import { findMessage, findSession, lastSeq, messagesAfter, type Readable, saveFeedback } from './queries.ts'
import type { StoredMessage } from './types.ts'

const PAGE = 200

export interface CustomerViewOptions {
  db: Database
  live: LiveEvents
  identity: SessionIdentity
  /** Told of every rating. */
  onFeedback(sessionId: string, rating: 'up' | 'down'): void
}

/** A session and who looks at it; `userId` empty: nobody was named. */
export interface Viewed {
  sessionId: string
  userId: string
}

type Part = { sessionId: string; readable: Readable }

/**
 * The customers' view of their own conversation beside the replies to what they ask. Somebody who would speak as a guest
 * sees what was said by and to guests. All throw not_found, and conflict for another customer's session.
 */
export function createCustomerView({ db, live, identity, onFeedback }: CustomerViewOptions) {
  async function open({ sessionId, userId }: Viewed) {
    const speaker = { userId, origin: 'given', trustsMade: identity === 'made' } as const
    const found = await findSession(db.executor, sessionId, speaker)
    if (!found) throw new AppError('not_found', 'session', `No session has the id ${sessionId}`)
    const { voice, agentStatus } = found
    if (voice === 'other') throw otherUser()
    return { sessionId, agentStatus, readable: voice }
  }

  return {
    /** The session as whoever looks at it may see it. */
    openSession: open,

    /** Messages after the one named, oldest first. Throws not_found for an unknown session or message. */
    async messages(viewed: Viewed, after: string, limit: number) {
      const session = await open(viewed)
      const from = after === '' ? 0 : (await message(session, after)).seq
      const messages = await messagesAfter(db.executor, session, from, limit)
      return { agentStatus: session.agentStatus, messages }
    },

    /**
     * Messages of people and the service in the session, as they come: messages of agents, handoff, acceptance and
     * resolution. `afterSeq` resumes after an event that was seen; null starts now. Ends when `signal` aborts.
     */
    async events(
      viewed: Viewed,
      afterSeq: number | null,
      signal: AbortSignal,
    ): Promise<AsyncIterable<StoredMessage | Aside>> {
      const session = await open(viewed)
      const start = afterSeq ?? (await lastSeq(db.executor, session.sessionId))
      return follow(db, live, session, start, signal)
    },

    async feedback(
      viewed: Viewed,
      given: { messageId: string; rating: 'up' | 'down'; comment: string | null },
    ): Promise<void> {
      const session = await open(viewed)
      const { sessionId } = session
      const { role } = await message(session, given.messageId)
      if (role === 'user') throw new AppError('invalid', 'feedback', 'message_id: only replies can be rated')
      await saveFeedback(db.executor, { sessionId, ...given })
      onFeedback(sessionId, given.rating)
    },
  }

  async function message(session: Part, messageId: string): Promise<StoredMessage> {
    const found = await findMessage(db.executor, messageId, session)
    if (!found) throw new AppError('not_found', 'message', `The session has no message ${messageId}`)
    return found
  }
}

/** More of what matters for seconds is not kept for somebody who does not listen. */
const MAX_ASIDES = 20

async function* follow(
  db: Database,
  live: LiveEvents,
  session: Part,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<StoredMessage | Aside> {
  let wake = (): void => {}
  let isNew = true
  const asides: Aside[] = []
  const look = (): void => {
    isNew = true
    wake()
  }
  const receive = (event: LiveEvent): void => {
    const aside = readAside(event)
    if (aside && asides.length < MAX_ASIDES) asides.push(aside)
    if (aside) wake()
    else look()
  }
  const unsubscribe = live.subscribe(`session:${session.sessionId}`, receive, look)
  signal.addEventListener('abort', look, { once: true })
  let seen = start
  try {
    while (!signal.aborted) {
      yield* asides.splice(0)
      if (isNew) {
        isNew = false
        const read = () => messagesAfter(db.executor, session, seen, PAGE)
        for (const next of await untilAvailable(read, signal)) {
          seen = next.seq
          if (next.role === 'agent' || next.role === 'system') yield next
        }
      }
      if (isNew || asides.length > 0 || signal.aborted) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    unsubscribe()
  }
}
