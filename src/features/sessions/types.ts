import type { Intent } from '../../language/understanding.ts'
import type { DoneChange, Pending } from '../orders/index.ts'

/** Those that a caller may name. */
export const GIVEN_CHANNELS = ['web', 'app', 'wechat', 'dingtalk', 'api'] as const
/** Mail comes by itself alone. */
export const CHANNELS = [...GIVEN_CHANNELS, 'email'] as const
export type ChannelName = (typeof CHANNELS)[number]

export interface Source {
  source: string
  /** 0..1 */
  score: number
  docId: string
  version: string
  /** Where in the document: its title and headings. */
  title: string
  /** The question that the passage answers, where its document is one of questions. */
  question?: string
  /** An address where people can read it; missing: none is known. */
  url?: string
  /** The beginning of the passage, for those who want to see where an answer is from. */
  excerpt?: string
}

/** A document that may answer, offered where none surely does. */
export interface Suggestion {
  title: string
  source: string
  docId: string
  url?: string
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

/** A message with the session that it belongs to, and its number among those that the desk is told of; null: it is not. */
export type SessionMessage = StoredMessage & { sessionId: string; deskSeq: number | null }

/**
 * Events that messages of the system tell of. `returned`: nobody came in time; `transferred`: to another person; `released`: it
 * waits for the next one; `handed_back`: to the assistant, unresolved.
 */
export const HANDOFF_EVENTS = [
  ...(['handoff', 'accepted', 'resolved', 'returned', 'cancelled'] as const),
  ...(['transferred', 'released', 'handed_back'] as const),
] as const
export type HandoffEvent = (typeof HANDOFF_EVENTS)[number]

/** The escalation priorities, the least pressing first. */
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const

/** Reasons for which a person is called, or takes over. */
export const ESCALATION_REASONS = [
  'customer_request',
  'missing_knowledge',
  'repeated_failure',
  'negative_emotion',
  'sensitive_topic',
  'policy_restriction',
  'tool_failure',
  'taken',
] as const

/** Further facts of a message. */
export interface MessageDetails {
  /** The turn of which a reply came. */
  traceId?: string
  /** The customer left, or a person took over, while this was being said. */
  interrupted?: boolean
  /** A reply that settled the question. */
  confident?: boolean
  mode?: ReplyMode
  subTasks?: Pick<SubTaskResult, 'question' | 'answer' | 'status' | 'sources'>[]
  /** Who wrote it, for messages of people. */
  agentId?: string
  /** Who had the session before it was transferred or released. */
  from?: string
  /** For colleagues alone: why it was transferred or released. */
  note?: string
  /** Said by or to somebody who was not known to be the session's customer. */
  guest?: boolean
  /** The event that a message of the system tells of, such as `handoff` or `accepted`. */
  event?: string
}

/** Where a customer can be reached, as they or the shop said. */
export interface Contact {
  name: string | null
  email: string | null
  phone: string | null
  /** The shop's server has said so. */
  verified: boolean
}

export type AgentStatus = 'pending' | 'assigned' | 'resolved'
/** Said of sessions that no person has anything to do with: `agent_status` is a text everywhere, as specified. */
export const NOT_HANDED_OVER = 'none'

/** A session as the one who speaks in it may know it. */
export interface SessionRow {
  sessionId: string
  /** Empty: nobody was named, or whoever speaks is not known to be the session's customer. */
  userId: string
  /** The session belongs to a customer, and whoever speaks is not known to be that one. */
  isGuest: boolean
  channel: ChannelName
  turnCount: number
  failedAttempts: number
  emotionScore: number
  intent: Intent
  context: SessionContext
  agentStatus: AgentStatus | null
  createdAt: Date
  updatedAt: Date
}

/** So many questions does a session remember for follow-ups. */
export const KEPT_QUESTIONS = 5

/** Knowledge that the next turn needs. */
export interface SessionContext {
  /** Questions of the customer that were understood by themselves, newest last; follow-ups build on them. */
  questions?: string[]
  /** A business question that is open: which order, or whether to go ahead. */
  pending?: Pending | null
  /** Numbers of the orders that were last spoken of. */
  topic?: string[]
  /** Changes to orders or the account that were made last. */
  done?: DoneChange[]
  /** The last reply said that who is writing is not known. */
  unverified?: boolean
  /** Readings offered by the last reply; the customer may choose one by its number. */
  clarifying?: string[]
  /** Documents offered by the last reply, and the question that each of them may answer. */
  offered?: (Suggestion & { question: string })[]
  /** Choices have put off the call for a person once, and nothing was settled since. */
  isPutOff?: boolean
  /** The part of the last answer that was left out for its length, and where it stands. */
  rest?: { text: string; sources: Source[] } | null
  /** The document that answered last: what a follow-up is about. */
  answered?: { docId: string; title: string } | null
}
