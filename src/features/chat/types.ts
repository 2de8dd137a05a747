import type { Pending } from '../../business/pending.ts'
import type { EscalationCard } from '../escalation/index.ts'
import type { NativeChannel } from './identity.ts'
import type { Intent } from './understanding/types.ts'

export const CHANNELS = ['web', 'app', 'wechat', 'dingtalk', 'api'] as const
export type Channel = (typeof CHANNELS)[number]

export interface ChatRequest {
  message: string
  /** Empty: a new session is made. */
  sessionId: string
  channel: Channel
  userId: string
  /** The platform that names the user by itself; undefined: the shop does. */
  door?: NativeChannel | undefined
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

/**
 * How a reply was written: with the words of the passages, by a model, or with the passages because the model failed.
 * `notice` is the assistant speaking of itself: small talk, a hand-over, a business lookup.
 */
export type ReplyMode = 'extractive' | 'model' | 'fallback' | 'notice' | 'cached'

/** What a turn came to; the plain endpoint's `data` and the stream's last event are made from it. */
export interface TurnOutcome {
  sessionId: string
  messageId: string
  reply: string
  intent: Intent
  sources: Source[]
  escalate: boolean
  escalationCard: EscalationCard | null
  turnCount: number
  failedAttempts: number
  emotionScore: number
  subTasks: SubTaskResult[]
  mode: ReplyMode
  confidence: Confidence | null
}

/** How sure the knowledge base's answer was; null where it was not asked. */
export type Confidence = 'sure' | 'close' | 'none'

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
  details: MessageDetails
  createdAt: Date
}

/** What else is known of a message. */
export interface MessageDetails {
  /** The customer left, or a person took over, while this was being said. */
  interrupted?: boolean
  /** A reply that settled the question. */
  confident?: boolean
  mode?: ReplyMode
  subTasks?: Pick<SubTaskResult, 'question' | 'answer' | 'status' | 'sources'>[]
  /** Who wrote it, for messages of people. */
  agentId?: string
  /** Said by or to somebody who was not known to be the session's customer. */
  guest?: boolean
  /** What a message of the system is about: `handoff`, `accepted`, `resolved`, `returned`. */
  event?: string
}

export type AgentStatus = 'pending' | 'assigned' | 'resolved'

/** A session as the one who speaks in it may know it. */
export interface SessionRow {
  sessionId: string
  /** Empty: nobody was named, or whoever speaks is not known to be the session's customer. */
  userId: string
  /** The session belongs to a customer, and whoever speaks is not known to be that one. */
  isGuest: boolean
  channel: Channel
  turnCount: number
  failedAttempts: number
  emotionScore: number
  intent: Intent
  context: SessionContext
  agentStatus: AgentStatus | null
  createdAt: Date
  updatedAt: Date
}

export type HandoffCard = EscalationCard

/** So many questions does a session remember for follow-ups. */
export const KEPT_QUESTIONS = 5

/** What the next turn needs to know. */
export interface SessionContext {
  /** Questions of the customer that were understood by themselves, newest last; follow-ups build on them. */
  questions?: string[]
  /** A business question that is open: which order, or whether to go ahead. */
  pending?: Pending | null
  /** Readings offered by the last reply; the customer may choose one by its number. */
  clarifying?: string[]
}
