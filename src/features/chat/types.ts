import type { Intent } from './understanding/types.ts'

export const CHANNELS = ['web', 'app', 'wechat', 'dingtalk', 'api'] as const
export type Channel = (typeof CHANNELS)[number]

export interface ChatRequest {
  message: string
  /** Empty: a new session is made. */
  sessionId: string
  channel: Channel
  userId: string
}

export interface Source {
  source: string
  /** 0..1 */
  score: number
  docId: string
  version: string
  /** Where in the document: its title and headings. */
  title: string
}

export interface SubTaskResult {
  taskId: string
  question: string
  agent: string
  intent: Intent
  status: 'done' | 'failed' | 'skipped'
  answer: string
  sources: Source[]
}

/** What a turn came to; the plain endpoint's `data` and the stream's last event are made from it. */
export interface TurnOutcome {
  sessionId: string
  messageId: string
  reply: string
  intent: Intent
  sources: Source[]
  escalate: boolean
  escalationCard: object | null
  turnCount: number
  failedAttempts: number
  emotionScore: number
  subTasks: SubTaskResult[]
}

/** In this order: one `meta`, any number of `token`, then `done` or `error`. */
export type ChatEvent =
  | { type: 'meta'; sessionId: string; intent: Intent; sources: Source[]; escalate: boolean }
  | { type: 'token'; content: string }
  | { type: 'done'; outcome: TurnOutcome }
  | { type: 'error'; error: unknown }

export interface StoredMessage {
  seq: number
  messageId: string
  role: 'user' | 'assistant' | 'agent' | 'system'
  content: string
  intent: string | null
  sources: Source[] | null
  createdAt: Date
}

export interface SessionRow {
  sessionId: string
  userId: string
  channel: Channel
  turnCount: number
  failedAttempts: number
  emotionScore: number
  intent: Intent
  context: SessionContext
  agentStatus: 'pending' | 'assigned' | 'resolved' | null
  createdAt: Date
  updatedAt: Date
}

export interface SessionContext {
  /** Questions of the customer that were understood by themselves, newest last; follow-ups build on them. */
  questions?: string[]
}
