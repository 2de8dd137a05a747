/** What a message is about. The set is fixed by the API contract; `unknown` means that no other fits. */
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

/** The kind of work at a shop's own systems that a message asks for; `none`: the knowledge base is enough. */
export type Scene = 'order_status' | 'logistics' | 'refund' | 'cancel' | 'exchange' | 'address' | 'account' | 'none'

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

export type SubTask = {
  /** A contiguous piece of the message, trimmed. */
  question: string
  intent: Intent
  /** 0..1 */
  confidence: number
  scene: Scene
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

export type Understanding = {
  language: Language
  /** What to answer in: never `mixed`; falls back to what the customer wrote before. */
  replyLanguage: 'zh' | 'en' | 'other'
  intent: Intent
  /** 0..1 */
  confidence: number
  /** All intents, best first. */
  intents: RankedIntent[]
  /** -1 furious, 0 neutral, 1 delighted. */
  emotionScore: number
  entities: Entities
  /** An explicit request for a person. */
  wantsHuman: boolean
  sensitiveTopic: SensitiveTopic | null
  /** Set when the whole message is small talk. */
  chitchatKind: ChitchatKind | null
  /** The message cannot be understood without what was said before. */
  isFollowUp: boolean
  /** An answer to a question that asked for consent; anything hedged or longer is null. */
  confirmation: 'yes' | 'no' | null
  scene: Scene
  /** True when the message is about the customer's own order, parcel, refund or account rather than the rules. */
  needsOwnRecords: boolean
  /** At least one unless the message is empty; one question means one sub-task. */
  subTasks: SubTask[]
}
