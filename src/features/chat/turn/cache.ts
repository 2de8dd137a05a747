import { newId } from '../../../kernel/ids.ts'
import { KEPT_QUESTIONS, type SessionContext, type Source, type SubTaskResult } from '../../sessions/index.ts'
import type { Claim, ReplyCache } from '../cache/reply-cache.ts'
import type { TurnState } from './state.ts'

/** A reply that depends on nothing but the question and the knowledge base. */
export interface CachedReply {
  reply: string
  sources: Source[]
  subTasks: SubTaskResult[]
  /** Topic that "more" and follow-ups go on with; absent in replies that an older release kept. */
  context?: Pick<SessionContext, 'rest' | 'answered'>
}

/** Below, a customer is upset, and what is said next is no routine. */
const CALM = -0.3

/**
 * Looks for a reply that was given to the same question before. Only what anyone would be answered alike is shared:
 * nothing that leans on the conversation, on the customer's own records or on their mood.
 */
export function claimReply(
  cache: Pick<ReplyCache<CachedReply>, 'claim'>,
  state: TurnState,
): Promise<Claim<CachedReply>> {
  if (!isContextFree(state)) return Promise.resolve({ kind: 'bypass' })
  // Of the settings that the turn goes by: others may be in force by the time that its reply is kept.
  const scope = JSON.stringify([state.understanding.replyLanguage, state.settings])
  return cache.claim({ text: state.message, scope }, state.signal)
}

function isContextFree({ session, understanding, tasks }: TurnState): boolean {
  const { agentStatus, context } = session
  if (agentStatus === 'pending' || context.pending || (context.clarifying ?? []).length > 0) return false
  if (understanding.isFollowUp || understanding.sensitiveTopic !== null || understanding.wantsHuman) return false
  if (understanding.emotionScore <= CALM) return false
  return tasks.every(
    ({ agent, rewrites, within, goesOn }) =>
      agent === 'knowledge' && rewrites.length === 1 && within === undefined && !goesOn,
  )
}

/** Settles a claim by what the turn came to. */
export function settleClaim({ claim, mode, confident, card, reply, sources, subTasks, context }: TurnState): void {
  if (claim.kind !== 'compute') return
  const isFromKnowledge = mode === 'extractive' || mode === 'model'
  if (confident && isFromKnowledge && card === null)
    claim.keep({
      reply,
      sources,
      subTasks,
      context: { rest: context.rest ?? null, answered: context.answered ?? null },
    })
  else claim.discard()
}

/** The outcome of a turn whose reply is known already; it is stored and counted like any other. */
export function fromCache(
  { message, session }: Pick<TurnState, 'message' | 'session'>,
  { sources, subTasks, context }: CachedReply,
) {
  const questions = [...(session.context.questions ?? []), message].slice(-KEPT_QUESTIONS)
  // One question is told in the words of whoever asks now; of several, only the whole message is known to be alike.
  const asked = subTasks.length === 1 ? { question: message } : {}
  return {
    mode: 'cached' as const,
    sources,
    subTasks: subTasks.map((task) => ({ ...task, ...asked, taskId: newId('task') })),
    failedAttempts: 0,
    confident: true,
    confidence: 'sure' as const,
    context: { ...session.context, ...context, questions, clarifying: [], offered: [], isPutOff: false },
  }
}
