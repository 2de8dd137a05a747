import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '../../../kernel/batcher.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Understanding } from '../../../language/understanding.ts'
import type { LiveEvents } from '../../../platform/live-events.ts'
import type { Database, Executor } from '../../../platform/postgres/index.ts'
import { type EscalationCard, requestHandoff, withheldCard } from '../../handoff/index.ts'
import type { Pending } from '../../orders/index.ts'
import { findSession, insertMessage, otherUser, tellDesk } from '../../sessions/index.ts'
import { phrasesFor } from '../reply/phrases.ts'
import { callText } from './call-text.ts'
import {
  type BegunTurn,
  beginTurns,
  endTurns,
  type FinishedTurn,
  insertTurns,
  releaseTurn,
  type TurnEnd,
  type TurnStart,
  type WholeTurn,
} from './queries.ts'
import type { TurnState } from './state.ts'

/** More at once store no faster and let everyone wait for all; histories of so many are some megabytes at the most. */
const MAX_BATCH = 16
/** The embedded database does one thing after the other, but has the next ones at hand; a server has a disk to wait for. */
const CONCURRENCY = { embedded: 3, server: 4 } as const
const LEASE_POLL_MS = 100
const LEASE_WAIT_MS = 60_000

/** Stores one turn. */
export type TurnStore = ReturnType<ReturnType<typeof createTurnStores>>

/** Those that come at the same time share a statement. One turn of a session at a time. */
export function createTurnStores({ db, live }: { db: Database; live: LiveEvents }) {
  const together = { maxBatch: MAX_BATCH, concurrency: CONCURRENCY[db.kind] }
  const beginShared = createBatcher<TurnStart, BegunTurn | undefined>({
    ...together,
    async run(starts) {
      const begun = await beginTurns(db.executor, starts)
      return starts.map(({ sessionId }) => begun.get(sessionId))
    },
  })
  const endShared = createBatcher<TurnEnd, FinishedTurn | undefined>({
    ...together,
    async run(ends) {
      const finished = await endTurns(db.executor, ends)
      return ends.map(({ sessionId }) => finished.get(sessionId))
    },
  })
  const insertShared = createBatcher<WholeTurn, FinishedTurn>({
    ...together,
    async run(turns) {
      await insertTurns(db.executor, turns)
      return turns.map(({ end: { sessionId, failedAttempts } }) => ({ ...FIRST_TURN, sessionId, failedAttempts }))
    },
  })

  async function begin(start: TurnStart): Promise<BegunTurn> {
    const begun = await untilFree(
      () => beginShared(start),
      () => refuseOthers(db, start),
    )
    const { agentStatus } = begun.session
    if (agentStatus === 'pending' || agentStatus === 'assigned') {
      await live.publish(db.executor, { topic: 'workspace', type: 'message', ref: start.messageId })
    }
    return begun
  }

  /** @param isUnknown nobody else knows the session before the turn ends: its message is stored together with its reply */
  return (start: TurnStart, isUnknown: boolean) => {
    const { sessionId, owner } = start
    let isBegun = !isUnknown
    const beginLate = async (): Promise<void> => {
      if (!isBegun) await begin(start)
      isBegun = true
    }
    return {
      /** Waits until no other replica runs a turn of the session, and stores what the customer said. */
      begin: (): Promise<BegunTurn> => (isUnknown ? Promise.resolve(newSession(start)) : begin(start)),
      /** Stores what was said, what the turn changed and a call for a person, all of it or nothing. */
      async end(state: TurnState): Promise<TurnOutcome> {
        const end = toEnd(state, owner)
        const { card } = state
        let isCalled = false
        let finished: FinishedTurn | undefined
        if (card) {
          // The few turns that call a person change more than their session.
          await beginLate()
          const called = await db.transaction((trx) => endWithCall({ trx, live }, state, card, end))
          ;({ isCalled, finished } = called)
        } else finished = isBegun ? await endShared(end) : await insertShared({ start, end })
        isBegun = true
        if (!finished) throw new AppError('conflict', 'session_gone', 'The session was deleted while it was answered')
        return outcomeOf(state, finished, { isCalled, messageId: end.reply.messageId })
      },
      /** Lets go of a turn that did not come to its end. */
      async release(): Promise<void> {
        // A message that could not be answered was said all the same.
        await beginLate()
        await releaseTurn(db.executor, sessionId, owner)
      },
    }
  }
}

/** Tries until no other replica runs a turn of the session. @param check throws where trying is in vain */
async function untilFree(
  attempt: () => Promise<BegunTurn | undefined>,
  check: () => Promise<void>,
): Promise<BegunTurn> {
  const deadline = Date.now() + LEASE_WAIT_MS
  for (;;) {
    const begun = await attempt()
    if (begun) return begun
    await check()
    if (Date.now() > deadline) {
      const text = 'The previous message of this session is still being answered'
      throw new AppError('unavailable', 'session_busy', text, { retryAfterSeconds: 5 })
    }
    await sleep(LEASE_POLL_MS)
  }
}

async function refuseOthers(db: Database, { sessionId, ...speaker }: TurnStart): Promise<void> {
  const session = await findSession(db.executor, sessionId, speaker)
  if (session?.voice === 'other') throw otherUser()
}

