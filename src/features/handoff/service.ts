import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { fold } from '../../language/fold.ts'
import { replyLanguageOf } from '../../language/languages.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import {
  allMessages,
  findMessage,
  findSession,
  insertMessage,
  lastSeq,
  latestMessage,
  originOf,
  otherUser,
  type SessionIdentity,
  type SessionMessage,
  type StoredMessage,
  workspaceMessagesAfter,
} from '../sessions/index.ts'
import { handoffNotice } from './phrases.ts'
import {
  acceptSession,
  findHandoff,
  listOverdue,
  listPending,
  resolveSession,
  saveAgentPending,
  touchAssigned,
  withdrawSession,
} from './queries.ts'
import type { HandoffEvent, HandoffSession } from './types.ts'

export interface HandoffOptions {
  db: Database
  live: LiveEvents
  identity: SessionIdentity
  /** How long a session waits for a person before it goes back to the assistant; 0: for ever. */
  timeoutSeconds: number
  /** Queues what a person or the system says for a channel that the customer does not keep open. */
  deliver(executor: Executor, message: { messageId: string; sessionId: string; content: string }): Promise<void>
  log: Log
}

export type Handoff = ReturnType<typeof createHandoff>

const OVERDUE_BATCH = 100
const MIN_SWEEP_MS = 250
const MAX_SWEEP_MS = 15_000

/** Conversations between customers and people: who has a session, and what people say in it. */
export function createHandoff(options: HandoffOptions) {
  const { db } = options
  const { executor } = db

  return {
    pending: (limit: number): Promise<HandoffSession[]> => listPending(executor, limit),

    find: (sessionId: string): Promise<HandoffSession | undefined> => findHandoff(executor, sessionId),

    /** Everything that was said, oldest first, however long ago. */
    history: (sessionId: string): Promise<SessionMessage[]> => allMessages(executor, sessionId),

    /** Throws not_found, or conflict unless the session is waiting. */
    accept: (sessionId: string, agentId: string): Promise<HandoffSession> =>
      change(options, sessionId, 'accepted', (trx) => acceptSession(trx, sessionId, agentId || null)),

    /** Throws not_found, or conflict unless a person has the session. */
    resolve: (sessionId: string, note: string): Promise<HandoffSession> =>
      change(options, sessionId, 'resolved', (trx) => resolveSession(trx, sessionId, note || null)),

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
     * Stores what a person says, and tells everybody. In one transaction with the check that a person has the session.
     * Throws not_found or conflict.
     */
    write: (sessionId: string, content: string): Promise<StoredMessage> =>
      db.transaction(async (trx) => {
        const session = await touchAssigned(trx, sessionId)
        if (!session) throw await refusal(trx, sessionId, 'message')
        return post(options, trx, session, { role: 'agent', content, isDelivered: true })
      }),

    message: (messageId: string): Promise<SessionMessage | undefined> => findMessage(executor, messageId),

    latest: (sessionId: string, role: StoredMessage['role']): Promise<SessionMessage | undefined> =>
      latestMessage(executor, sessionId, role),

    /** The message that told the session of the last call for a person, whatever happened since. */
    latestCall: (sessionId: string): Promise<SessionMessage | undefined> =>
      latestMessage(executor, sessionId, 'system', 'handoff'),

    lastSeq: (): Promise<number> => lastSeq(executor),

    workspaceAfter: (seq: number, limit: number): Promise<SessionMessage[]> =>
      workspaceMessagesAfter(executor, seq, limit),

    saveAgentPending: (sessionId: string, pending: object | null): Promise<void> =>
      saveAgentPending(executor, sessionId, pending),

    close: returnOverdueRegularly(options),
  }
}

/** A change of state with its notice to the customer, or neither. */
async function change(
  options: HandoffOptions,
  sessionId: string,
  event: Exclude<HandoffEvent, 'handoff'>,
  transition: (trx: Executor) => Promise<HandoffSession | undefined>,
): Promise<HandoffSession> {
  return options.db.transaction(async (trx) => {
    const session = await transition(trx)
    if (!session) throw await refusal(trx, sessionId, event)
    await announce(options, trx, session, event)
    return session
  })
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

async function announce(
  options: HandoffOptions,
  trx: Executor,
  session: HandoffSession,
  event: Exclude<HandoffEvent, 'handoff'>,
): Promise<void> {
  const asked = await latestMessage(trx, session.sessionId, 'user')
  const language = replyLanguageOf(fold(asked?.content ?? ''), []) === 'zh' ? 'zh' : 'en'
  const content = handoffNotice(event, language)
  // Customers of a channel that takes few messages are told only what they could not know otherwise.
  await post(options, trx, session, { role: 'system', content, event, isDelivered: event === 'returned' })
}

/** Stores what a person or the system says, sends it where the customer does not listen, and tells who does. */
async function post(
  { live, deliver }: HandoffOptions,
  trx: Executor,
  { sessionId, isGuestCall, agentId }: HandoffSession,
  said: { role: 'agent' | 'system'; content: string; event?: HandoffEvent; isDelivered: boolean },
): Promise<StoredMessage> {
  const { role, content, event, isDelivered } = said
  const message = { messageId: newId('msg'), sessionId, content }
  const details = {
    ...(event && { event }),
    ...(agentId !== null && { agentId }),
    // A person talks to whoever called, and only they may read it.
    ...(isGuestCall && { guest: true }),
  }
  const stored = await insertMessage(trx, { ...message, role, details })
  if (isDelivered) await deliver(trx, message)
  for (const topic of [`session:${sessionId}`, 'workspace']) {
    await live.publish(trx, { topic, type: event ?? 'message', ref: message.messageId })
  }
  return stored
}

const REQUIRED = {
  accepted: 'pending',
  cancelled: 'pending',
  returned: 'pending',
  resolved: 'assigned',
  message: 'assigned',
} as const

/** Why a transition found no row: the session does not exist, or is in another state. */
async function refusal(executor: Executor, sessionId: string, wanted: keyof typeof REQUIRED): Promise<AppError> {
  const session = await findHandoff(executor, sessionId)
  if (!session) return new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
  const state = session.agentStatus ?? 'with the assistant'
  const text = `The session is ${state}, not ${REQUIRED[wanted]}`
  return new AppError('conflict', 'session_state', text)
}

/** Gives back the sessions that nobody took in time. */
async function returnOverdue(options: HandoffOptions): Promise<void> {
  const { db, timeoutSeconds } = options
  for (const sessionId of await listOverdue(db.executor, timeoutSeconds, OVERDUE_BATCH)) {
    // Another replica may have returned it, or a person taken it, since the list was read.
    await db.transaction(async (trx) => {
      const session = await withdrawSession(trx, sessionId, timeoutSeconds)
      if (session) await announce(options, trx, session, 'returned')
    })
  }
}

/** Looks for overdue sessions every now and then; returns the function that ends it. */
function returnOverdueRegularly(options: HandoffOptions): () => Promise<void> {
  const { timeoutSeconds, log } = options
  if (timeoutSeconds === 0) return async () => {}
  const intervalMs = Math.min(Math.max(timeoutSeconds * 250, MIN_SWEEP_MS), MAX_SWEEP_MS)
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= returnOverdue(options)
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
