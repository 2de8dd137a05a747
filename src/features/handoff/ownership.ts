import { AppError } from '../../kernel/errors.ts'
import type { Understanding } from '../../language/understanding.ts'
import type { Executor } from '../../platform/postgres/index.ts'
import { maskRecord, maskText } from '../../privacy/index.ts'
import { allMessages } from '../sessions/index.ts'
import { buildCard, type EscalationCard } from './card.ts'
import { findHandoff, handBackSession, releaseSession, takeSession, transferSession } from './queries.ts'
import { describeTrigger } from './reasons.ts'
import { change, notOwner, type TransitionOptions } from './transitions.ts'
import type { Actor, HandoffSession } from './types.ts'

export interface OwnershipOptions extends TransitionOptions {
  understand(text: string): Understanding
  clock: { now(): number }
  /** Whether somebody of the name can work here; where nobody logs in, every name can. */
  isColleague(name: string): Promise<boolean>
}

export interface Taking {
  /** Who takes it; empty: whoever has the key does not say. */
  agentId: string
  /** Also from another person: for admins, and programs with the key. */
  force: boolean
  actor: Actor | null
}

/** Conversations going from hand to hand. All throw not_found, and conflict where the state or another owner forbids it. */
export function createOwnership(options: OwnershipOptions) {
  return {
    /** Takes a session that waits, or that the assistant has; one's own stays as it is. */
    async take(sessionId: string, { agentId, force, actor }: Taking): Promise<HandoffSession> {
      const session = await findOr404(options, sessionId)
      const isAssigned = session.agentStatus === 'assigned'
      if (isAssigned && (session.agentId ?? '') === agentId) return session
      if (isAssigned && !(force && mayOverrule(actor))) throw notOwner(session)
      const taking = {
        agentId: agentId || null,
        card: isAssigned ? null : await cardFor(options, session, agentId),
        from: isAssigned ? (session.agentId ?? '') : null,
      }
      const transition = (trx: Executor) => takeSession(trx, sessionId, taking)
      const taken = isAssigned
        ? change(options, sessionId, 'transferred', transition, { from: session.agentId })
        : change(options, sessionId, 'accepted', transition)
      return taken.catch(asTaken)
    },

    /** Hands a session to a colleague, who has it at once. */
    async transfer(
      sessionId: string,
      { to, note, actor }: { to: string; note: string; actor: Actor | null },
    ): Promise<HandoffSession> {
      const { agentId: from, agentStatus } = await findOr404(options, sessionId)
      if (agentStatus === 'assigned') assertOwns(from, actor)
      if (!(await options.isColleague(to))) {
        throw new AppError('invalid', 'colleague', `agent_id: nobody who may log in has the name ${to}`)
      }
      if (agentStatus === 'assigned' && to === from) {
        throw new AppError('conflict', 'same_owner', `The session is with ${to} already`)
      }
      const transition = (trx: Executor) => transferSession(trx, sessionId, from, to)
      return change(options, sessionId, 'transferred', transition, { actor, from, note })
    },

    /** Gives a session back: to those who wait, before all whom nobody has served yet, or to the assistant. */
    async release(
      sessionId: string,
      { to, note, actor }: { to: 'queue' | 'assistant'; note: string; actor: Actor | null },
    ): Promise<HandoffSession> {
      const { agentId: from, agentStatus } = await findOr404(options, sessionId)
      if (agentStatus === 'assigned') assertOwns(from, actor)
      const [event, release] =
        to === 'queue' ? (['released', releaseSession] as const) : (['handed_back', handBackSession] as const)
      return change(options, sessionId, event, (trx) => release(trx, sessionId, from), { actor, from, note })
    },
  }
}

async function findOr404({ db }: OwnershipOptions, sessionId: string): Promise<HandoffSession> {
  const session = await findHandoff(db.executor, sessionId)
  if (!session) throw new AppError('not_found', 'session', `No session has the session_id ${sessionId}`)
  return session
}

/** Programs with the key decide for whomever they name. */
function mayOverrule(actor: Actor | null): boolean {
  return actor?.isAdmin ?? true
}

function assertOwns(owner: string | null, actor: Actor | null): void {
  if (mayOverrule(actor) || actor?.name === owner) return
  throw notOwner({ agentId: owner })
}

/** A session that was free a moment ago: somebody was quicker. */
function asTaken(error: unknown): never {
  if (error instanceof AppError && error.code === 'session_state') {
    throw new AppError('conflict', 'taken', 'Somebody else has just taken the session')
  }
  throw error
}

/** The card of a call that nobody made, from what was said, as for every other. One that waits keeps its own. */
async function cardFor(
  { db, understand, clock }: OwnershipOptions,
  session: HandoffSession,
  agentId: string,
): Promise<EscalationCard> {
  if (session.agentStatus === 'pending' && session.card) return session.card
  const history = await allMessages(db.executor, session.sessionId)
  const latest = history.findLast(({ role }) => role === 'user')
  const understanding = understand(latest?.content ?? '')
  const reasonDetail = describeTrigger({ reason: 'taken', by: agentId }, understanding.replyLanguage)
  return buildCard(
    {
      // The card of a call counts the turn that calls, which there is none of here.
      session: { ...session, turnCount: Math.max(0, session.turnCount - 1) },
      understanding,
      decision: { reason: 'taken', reasonDetail, priority: 'low' },
      history,
      failedAttempts: session.failedAttempts,
      passage: null,
      nowMs: clock.now(),
    },
    {
      maskText: (text) => maskText(text),
      maskRecord: (record) => maskRecord(record).data,
      asksForPerson: (text) => understand(text).wantsHuman,
    },
  )
}
