import { newId } from '../../kernel/ids.ts'
import { answerFromKnowledge, type KnowledgeAgent, type KnowledgeAnswer } from './agents/knowledge-agent.ts'
import { phrasesFor } from './phrases.ts'
import type { SessionContext, Source, StoredMessage, SubTaskResult } from './types.ts'
import type { SubTask, Understanding } from './understanding/types.ts'

export interface TurnDependencies extends KnowledgeAgent {
  rewriteFollowUp(message: string, previousQuestions: readonly string[]): string[]
  log: { warn(details: object, message: string): void }
}

export interface TurnInput {
  message: string
  understanding: Understanding
  history: readonly StoredMessage[]
  context: SessionContext
  failedAttempts: number
}

export interface TurnReply {
  reply: string
  sources: Source[]
  subTasks: SubTaskResult[]
  failedAttempts: number
  context: SessionContext
}

const KEPT_QUESTIONS = 5

/** Decides what to say: small talk as such, everything else from the knowledge base, part by part. */
export async function decideReply(deps: TurnDependencies, input: TurnInput): Promise<TurnReply> {
  const { understanding, context, failedAttempts } = input
  const { replyLanguage, chitchatKind } = understanding
  if (chitchatKind) {
    const reply = phrasesFor(replyLanguage).chitchat[chitchatKind]
    return { reply, sources: [], subTasks: [chitchatTask(input, reply)], failedAttempts, context }
  }
  const parts = await Promise.all(partsOf(input).map((part) => answerPart(deps, input, part)))
  return {
    reply: joinParts(parts, input),
    sources: mergeSources(parts),
    subTasks: parts.map(({ task }) => task),
    failedAttempts: countFailures(parts, failedAttempts),
    context: { ...context, questions: rememberQuestions(parts, context) },
  }
}

interface Part {
  task: SubTaskResult
  answer: KnowledgeAnswer | null
  /** What was asked, standing alone; null when nothing was understood. */
  standalone: string
}

function partsOf({ message, understanding }: TurnInput): SubTask[] {
  if (understanding.subTasks.length > 0) return understanding.subTasks
  return [{ question: message, intent: understanding.intent, confidence: understanding.confidence, scene: 'none' }]
}

/** A part that fails does not take the others with it. */
async function answerPart(deps: TurnDependencies, input: TurnInput, part: SubTask): Promise<Part> {
  const task: SubTaskResult = {
    taskId: newId('task'),
    question: part.question,
    agent: 'knowledge',
    intent: part.intent,
    status: 'done',
    answer: '',
    sources: [],
  }
  const readings = readingsOf(deps, input, part)
  try {
    const answer = await answerFromKnowledge(deps, readings, input.understanding.replyLanguage)
    return {
      task: { ...task, answer: answer.text, sources: answer.sources },
      answer,
      standalone: readings[0] as string,
    }
  } catch (error) {
    deps.log.warn({ err: error }, 'A part of a turn failed')
    const text = phrasesFor(input.understanding.replyLanguage).failed
    return { task: { ...task, status: 'failed', answer: text }, answer: null, standalone: part.question }
  }
}

function readingsOf(deps: TurnDependencies, { understanding, context }: TurnInput, part: SubTask): string[] {
  if (!understanding.isFollowUp) return [part.question]
  const rewritten = deps.rewriteFollowUp(part.question, context.questions ?? [])
  return [...new Set([...rewritten, part.question])]
}

function joinParts(parts: readonly Part[], { understanding, failedAttempts }: TurnInput): string {
  const phrases = phrasesFor(understanding.replyLanguage)
  const found = parts.filter(({ answer }) => answer && answer.confidence !== 'none')
  if (parts.length === 1 || found.length === 0) {
    const [only] = parts
    const nothing = failedAttempts > 0 ? phrases.notFoundAgain : phrases.notFound
    return found.length === 0 && parts.every(({ answer }) => answer) ? nothing : (only?.task.answer ?? nothing)
  }
  return parts
    .map(({ task, answer }, i) => {
      const text = answer?.confidence === 'none' ? phrases.partNotFound : task.answer
      return `${i + 1}. ${task.question}\n${text}`
    })
    .join('\n\n')
}

/** A confident answer to any part ends the run of failures; a close one leaves it as it is. */
function countFailures(parts: readonly Part[], before: number): number {
  if (parts.some(({ answer }) => answer?.confidence === 'sure')) return 0
  if (parts.some(({ answer }) => answer?.confidence === 'close')) return before
  return before + 1
}

function mergeSources(parts: readonly Part[]): Source[] {
  const merged = new Map<string, Source>()
  for (const { task } of parts) {
    for (const source of task.sources) {
      const known = merged.get(source.docId)
      if (!known || known.score < source.score) merged.set(source.docId, source)
    }
  }
  return [...merged.values()].sort((a, b) => b.score - a.score)
}

function rememberQuestions(parts: readonly Part[], { questions = [] }: SessionContext): string[] {
  return [...questions, ...parts.map(({ standalone }) => standalone)].slice(-KEPT_QUESTIONS)
}

function chitchatTask({ message }: TurnInput, answer: string): SubTaskResult {
  return {
    taskId: newId('task'),
    question: message,
    agent: 'chitchat',
    intent: 'chitchat',
    status: 'done',
    answer,
    sources: [],
  }
}
