import type { OrderTalk } from '../../../language/order-talk.ts'
import type { Intent } from '../../../language/understanding.ts'
import type { SearchHit } from '../../knowledge/index.ts'
import type { BusinessResult } from '../../orders/index.ts'
import type { SessionContext, Source, SubTaskResult, Suggestion } from '../../sessions/index.ts'

export type AgentName = 'knowledge' | 'business' | 'chitchat' | 'escalation'

export type Topic = NonNullable<SessionContext['answered']>

/** One question of a message and the agent that is to answer it. */
export interface Task {
  taskId: string
  agent: AgentName
  question: string
  /** Queries that the question may stand for in this conversation, the likeliest first; at least one. */
  rewrites: readonly string[]
  /** A follow-up before it was rewritten; `refersBack`: a pronoun ties it to what was said. Null: it stands alone. */
  original: { question: string; refersBack: boolean } | null
  /**
   * The question to ask where the rewrites find no sure answer: a later part with the topic before it, the question
   * before with another place.
   */
  fallback: string | null
  /** The document that was chosen to answer it. */
  within?: string
  /** The document that answered last, which the question may go on about. */
  topic?: Topic
  /** The question before in the conversation; `leans`: this one cannot be understood without it. */
  before?: { question: string; leans: boolean }
  /** It asks for what the last answer left out. */
  goesOn?: boolean
  /** The parts of the message that are answered together with it, with it; default 1. */
  parts?: number
  intent: Intent
  /** Everything that the question says of the customer's own orders. */
  orders: OrderTalk
}

export interface TaskResult {
  task: Task
  /** The agent that answered in the end. */
  agent: AgentName
  status: SubTaskResult['status']
  /** The words that can be said without a model. */
  answer: string
  /** `sure` settles the question, `close` offers the closest passage, `asks` asks back, `none` found nothing. */
  confidence: 'sure' | 'close' | 'asks' | 'none'
  sources: Source[]
  hits: readonly SearchHit[]
  /** Those of them that the answer's words were taken from. */
  used: readonly SearchHit[]
  /** The rewrite that was answered. */
  query: string
  business: BusinessResult | null
  /** Rewrites to choose between, when two are equally likely. */
  clarify: readonly string[]
  /** Documents to choose from, where none surely answers. */
  suggestions: readonly Suggestion[]
  /** The text that the answer left out for its length; '' where none was. */
  rest: string
}

export function toSubTask(result: TaskResult): SubTaskResult {
  const { task, agent, status, answer, sources } = result
  return { taskId: task.taskId, question: task.question, agent, intent: task.intent, status, answer, sources }
}

export function emptyResult(task: Task, answer: string, more: Partial<TaskResult> = {}): TaskResult {
  return {
    task,
    agent: task.agent,
    status: 'done',
    answer,
    confidence: 'none',
    sources: [],
    hits: [],
    used: [],
    query: task.rewrites[0] ?? task.question,
    business: null,
    clarify: [],
    suggestions: [],
    rest: '',
    ...more,
  }
}
