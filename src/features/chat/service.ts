import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { createKeyedQueue } from '../../kernel/keyed-queue.ts'
import type { Database } from '../../platform/postgres/index.ts'
import { phrasesFor } from './phrases.ts'
import {
  claimTurn,
  findSession,
  finishTurn,
  insertMessage,
  openSession,
  recentMessages,
  releaseTurn,
} from './queries.ts'
import { splitTokens } from './tokens.ts'
import { decideReply, type TurnDependencies, type TurnReply } from './turn.ts'
import type { ChatEvent, ChatRequest, SessionRow, StoredMessage, TurnOutcome } from './types.ts'
import type { Understanding, UnderstandingContext } from './understanding/types.ts'

export interface ChatOptions extends TurnDependencies {
  db: Database
  understand(message: string, context: UnderstandingContext): Understanding
}

export type Chat = ReturnType<typeof createChat>

const HISTORY_MESSAGES = 20
const LEASE_POLL_MS = 100
const LEASE_WAIT_MS = 60_000

/** Conversations: one turn at a time per session, each stored before it counts as answered. */
export function createChat(options: ChatOptions) {
  const turns = createKeyedQueue()

  /**
   * Runs one turn. The events come as they happen; failures are events too, the iterable never throws. When the
   * consumer stops early, what was said so far is kept, marked as interrupted.
   */
  async function* answer(request: ChatRequest, signal?: AbortSignal): AsyncGenerator<ChatEvent> {
    const sessionId = request.sessionId || newId('sess')
    const release = await turns.acquire(sessionId)
    const owner = newId('turn')
    let ended = false
    try {
      signal?.throwIfAborted()
      for await (const event of takeTurn(options, { ...request, sessionId }, owner)) {
        ended ||= event.type === 'done'
        yield event
      }
    } catch (error) {
      yield { type: 'error', error }
    } finally {
      // Ending a turn gives its lease back; one that failed or was left early still has it.
      if (!ended) await releaseTurn(options.db.executor, sessionId, owner).catch(() => {})
      release()
    }
  }

  return {
    answer,
    /** The whole turn at once; throws what the stream would report as an error. */
    async reply(request: ChatRequest): Promise<TurnOutcome> {
      for await (const event of answer(request)) {
        if (event.type === 'done') return event.outcome
        if (event.type === 'error') throw event.error
      }
      throw new AppError('internal', 'turn_without_end', 'The turn ended without a reply')
    },
  }
}

async function* takeTurn(options: ChatOptions, request: ChatRequest, owner: string): AsyncGenerator<ChatEvent> {
  const { db } = options
  const session = await beginTurn(db, request, owner)
  const history = await recentMessages(db.executor, session.sessionId, HISTORY_MESSAGES)
  const previous = history.slice(0, -1)
  const understanding = options.understand(request.message, {
    previousTurns: previous.map(({ role, content }) => ({ role, content })),
    lastIntent: session.intent,
    now: new Date(),
  })
  if (session.agentStatus === 'assigned') return yield* handOn(db, session, understanding, owner)
  const decided = await decideReply(options, {
    message: request.message,
    understanding,
    history: previous,
    context: session.context,
    failedAttempts: session.failedAttempts,
  })
  const { sessionId } = session
  yield { type: 'meta', sessionId, intent: understanding.intent, sources: decided.sources, escalate: false }
  let sent = ''
  let outcome: TurnOutcome | undefined
  try {
    for (const content of splitTokens(decided.reply)) {
      sent += content
      yield { type: 'token', content }
    }
    outcome = await endTurn(db, session, understanding, owner, decided)
  } finally {
    if (!outcome) await endTurn(db, session, understanding, owner, { ...decided, reply: sent }, true)
  }
  yield { type: 'done', outcome }
}

/** Opens the session, waits until no other replica runs a turn of it, and stores what the customer said. */
async function beginTurn(db: Database, request: ChatRequest, owner: string): Promise<SessionRow> {
  const { sessionId, userId, channel, message } = request
  const opened = await openSession(db.executor, { sessionId, userId, channel })
  if (userId !== '' && opened.userId !== userId) {
    throw new AppError('conflict', 'session_user', 'session_id: this session belongs to another user')
  }
  const deadline = Date.now() + LEASE_WAIT_MS
  while (!(await claimTurn(db.executor, sessionId, owner))) {
    if (Date.now() > deadline) {
      const text = 'The previous message of this session is still being answered'
      throw new AppError('unavailable', 'session_busy', text, { retryAfterSeconds: 5 })
    }
    await sleep(LEASE_POLL_MS)
  }
  await insertMessage(db.executor, { messageId: newId('msg'), sessionId, role: 'user', content: message })
  // Read again: the turn that was waited for changed it.
  return (await findSession(db.executor, sessionId)) ?? opened
}

async function endTurn(
  db: Database,
  session: SessionRow,
  understanding: Understanding,
  owner: string,
  decided: TurnReply,
  interrupted = false,
): Promise<TurnOutcome> {
  const { sessionId } = session
  const { intent, emotionScore } = understanding
  return db.transaction(async (trx) => {
    const stored = await storeReply(trx, session, understanding, decided, interrupted)
    const { failedAttempts, context } = decided
    const after = await finishTurn(trx, { sessionId, owner, failedAttempts, emotionScore, intent, context })
    return {
      sessionId,
      messageId: stored.messageId,
      reply: decided.reply,
      intent,
      sources: decided.sources,
      escalate: false,
      escalationCard: null,
      turnCount: after.turnCount,
      failedAttempts: after.failedAttempts,
      emotionScore,
      subTasks: decided.subTasks,
    }
  })
}

function storeReply(
  trx: Database['executor'],
  { sessionId }: SessionRow,
  { intent }: Understanding,
  { reply, sources }: TurnReply,
  interrupted: boolean,
): Promise<StoredMessage> {
  const details = interrupted ? { interrupted: true } : {}
  return insertMessage(trx, {
    messageId: newId('msg'),
    sessionId,
    role: 'assistant',
    content: reply,
    intent,
    sources,
    details,
  })
}

/** While a person has the session the assistant only says that the message was passed on. */
async function* handOn(
  db: Database,
  session: SessionRow,
  understanding: Understanding,
  owner: string,
): AsyncGenerator<ChatEvent> {
  const reply = phrasesFor(understanding.replyLanguage).assigned
  const { sessionId, failedAttempts, context } = session
  const { intent, emotionScore } = understanding
  yield { type: 'meta', sessionId, intent, sources: [], escalate: true }
  yield { type: 'token', content: reply }
  const after = await finishTurn(db.executor, { sessionId, owner, failedAttempts, emotionScore, intent, context })
  yield {
    type: 'done',
    outcome: {
      sessionId,
      messageId: '',
      reply,
      intent,
      sources: [],
      escalate: true,
      escalationCard: null,
      turnCount: after.turnCount,
      failedAttempts: after.failedAttempts,
      emotionScore,
      subTasks: [],
    },
  }
}
