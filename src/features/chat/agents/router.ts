import { newId } from '../../../kernel/ids.ts'
import type { SessionContext } from '../types.ts'
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
  if (chosen) return [task('knowledge', { ...asOnePart(input), question: chosen }, [chosen])]
  if (context.pending) return [task('business', asOnePart(input), [message])]
  if (understanding.chitchatKind) return [task('chitchat', asOnePart(input), [message])]
  const parts = understanding.subTasks.length > 0 ? understanding.subTasks : [asOnePart(input)]
  const substantial = parts.filter(({ intent }) => intent !== 'chitchat')
  return (substantial.length > 0 ? substantial : parts).map((part) => {
    const agent = agentFor(part)
    return task(agent, part, agent === 'knowledge' ? readingsOf(input, part) : [part.question])
  })
}

function agentFor({ intent, scene }: SubTask): AgentName {
  if (intent === 'human') return 'escalation'
  if (scene !== 'none') return 'business'
  return intent === 'chitchat' ? 'chitchat' : 'knowledge'
}

function task(agent: AgentName, { question, intent, scene }: SubTask, readings: readonly string[]): Task {
  return { taskId: newId('task'), agent, question, readings, intent, scene }
}

function asOnePart({ message, understanding }: RouterInput): SubTask {
  const { intent, confidence, scene } = understanding
  return { question: message, intent, confidence, scene }
}

function readingsOf({ understanding, context, rewriteFollowUp }: RouterInput, part: SubTask): string[] {
  if (!understanding.isFollowUp) return [part.question]
  return [...new Set([...rewriteFollowUp(part.question, context.questions ?? []), part.question])]
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
