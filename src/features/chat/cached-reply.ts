import { newId } from '../../kernel/ids.ts'
import type { Claim, ReplyCache } from '../performance/index.ts'
import type { Task } from './agents/task.ts'
import { piecesOf } from './tokens.ts'
import type { Say, TurnInput, TurnPlan, TurnReply } from './turn.ts'
import type { Source, SubTaskResult } from './types.ts'

/** A reply that depends on nothing but the question and the knowledge base. */
export interface CachedReply {
  reply: string
  sources: Source[]
  subTasks: SubTaskResult[]
}

/** Below, a customer is upset, and what is said next is no routine. */
const CALM = -0.3

/**
 * Looks for a reply that was given to the same question before. Only what anyone would be answered alike is shared:
 * nothing that leans on the conversation, on the customer's own records or on their mood.
 */
export function claimReply(
  cache: Pick<ReplyCache<CachedReply>, 'claim'>,
  input: TurnInput,
  tasks: readonly Task[],
  variant: string,
): Promise<Claim<CachedReply>> {
  if (!isContextFree(input, tasks)) return Promise.resolve({ kind: 'bypass' })
  const scope = JSON.stringify([input.understanding.replyLanguage, variant])
  return cache.claim({ text: input.message, scope }, input.signal)
}

function isContextFree({ session, understanding }: TurnInput, tasks: readonly Task[]): boolean {
  const { agentStatus, context } = session
  if (agentStatus === 'pending' || context.pending || (context.clarifying ?? []).length > 0) return false
  if (understanding.isFollowUp || understanding.sensitiveTopic !== null || understanding.wantsHuman) return false
  if (understanding.emotionScore <= CALM) return false
  return tasks.every(({ agent, readings }) => agent === 'knowledge' && readings.length === 1)
}

/** Settles a claim by what the turn came to. */
export function settleClaim(claim: Claim<CachedReply>, decided: TurnReply): void {
  if (claim.kind !== 'compute') return
  const fromKnowledge = decided.mode === 'extractive' || decided.mode === 'model'
  const { reply, sources, subTasks } = decided
  if (decided.confident && fromKnowledge && decided.card === null) {
    claim.keep({ reply, sources, subTasks })
  } else claim.discard()
}

/** The plan of a turn whose reply is known already. */
export function planFromCache({ sources }: CachedReply): TurnPlan {
  return { results: [], sources, failedAttempts: 0, card: null, escalate: false }
}

/** A cached reply is said, stored and counted like any other. */
export async function speakCached(
  { message, session, isStreamed }: TurnInput,
  { reply, sources, subTasks }: CachedReply,
  say: Say,
): Promise<TurnReply> {
  for (const piece of piecesOf(reply, { isStreamed })) await say(piece)
  const questions = [...(session.context.questions ?? []), message].slice(-5)
  return {
    reply,
    mode: 'cached',
    sources,
    subTasks: subTasks.map((task) => ({ ...task, ...asAsked(message, subTasks), taskId: newId('task') })),
    failedAttempts: 0,
    confident: true,
    confidence: 'sure',
    context: { ...session.context, questions, clarifying: [] },
    card: null,
  }
}

/** One question is told in the words of whoever asks now; of several, only the whole message is known to be alike. */
function asAsked(message: string, subTasks: readonly SubTaskResult[]): { question?: string } {
  return subTasks.length === 1 ? { question: message } : {}
}
