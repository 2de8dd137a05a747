import type { OrderTalk } from './order-talk.ts'

/** Matters that a message can be about. The set is fixed by the API contract; `unknown` means that no other fits. */
export const INTENTS = [
  'faq',
  'product',
  'order',
  'logistics',
  'refund',
  'account',
  'technical',
  'complaint',
  'human',
  'chitchat',
  'unknown',
] as const
export type Intent = (typeof INTENTS)[number]

/** `other`: a script or language for which there are neither rules nor examples. */
export type Language = 'zh' | 'en' | 'mixed' | 'other'

export type SensitiveTopic = 'legal' | 'safety' | 'privacy' | 'fraud' | 'refund_limit'

export type ChitchatKind = 'greeting' | 'thanks' | 'goodbye' | 'identity' | 'acknowledgement' | 'apology' | 'small_talk'

export type Currency = 'CNY' | 'USD' | 'EUR' | 'GBP' | 'HKD' | 'JPY'

export type Turn = { role: 'user' | 'assistant' | 'agent' | 'system'; content: string }

export type RankedIntent = {
  intent: Intent
  /** 0..1; the confidences of one ranking sum to 1. */
  confidence: number
}

/** `date` is an ISO calendar day, null when the text names a day that cannot be placed (no clock given, no such day). */
export type DateMention = { text: string; date: string | null }

/** `value` in units of the currency (yuan, not fen); `currency` is null when the text names none. */
export type AmountMention = { text: string; value: number; currency: Currency | null }

export type Entities = {
  /** As written, without spaces; a leading `#` is kept. */
  orderNumbers: string[]
  trackingNumbers: string[]
  phones: string[]
  emails: string[]
  dates: DateMention[]
  amounts: AmountMention[]
}

/** One thing that a message asks for. */
export type SubTask = {
  /** A contiguous piece of the message, trimmed. */
  question: string
  intent: Intent
  /** 0..1 */
  confidence: number
  orders: OrderTalk
  /** A pronoun ties it to what was said before. */
  refersBack: boolean
}

export type UnderstandingContext = {
  /** Oldest first, without the message itself. */
  previousTurns?: readonly Turn[]
  lastIntent?: Intent | undefined
  /** Reference for relative dates, read as a UTC calendar day; without it they stay unplaced. */
  now?: Date
  /** A refund above this many units of its currency is a sensitive topic. */
  refundLimits?: Partial<Record<Currency, number>>
}

/**
 * All that is judged of a message from its words. After it nobody reads the text again to decide, so that two parts of the
 * program cannot come to different ends.
 */
export type Understanding = {
  language: Language
  /** Language to answer in: never `mixed`; falls back to what the customer wrote before. */
  replyLanguage: 'zh' | 'en' | 'other'
  /** `human` if and only if `wantsHuman`. */
  intent: Intent
  /** 0..1 */
  confidence: number
  /** All intents, best first. */
  intents: RankedIntent[]
  /** -1 furious, 0 neutral, 1 delighted. */
  emotionScore: number
  entities: Entities
  /** All that the message says of the customer's own orders; an answer to "shall I?" and a choice are read from here. */
  orders: OrderTalk
  /** A part of it asks for a person of the shop; the intent of that part is `human`. */
  wantsHuman: boolean
  /** It asks where the person stays that was called for. */
  awaitsPerson: boolean
  sensitiveTopic: SensitiveTopic | null
  /** Set when the whole message is small talk. */
  chitchatKind: ChitchatKind | null
  /** The message cannot be understood without what was said before. */
  isFollowUp: boolean
  /** Questions that stand alone, as a model read them; null: the rules rewrite follow-ups. */
  standalone: readonly string[] | null
  /** At least one unless the message is empty; one question means one sub-task. */
  subTasks: readonly SubTask[]
}
