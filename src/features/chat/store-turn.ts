import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { phrasesFor } from './phrases.ts'
import { insertMessage, requestHandoff } from './queries.ts'
import type { TurnReply } from './turn.ts'
import { endTurns, type FinishedTurn, type TurnEnd, type TurnStart } from './turn-queries.ts'
import type { TurnStore } from './turn-store.ts'
import type { SessionRow, TurnOutcome } from './types.ts'
import type { Understanding } from './understanding/types.ts'

export interface EndedTurn {
  session: SessionRow
  /** What begins the turn, where that is not stored yet. */
  start: TurnStart | null
  understanding: Understanding
  owner: string
  decided: TurnReply
  /** The customer left, or a person took over, before the end. */
  interrupted: boolean
}

/** What storing a turn needs. */
export interface TurnStorage {
  db: Database
  live: LiveEvents
  turns: TurnStore
}

/**
 * Stores what was said, what the turn changed and a call for a person, all of it or nothing. When a person took the
 * session meanwhile, the assistant's reply is not stored: it never talks over a person.
 */
export async function endTurn(storage: TurnStorage, turn: EndedTurn): Promise<TurnOutcome> {
  const end = toEnd(turn)
  const { finished, called } =
    turn.decided.card === null
      ? { finished: await store(storage, turn, end), called: false }
      : await endWithCall(storage, turn, end)
  if (!finished) throw new AppError('conflict', 'session_gone', 'The session was deleted while it was answered')
  return outcomeOf(turn, finished, { called, messageId: end.reply.messageId })
}

function store({ turns }: TurnStorage, { start }: EndedTurn, end: TurnEnd): Promise<FinishedTurn | undefined> {
  return start ? turns.store(start, end) : turns.end(end)
}

/** The few turns that call a person change more than their session. */
function endWithCall({ db, live }: TurnStorage, turn: EndedTurn, end: TurnEnd) {
  return db.transaction(async (trx) => {
    const finished = (await endTurns(trx, [end])).get(end.sessionId)
    const assigned = finished?.agentStatus === 'assigned'
    return { finished, called: finished !== undefined && !assigned && (await callPerson(trx, live, turn)) }
  })
}

function outcomeOf(
  { session, understanding, decided }: EndedTurn,
  { turnCount, failedAttempts, agentStatus, escalationCard }: FinishedTurn,
  { called, messageId }: { called: boolean; messageId: string },
): TurnOutcome {
  const { intent, emotionScore } = understanding
  const assigned = agentStatus === 'assigned'
  const escalate = called || assigned || agentStatus === 'pending'
  const said = assigned ? { sources: [], mode: 'notice' as const } : { sources: decided.sources, mode: decided.mode }
  return {
    ...said,
    sessionId: session.sessionId,
    messageId: assigned || decided.reply === '' ? '' : messageId,
    reply: assigned ? phrasesFor(understanding.replyLanguage).takenOver : decided.reply,
    intent,
    escalate,
    escalationCard: escalate ? (decided.card ?? escalationCard) : null,
    turnCount,
    failedAttempts,
    emotionScore,
    subTasks: decided.subTasks,
    confidence: assigned ? null : decided.confidence,
  }
}

/** Ends the turn of a session that a person has: nothing is said beyond the notice, and that is not stored. */
export function forwardToAgent(
  storage: TurnStorage,
  { session, notice, ...turn }: Omit<EndedTurn, 'decided' | 'interrupted' | 'start'> & { notice: string },
): Promise<TurnOutcome> {
  const { failedAttempts, context } = session
  const said = { reply: '', mode: 'notice' as const, sources: [], subTasks: [], card: null }
  const decided = { ...said, failedAttempts, confident: false, confidence: null, context }
  return endTurn(storage, { ...turn, session, start: null, decided, interrupted: false }).then((outcome) => ({
    ...outcome,
    reply: notice,
    escalate: true,
  }))
}

function toEnd({ session, understanding, owner, decided, interrupted }: EndedTurn): TurnEnd {
  const { reply, sources, confident, mode, failedAttempts, context } = decided
  const subTasks = decided.subTasks.map(({ question, answer, status, sources: found }) => ({
    question,
    answer,
    status,
    sources: found,
  }))
  const details = {
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
    reply: { messageId: newId('msg'), content: reply, sources, details },
  }
}

/** Puts the session into the queue for people, unless it is there already. */
async function callPerson(
  trx: Executor,
  live: LiveEvents,
  { session, decided, understanding }: EndedTurn,
): Promise<boolean> {
  const { sessionId } = session
  const card = decided.card
  if (!card || !(await requestHandoff(trx, sessionId, card))) return false
  await insertMessage(trx, {
    messageId: newId('msg'),
    sessionId,
    role: 'system',
    content: phrasesFor(understanding.replyLanguage).handoff,
    details: { event: 'handoff', ...(session.isGuest ? { guest: true } : {}) },
  })
  await live.publish(trx, { topic: 'workspace', type: 'pending', ref: sessionId })
  await live.publish(trx, { topic: `session:${sessionId}`, type: 'handoff', ref: sessionId })
  return true
}
