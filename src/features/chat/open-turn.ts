import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { originOf } from './identity.ts'
import { findSession } from './queries.ts'
import type { BegunTurn, TurnStart } from './turn-queries.ts'
import type { TurnStore } from './turn-store.ts'
import type { ChatRequest } from './types.ts'

/** A turn from its message to its end. */
export interface OpenTurn {
  message: string
  owner: string
  /** Others may know the session: a turn of theirs may be under way, and a person may take it over. */
  isKnown: boolean
  /** The reply is sent piece by piece. */
  isStreamed: boolean
  /** The session as it is, and what was said in it, the new message last. */
  begin(): Promise<BegunTurn>
  /** Stores the session and the message, where that has not been done. */
  store(): Promise<void>
  /** What is still to be stored with the turn's end; null: nothing. */
  notStored(): TurnStart | null
}

interface Identifying {
  /** The session's id was made for this turn. */
  isNew: boolean
  /** A session whose id we made is its customer's word. */
  trustsMade: boolean
}

const LEASE_POLL_MS = 100
const LEASE_WAIT_MS = 60_000

/**
 * The first turn of a new session need not wait for the database: there is nothing to read, and nobody to wait for. Its
 * message is stored while the answer is looked for, or together with an answer that is known already; but before a
 * stream begins, whose first event names the session.
 */
export function openTurn(
  options: { db: Database; turns: TurnStore },
  request: ChatRequest,
  { owner, isKnown, isStreamed, isNew, trustsMade }: Pick<OpenTurn, 'owner' | 'isKnown' | 'isStreamed'> & Identifying,
): OpenTurn {
  const { sessionId, userId, channel, message } = request
  const identity = { userId, origin: originOf(request, isNew), trustsMade }
  const start = { sessionId, ...identity, channel, owner, messageId: newId('msg'), content: message }
  let isStored = false
  const store = async (): Promise<BegunTurn | null> => {
    if (isStored) return null
    isStored = true
    return beginStored(options, start)
  }
  return {
    message,
    owner,
    isKnown,
    isStreamed,
    begin: async () => (isKnown ? await store() : null) ?? newSession(start),
    store: async () => void (await store()),
    notStored: () => (isStored ? null : start),
  }
}

function newSession({ sessionId, userId, channel, messageId, content }: TurnStart): BegunTurn {
  const createdAt = new Date()
  const counts = { turnCount: 0, failedAttempts: 0, emotionScore: 0 }
  const ids = { sessionId, userId, isGuest: false, channel }
  return {
    customersQuestions: [],
    session: { ...ids, ...counts, intent: 'unknown', context: {}, agentStatus: null, createdAt, updatedAt: createdAt },
    history: [{ seq: 0, messageId, role: 'user', content, intent: null, sources: null, details: {}, createdAt }],
  }
}

/** Opens the session, waits until no other replica runs a turn of it, and stores what the customer said. */
async function beginStored(options: { db: Database; turns: TurnStore }, start: TurnStart): Promise<BegunTurn> {
  const deadline = Date.now() + LEASE_WAIT_MS
  for (;;) {
    const begun = await options.turns.begin(start)
    if (begun) return begun
    await refuseOtherUser(options.db, start)
    if (Date.now() > deadline) {
      const text = 'The previous message of this session is still being answered'
      throw new AppError('unavailable', 'session_busy', text, { retryAfterSeconds: 5 })
    }
    await sleep(LEASE_POLL_MS)
  }
}

async function refuseOtherUser(db: Database, { sessionId, ...speaker }: TurnStart): Promise<void> {
  const session = await findSession(db.executor, sessionId, speaker)
  if (session?.voice === 'other') throw otherUser()
}

/** Another customer is never let into a session. */
export function otherUser(): AppError {
  return new AppError('conflict', 'session_user', 'session_id: this session belongs to another user')
}
