import { AppError } from '../../kernel/errors.ts'
import type { Executor } from '../../platform/postgres/index.ts'
import {
  activityAfter,
  allMessages,
  deskMessagesAfter,
  findMessage,
  findSession,
  lastDeskSeq,
  lastMessageSeq,
  latestMessage,
  originOf,
  otherUser,
  type SessionIdentity,
  type SessionMessage,
  type StoredMessage,
} from '../sessions/index.ts'
import { createOwnership, type OwnershipOptions } from './ownership.ts'
import {
  acceptSession,
  findHandoff,
  listPending,
  placeInQueue,
  resolveSession,
  saveAgentPending,
  touchAssigned,
  withdrawSession,
} from './queries.ts'
import { type ReturningOptions, returnRegularly } from './returning.ts'
import { change, post, refusal } from './transitions.ts'
import type { Actor, HandoffSession } from './types.ts'

export interface HandoffOptions extends OwnershipOptions, ReturningOptions {
  identity: SessionIdentity
}

export type Handoff = ReturnType<typeof createHandoff>

/** Conversations between customers and people: who has a session, and what people say in it. */
export function createHandoff(options: HandoffOptions) {
  const { db } = options
  const { executor } = db
  async function writeWithin(
    trx: Executor,
    { sessionId, content, actor }: { sessionId: string; content: string; actor: Actor | null },
  ): Promise<StoredMessage> {
    const session = await touchAssigned(trx, sessionId, actor?.name ?? null)
    if (!session) throw await refusal(trx, sessionId, 'message', actor)
    const author = actor?.name ?? session.agentId
    return post(options, trx, session, { role: 'agent', content, author, isDelivered: true })
  }

  return {
    pending: (limit: number): Promise<HandoffSession[]> => listPending(executor, limit),

    find: (sessionId: string): Promise<HandoffSession | undefined> => findHandoff(executor, sessionId),

    placeInQueue: (sessionId: string): Promise<number | null> => placeInQueue(executor, sessionId),

    /** Everything that was said, oldest first, however long ago. */
    history: (sessionId: string): Promise<SessionMessage[]> => allMessages(executor, sessionId),

    /** Throws not_found, or conflict unless the session is waiting. */
    accept: (sessionId: string, agentId: string): Promise<HandoffSession> =>
      change(options, sessionId, 'accepted', (trx) => acceptSession(trx, sessionId, agentId || null)),

    ...createOwnership(options),

    /** Throws not_found, or conflict unless a person has the session, and the one who acts is that person or an admin. */
    resolve: (sessionId: string, note: string, actor: Actor | null = null): Promise<HandoffSession> => {
      const owner = actor === null || actor.isAdmin ? null : actor.name
      const transition = (trx: Executor) => resolveSession(trx, sessionId, note || null, owner)
      return change(options, sessionId, 'resolved', transition, { actor })
    },

    /**
     * The customer no longer wants a person. Throws not_found, or conflict unless the session is waiting, and waiting
     * for whoever asks. `userId` empty: nobody was named.
     */
    cancel: (sessionId: string, userId: string): Promise<HandoffSession> =>
      change(options, sessionId, 'cancelled', async (trx) => {
        await assertOwnCall(options, trx, sessionId, userId)
        return withdrawSession(trx, sessionId, 0)
      }),

    /**
     * Stores what a person says, and tells everybody. In one transaction with the check that a person has the session, and
     * that it is the one who acts. Throws not_found or conflict.
     */
    write: (sessionId: string, content: string, actor: Actor | null = null): Promise<StoredMessage> =>
      db.transaction((trx) => writeWithin(trx, { sessionId, content, actor })),

    /** The same as a part of a transaction. */
    writeWithin,

    message: (messageId: string): Promise<SessionMessage | undefined> => findMessage(executor, messageId),

    latest: (sessionId: string, role: StoredMessage['role']): Promise<SessionMessage | undefined> =>
      latestMessage(executor, sessionId, role),

    /** The message that told the session of the last call for a person, whatever happened since. */
    latestCall: (sessionId: string): Promise<SessionMessage | undefined> =>
      latestMessage(executor, sessionId, 'system', 'handoff'),

    lastDeskSeq: (): Promise<number> => lastDeskSeq(executor),

    lastMessageSeq: (): Promise<number> => lastMessageSeq(executor),

    activityAfter: (seq: number): Promise<SessionMessage[]> => activityAfter(executor, seq),

    deskAfter: (deskSeq: number, limit: number): Promise<SessionMessage[]> =>
      deskMessagesAfter(executor, deskSeq, limit),

    saveAgentPending: (sessionId: string, pending: object | null): Promise<void> =>
      saveAgentPending(executor, sessionId, pending),

    close: returnRegularly(options),
  }
}

async function assertOwnCall(
  { identity }: HandoffOptions,
  trx: Executor,
  sessionId: string,
  userId: string,
): Promise<void> {
  const speaker = { userId, origin: originOf({ userId }, false), trustsMade: identity === 'made' }
  const [session, call] = [await findSession(trx, sessionId, speaker), await findHandoff(trx, sessionId)]
  if (!session || !call) return
  if (session.voice === 'other') throw otherUser()
  if (call.agentStatus === 'pending' && call.isGuestCall !== (session.voice === 'guest')) {
    throw new AppError('conflict', 'session_user', 'user_id: the call is of another user of this session')
  }
}
