import { newId } from '../../../kernel/ids.ts'
import { fold } from '../../../language/fold.ts'
import { needsConversation } from '../../../language/follow-up.ts'
import type { SubTask, Understanding } from '../../../language/understanding.ts'
import type { SessionContext, SessionRow } from '../../sessions/index.ts'
import { chosenFrom } from '../reply/suggestions.ts'
import { asksForMore } from '../understanding/more.ts'
import {
  inheritSubject,
  rewriteFollowUp,
  withOtherCircumstance,
  withPlaceBefore,
  withTopicOf,
} from '../understanding/rewriting.ts'
import { asSubTask, isAnswer } from '../understanding/understanding.ts'
import type { AgentName, Task } from './task.ts'

export interface RouterInput {
  message: string
  understanding: Understanding
  context: SessionContext
  session?: Pick<SessionRow, 'userId' | 'agentStatus'>
  /** A person is asked for, whatever the message says. */
  callsPerson?: boolean
}

/** Splits a message into tasks and names the agent of each. Small talk beside a question needs no answer of its own. */
export function planTasks(input: RouterInput): Task[] {
  const { understanding, message, context, session } = input
  const whole = { ...understanding, question: message }
  if (input.callsPerson) return [task('escalation', whole, plain(message))]
  const chosen = chosenRewrite(input)
  if (chosen) return [task('knowledge', { ...whole, question: chosen }, plain(chosen))]
  const taken = chosenFrom(message, understanding.orders.choice, context.offered ?? [])
  if (taken)
    return [{ ...task('knowledge', { ...whole, question: message }, plain(taken.question)), within: taken.docId }]
  if (context.rest && asksForMore(fold(message))) return [{ ...task('knowledge', whole, plain(message)), goesOn: true }]
  // Who waits for a person and asks where they are wants to hear of nothing else.
  if (session?.agentStatus === 'pending' && understanding.awaitsPerson)
    return [task('escalation', whole, plain(message))]
  const isOpen = context.pending && !isCourtesy(understanding)
  if ((isOpen || isAnswerToNothing(input)) && !understanding.wantsHuman)
    return [task('business', whole, plain(message))]
  if (understanding.chitchatKind && whole.orders.scene === 'none' && !leans(input, whole))
    return [{ ...task('chitchat', whole, plain(message)), ...conversationOf(input) }]
  if (isAnswer(understanding)) return [task('business', whole, plain(message))]
  const parts = understanding.subTasks.length > 0 ? understanding.subTasks : [asSubTask(message, understanding)]
  const substantial = parts.filter(({ intent }) => intent !== 'chitchat')
  const asked = substantial.length > 0 ? substantial : parts
  let before: string | null = null
  return asked.map((part) => {
    const agent = leans(input, part) ? 'business' : agentFor(part)
    const rewrites: Rewrites =
      agent === 'knowledge' || part.orders.scene === 'none' ? rewritesOf(input, part, before) : plain(part.question)
    before = rewrites.rewrites[0] ?? null
    return { ...task(agent, part, rewrites), ...conversationOf(input), parts: asked.length }
  })
}

/** A question in a conversation may go on about what was asked and answered before. */
function conversationOf({
  understanding,
  context: { answered, questions = [] },
}: RouterInput): Pick<Task, 'topic' | 'before'> {
  const subject = questions.findLastIndex((question) => !needsConversation(fold(question)))
  const before = questions.slice(Math.max(0, subject)).join(' ')
  return {
    ...(answered ? { topic: answered } : {}),
    ...(before === '' ? {} : { before: { question: before, leans: understanding.isFollowUp } }),
  }
}

/** "thanks" beside an open question. */
function isCourtesy({ chitchatKind, orders }: Understanding): boolean {
  return chitchatKind !== null && chitchatKind !== 'small_talk' && orders.scene === 'none' && orders.consent === null
}

/** A choice among nothing, or a name from whoever was told that who they are is not known. */
function isAnswerToNothing({ understanding: { orders }, context }: RouterInput): boolean {
  return orders.scene === 'none' && (orders.choice !== null || (orders.introduces && context.unverified === true))
}

/** A customer who is known may mean their own; the business agent looks whether they have any such. */
function leans(
  { context, session }: RouterInput,
  { intent, orders: { scene, leaning } }: Pick<SubTask, 'intent' | 'orders'>,
): boolean {
  if (scene !== 'none' || leaning === null || intent === 'human' || !session?.userId) return false
  return leaning.of !== 'done' || (context.done ?? []).length > 0
}

function agentFor({ intent, orders }: SubTask): AgentName {
  if (intent === 'human') return 'escalation'
  if (orders.scene !== 'none') return 'business'
  return intent === 'chitchat' ? 'chitchat' : 'knowledge'
}

type Rewrites = Pick<Task, 'rewrites' | 'original' | 'fallback'>

function plain(question: string): Rewrites {
  return { rewrites: [question], original: null, fallback: null }
}

function task(agent: AgentName, { question, intent, orders }: Omit<SubTask, 'refersBack'>, rewrites: Rewrites): Task {
  return { taskId: newId('task'), agent, question, ...rewrites, intent, orders }
}

/** A part without a subject has that of the part before it; a follow-up has what was asked before in the conversation. */
function rewritesOf({ understanding, context }: RouterInput, part: SubTask, before: string | null): Rewrites {
  const { question, refersBack } = part
  const inherited = before === null ? question : inheritSubject(question, before)
  if (inherited !== question) return plain(inherited)
  const priced = withPlaceBefore(question, context.questions ?? [])
  if (priced !== null) return { rewrites: [priced], original: { question, refersBack }, fallback: null }
  if (!understanding.isFollowUp) return { ...plain(question), fallback: before && withTopicOf(question, before) }
  const fallback = withOtherCircumstance(question, context.questions ?? [])
  const rewritten = [...new Set(understanding.standalone ?? rewriteFollowUp(question, context.questions ?? []))]
  return rewritten.length === 1 && rewritten[0] === question
    ? plain(question)
    : { rewrites: rewritten, original: { question, refersBack }, fallback }
}

/** "2" or "第二个" after a reply that offered rewrites. */
function chosenRewrite({ understanding, context: { clarifying = [] } }: RouterInput): string | undefined {
  const { choice } = understanding.orders
  return choice === null ? undefined : clarifying.at(choice)
}
