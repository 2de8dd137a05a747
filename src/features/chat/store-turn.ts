import { newId } from '../../kernel/ids.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import type { Database, Executor } from '../../platform/postgres/index.ts'
import { phrasesFor } from './phrases.ts'
import { finishTurn, insertMessage, lockSession, requestHandoff } from './queries.ts'
import type { TurnReply } from './turn.ts'
import type { SessionRow, StoredMessage, TurnOutcome } from './types.ts'
import type { Understanding } from './understanding/types.ts'

export interface EndedTurn {
  session: SessionRow
  understanding: Understanding
  owner: string
  decided: TurnReply
  /** The customer left, or a person took over, before the end. */
  interrupted: boolean
}

/**
 * Stores what was said, what the turn changed and a call for a person, in one transaction. When a person took the
 * session meanwhile, the assistant's reply is not stored: it never talks over a person.
 */
export async function endTurn({ db, live }: { db: Database; live: LiveEvents }, turn: EndedTurn): Promise<TurnOutcome> {
  const { session, understanding, owner, decided } = turn
  const { sessionId } = session
  const { intent, emotionScore } = understanding
  return db.transaction(async (trx) => {
    const current = await lockSession(trx, sessionId)
    const assigned = current?.agentStatus === 'assigned'
    const reply = assigned ? phrasesFor(understanding.replyLanguage).takenOver : decided.reply
    const stored = assigned ? null : await storeReply(trx, turn)
    const called = !assigned && decided.card !== null && (await callPerson(trx, live, turn))
    if (stored) await live.publish(trx, { topic: `session:${sessionId}`, type: 'message', ref: stored.messageId })
    const { failedAttempts, context } = decided
    const after = await finishTurn(trx, { sessionId, owner, failedAttempts, emotionScore, intent, context })
    const escalate = called || assigned || after.agentStatus === 'pending'
    const said = assigned ? { sources: [], mode: 'notice' as const } : { sources: decided.sources, mode: decided.mode }
    return {
      ...said,
      sessionId,
      messageId: stored?.messageId ?? '',
      reply,
      intent,
      escalate,
      escalationCard: escalate ? (decided.card ?? current?.escalationCard ?? null) : null,
      turnCount: after.turnCount,
      failedAttempts: after.failedAttempts,
      emotionScore,
      subTasks: decided.subTasks,
      confidence: assigned ? null : decided.confidence,
    }
  })
}

/** Ends the turn of a session that a person has: nothing is said beyond the notice, and that is not stored. */
export async function forwardToAgent(
  db: Database,
  turn: { session: SessionRow; understanding: Understanding; owner: string; notice: string },
): Promise<TurnOutcome> {
  const { session, understanding, owner, notice } = turn
  const { sessionId, failedAttempts, context } = session
  const { intent, emotionScore } = understanding
  return db.transaction(async (trx) => {
    const locked = await lockSession(trx, sessionId)
    const after = await finishTurn(trx, { sessionId, owner, failedAttempts, emotionScore, intent, context })
    return {
      sessionId,
      messageId: '',
      reply: notice,
      intent,
      sources: [],
      escalate: true,
      escalationCard: locked?.escalationCard ?? null,
      turnCount: after.turnCount,
      failedAttempts: after.failedAttempts,
      emotionScore,
      subTasks: [],
      mode: 'notice',
      confidence: null,
    }
  })
}

async function storeReply(trx: Executor, turn: EndedTurn): Promise<StoredMessage | null> {
  const { session, understanding, decided, interrupted } = turn
  if (decided.reply === '') return null
  const { reply, sources, confident, mode } = decided
  const subTasks = decided.subTasks.map(({ question, answer, status, sources: found }) => ({
    question,
    answer,
    status,
    sources: found,
  }))
  return insertMessage(trx, {
    messageId: newId('msg'),
    sessionId: session.sessionId,
    role: 'assistant',
    content: reply,
    intent: understanding.intent,
    sources,
    details: { confident, mode, ...(subTasks.length > 1 ? { subTasks } : {}), ...(interrupted ? { interrupted } : {}) },
  })
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
    details: { event: 'handoff' },
  })
  await live.publish(trx, { topic: 'workspace', type: 'pending', ref: sessionId })
  await live.publish(trx, { topic: `session:${sessionId}`, type: 'handoff', ref: sessionId })
  return true
}
