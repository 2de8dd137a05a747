import { newId } from '../../../kernel/ids.ts'
import type { SessionContext } from '../types.ts'
import { refersBack } from '../understanding/follow-up.ts'
import { inheritSubject, withOtherCircumstance, withTopicOf } from '../understanding/rewriting.ts'
import { fold } from '../understanding/text.ts'
import type { SubTask, Understanding } from '../understanding/types.ts'
import type { AgentName, Task } from './task.ts'

export interface RouterInput {
  message: string
  understanding: Understanding
  context: SessionContext
  rewriteFollowUp(message: string, previousQuestions: readonly string[]): string[]
}

/** Splits a message into tasks and names the agent of each. Small talk beside a question needs no answer of its own. */
export function planTasks(input: RouterInput): Task[] {
  const { understanding, message, context } = input
  const chosen = chosenReading(message, context)
  if (chosen) return [task('knowledge', { ...asOnePart(input), question: chosen }, plain(chosen))]
  if (context.pending) return [task('business', asOnePart(input), plain(message))]
  if (understanding.chitchatKind) return [task('chitchat', asOnePart(input), plain(message))]
  const parts = understanding.subTasks.length > 0 ? understanding.subTasks : [asOnePart(input)]
  const substantial = parts.filter(({ intent }) => intent !== 'chitchat')
  let before: string | null = null
  return (substantial.length > 0 ? substantial : parts).map((part) => {
    const agent = agentFor(part)
    const readings: Readings = agent === 'knowledge' ? readingsOf(input, part, before) : plain(part.question)
    before = readings.readings[0] ?? null
    return task(agent, part, readings)
  })
}

function agentFor({ intent, scene }: SubTask): AgentName {
  if (intent === 'human') return 'escalation'
  if (scene !== 'none') return 'business'
  return intent === 'chitchat' ? 'chitchat' : 'knowledge'
}

type Readings = Pick<Task, 'readings' | 'asSaid' | 'fallback'>

function plain(question: string): Readings {
  return { readings: [question], asSaid: null, fallback: null }
}

function task(agent: AgentName, { question, intent, scene }: SubTask, readings: Readings): Task {
  return { taskId: newId('task'), agent, question, ...readings, intent, scene }
}

function asOnePart({ message, understanding }: RouterInput): SubTask {
  const { intent, confidence, scene } = understanding
  return { question: message, intent, confidence, scene }
}

/** A part without a subject has that of the part before it; a follow-up has what was asked before in the conversation. */
function readingsOf({ understanding, context, rewriteFollowUp }: RouterInput, part: SubTask, before: string | null) {
  const { question } = part
  const inherited = before === null ? question : inheritSubject(question, before)
  if (inherited !== question) return plain(inherited)
  if (!understanding.isFollowUp) return { ...plain(question), fallback: before && withTopicOf(question, before) }
  const fallback = withOtherCircumstance(question, context.questions ?? [])
  const rewritten = [...new Set(rewriteFollowUp(question, context.questions ?? []))]
  return rewritten.length === 1 && rewritten[0] === question
    ? plain(question)
    : { readings: rewritten, asSaid: { question, refersBack: refersBack(fold(question)) }, fallback }
}

/** "2" or "第二个" after a reply that offered readings. */
function chosenReading(message: string, { clarifying = [] }: SessionContext): string | undefined {
  if (clarifying.length === 0) return undefined
  const match = /^(?:第|the |no\.? ?|option )?([1-9一二三]|first|second|third)(?:个|种|\.|、|one)?[\s。.!！]*$/i.exec(
    message.trim(),
  )
  const word = match?.[1]?.toLowerCase() ?? ''
  const index = ['1一first', '2二second', '3三third'].findIndex((names) => word !== '' && names.includes(word))
  return clarifying[index]
}