/** The session after a turn that changed nothing but its counts. */
export const FIRST_TURN = {
  sessionId: '',
  turnCount: 1,
  failedAttempts: 0,
  agentStatus: null,
  escalationCard: null,
  isOthersCall: false,
}

export function newSession({ sessionId, userId, channel, messageId, content }: Unknown): BegunTurn {
  const createdAt = new Date()
  const counts = { turnCount: 0, failedAttempts: 0, emotionScore: 0 }
  const ids = { sessionId, userId, isGuest: false, channel }
  return {
    customersQuestions: [],
    session: { ...ids, ...counts, intent: 'unknown', context: {}, agentStatus: null, createdAt, updatedAt: createdAt },
    history: [{ seq: 0, messageId, role: 'user', content, intent: null, sources: null, details: {}, createdAt }],
  }
}

type Unknown = Pick<TurnStart, 'sessionId' | 'userId' | 'channel' | 'messageId' | 'content'>

/** While a person has the session nothing is said beyond a notice, and that is not stored. */
function toEnd(state: TurnState, owner: string): TurnEnd {
  const { session, understanding, confident, mode, interrupted, failedAttempts, context, sources } = state
  const subTasks = state.subTasks.map(({ question, answer, status, sources: found }) => ({
    question,
    answer,
    status,
    sources: found,
  }))
  const details = {
    traceId: state.trace.traceId,
    confident,
    mode,
    ...(subTasks.length > 1 ? { subTasks } : {}),
    ...(interrupted ? { interrupted } : {}),
  }
  return {
    sessionId: session.sessionId,
    isGuest: session.isGuest,
    owner,
    failedAttempts,
    emotionScore: understanding.emotionScore,
    intent: understanding.intent,
    context,
    reply: { messageId: newId('msg'), content: state.isAssigned ? '' : state.reply, sources, details },
  }
}

/** The plain endpoint's `data` and the stream's last event are made from it. */
export interface TurnOutcome
  extends Pick<TurnState, 'reply' | 'mode' | 'sources' | 'suggestions' | 'subTasks' | 'confidence'>,
    Pick<Understanding, 'intent' | 'emotionScore'>,
    Pick<FinishedTurn, 'sessionId' | 'turnCount' | 'failedAttempts' | 'escalationCard'> {
  traceId: string
  messageId: string
  /** The question that the next message answers: shall it be done, or which order is meant. */
  pending: Pending | null
  /** A person has the session, or is called. */
  escalate: boolean
  /** This turn called them. */
  isCalled: boolean
}

/**
 * The outcome of a turn. When a person took the session meanwhile, the assistant's reply was not stored: it never talks
 * over a person.
 */
export function outcomeOf(
  state: TurnState,
  { turnCount, failedAttempts, agentStatus, escalationCard, isOthersCall }: FinishedTurn,
  { isCalled, messageId }: { isCalled: boolean; messageId: string },
): TurnOutcome {
  const { session, understanding, isAssigned, trace } = state
  const hasPerson = agentStatus === 'assigned'
  const isSilent = hasPerson || isAssigned
  const escalate = isCalled || isSilent || agentStatus === 'pending'
  // The speaker need not be the one who made a call that is there.
  const known = escalationCard && isOthersCall ? withheldCard(escalationCard) : escalationCard
  return {
    traceId: trace.traceId,
    sessionId: session.sessionId,
    pending: (isSilent ? null : state.context.pending) ?? null,
    messageId: isSilent || state.reply === '' ? '' : messageId,
    reply: hasPerson && !isAssigned ? phrasesFor(understanding.replyLanguage).takenOver : state.reply,
    mode: hasPerson ? 'notice' : state.mode,
    sources: hasPerson ? [] : state.sources,
    suggestions: hasPerson ? [] : state.suggestions,
    intent: understanding.intent,
    escalate,
    isCalled,
    escalationCard: escalate ? (state.card ?? known) : null,
    turnCount,
    failedAttempts,
    emotionScore: understanding.emotionScore,
    subTasks: state.subTasks,
    confidence: hasPerson ? null : state.confidence,
  }
}

async function endWithCall(
  { trx, live }: { trx: Executor; live: LiveEvents },
  state: TurnState,
  card: EscalationCard,
  end: TurnEnd,
): Promise<{ finished: FinishedTurn | undefined; isCalled: boolean }> {
  const { session, understanding } = state
  const { sessionId, isGuest } = session
  const finished = (await endTurns(trx, [end])).get(sessionId)
  // Not where it waits for a person already.
  const isCalled =
    finished !== undefined && finished.agentStatus !== 'assigned' && (await requestHandoff(trx, sessionId, card))
  if (!isCalled) return { finished, isCalled }
  const messageId = newId('msg')
  await insertMessage(trx, {
    messageId,
    sessionId,
    role: 'system',
    content: callText(state) ?? phrasesFor(understanding.replyLanguage).handoff,
    details: { event: 'handoff', ...(isGuest ? { guest: true } : {}) },
  })
  await tellDesk(trx, messageId)
  await live.publish(trx, { topic: 'workspace', type: 'pending', ref: sessionId })
  await live.publish(trx, { topic: `session:${sessionId}`, type: 'handoff', ref: sessionId })
  return { finished, isCalled }
}
