import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { handoffNotice } from './handoff-phrases.ts'
import {
  acceptSession,
  findHandoff,
  findSessionMessage,
  lastMessageSeq,
  latestCall,
  latestMessage,
  listOverdue,
  listPending,
  readAgentPending,
  resolveSession,
  saveAgentPending,
  touchAssigned,
  unansweredQuestions,
  withdrawSession,
  workspaceMessagesAfter,
} from './handoff-queries.ts'
import type { HandoffEvent, HandoffSession, SessionMessage } from './handoff-types.ts'
import { originOf, type SessionIdentity } from './identity.ts'
import { otherUser } from './open-turn.ts'
import { findSession, insertMessage, messagesAfter } from './queries.ts'
import type { MessageDetails, StoredMessage } from './types.ts'
import { replyLanguageOf } from './understanding/language.ts'
import { fold } from './understanding/text.ts'

export interface HandoffOptions {
  db: Database
  live: LiveEvents
  identity: SessionIdentity
  /** How long a session waits for a person before it goes back to the assistant; 0: for ever. */
  timeoutSeconds: number
  /** Queues what a person or the system says for a channel that the customer does not keep open. */
  deliver(executor: Executor, message: { messageId: string; sessionId: string; content: string }): Promise<void>
  log: { warn(details: object, message: string): void }
}

export type Handoff = ReturnType<typeof createHandoff>

const PAGE_MESSAGES = 500
const OVERDUE_BATCH = 100
const MIN_SWEEP_MS = 250
const MAX_SWEEP_MS = 15_000

/** Conversations between customers and people: who has a session, and what people say in it. */
export function createHandoff(options: HandoffOptions) {
  const { db } = options
  const stopSweeping = sweep(options)

  return {
    pending: (limit: number): Promise<HandoffSession[]> => listPending(db.executor, limit),

    find: (sessionId: string): Promise<HandoffSession | undefined> => findHandoff(db.executor, sessionId),

    /** Everything that was said, oldest first, however long ago. */
    async history(sessionId: string): Promise<StoredMessage[]> {
      const all: StoredMessage[] = []
      const everything = { sessionId, readable: null }
      for (;;) {
        const page = await messagesAfter(db.executor, everything, all.at(-1)?.seq ?? 0, PAGE_MESSAGES)
        for (const message of page) all.push(message)
        if (page.length < PAGE_MESSAGES) return all
      }
    },

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

    say: (sessionId: string, content: string): Promise<StoredMessage> => say(options, sessionId, content),

    /** Gives back the sessions that nobody took in time; returns how many. Runs by itself every few seconds. */
    returnOverdue: (): Promise<number> => returnOverdue(options),

    message: (messageId: string): Promise<SessionMessage | undefined> => findSessionMessage(db.executor, messageId),

    latest: (sessionId: string, role: StoredMessage['role']): Promise<SessionMessage | undefined> =>
      latestMessage(db.executor, sessionId, role),

    latestCall: (sessionId: string): Promise<SessionMessage | undefined> => latestCall(db.executor, sessionId),

    lastSeq: (): Promise<number> => lastMessageSeq(db.executor),

    workspaceAfter: (seq: number, limit: number): Promise<SessionMessage[]> =>
      workspaceMessagesAfter(db.executor, seq, limit),

    agentPending: (sessionId: string): Promise<unknown> => readAgentPending(db.executor, sessionId),

    saveAgentPending: (sessionId: string, pending: object | null): Promise<void> =>
      saveAgentPending(db.executor, sessionId, pending),

    unansweredQuestions: (limit: number): Promise<string[]> => unansweredQuestions(db.executor, limit),

    close: stopSweeping,
  }
}

type Transition = (trx: Executor) => Promise<HandoffSession | undefined>

/** A change of state with its notice to the customer, or neither. */
async function change(
  options: HandoffOptions,
  sessionId: string,
  event: Exclude<HandoffEvent, 'handoff'>,
  transition: Transition,
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

/** A person talks to whoever called, and only they may read it. */
function detailsFor({ isGuestCall, agentId }: HandoffSession): MessageDetails {
  return { ...(agentId === null ? {} : { agentId }), ...(isGuestCall ? { guest: true } : {}) }
}

/** Customers of a channel that takes few messages are told only what they could not know otherwise. */
const DELIVERED: readonly HandoffEvent[] = ['returned']

async function announce(
  { live, deliver }: HandoffOptions,
  trx: Executor,
  session: HandoffSession,
  event: Exclude<HandoffEvent, 'handoff'>,
): Promise<void> {
  const { sessionId } = session
  const asked = await latestMessage(trx, sessionId, 'user')
  const language = replyLanguageOf(fold(asked?.content ?? ''), []) === 'zh' ? 'zh' : 'en'
  const message = { messageId: newId('msg'), sessionId, content: handoffNotice(event, language) }
  await insertMessage(trx, { ...message, role: 'system', details: { event, ...detailsFor(session) } })
  if (DELIVERED.includes(event)) await deliver(trx, message)
  await live.publish(trx, { topic: `session:${sessionId}`, type: event, ref: message.messageId })
  await live.publish(trx, { topic: 'workspace', type: event, ref: message.messageId })
}

/**
 * Stores what a person says, and tells everybody. In one transaction with the check that a person has the session.
 * Throws not_found or conflict.
 */
async function say(options: HandoffOptions, sessionId: string, content: string): Promise<StoredMessage> {
  const { db, live, deliver } = options
  return db.transaction(async (trx) => {
    const session = await touchAssigned(trx, sessionId)
    if (!session) throw await refusal(trx, sessionId, 'message')
    const message = { messageId: newId('msg'), sessionId, content }
    const stored = await insertMessage(trx, { ...message, role: 'agent', details: detailsFor(session) })
    await deliver(trx, message)
    await live.publish(trx, { topic: `session:${sessionId}`, type: 'message', ref: message.messageId })
    await live.publish(trx, { topic: 'workspace', type: 'message', ref: message.messageId })
    return stored
  })
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

async function returnOverdue(options: HandoffOptions): Promise<number> {
  const { db, timeoutSeconds } = options
  let returned = 0
  for (const sessionId of await listOverdue(db.executor, timeoutSeconds, OVERDUE_BATCH)) {
    // Another replica may have returned it, or a person taken it, since the list was read.
    const done = await db.transaction(async (trx) => {
      const session = await withdrawSession(trx, sessionId, timeoutSeconds)
      if (session) await announce(options, trx, session, 'returned')
      return session !== undefined
    })
    if (done) returned += 1
  }
  return returned
}

/** Looks for overdue sessions every now and then; returns the function that ends it. */
function sweep(options: HandoffOptions): () => Promise<void> {
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
