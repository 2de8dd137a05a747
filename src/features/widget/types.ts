/** Texts that customers read, in each language; empty: the usual ones. */
export interface Bilingual {
  zh: string
  en: string
}

/** How a widget looks, and what it offers. */
export interface WidgetSettings {
  /** Of its window. */
  title: Bilingual
  greeting: Bilingual
  /** Questions to begin with. */
  starters: { zh: string[]; en: string[] }
  /** Beside the field where customers write, such as a link to the privacy policy. */
  notice: Bilingual
  /** Of the shop, as #rrggbb; empty: the usual one. */
  colour: string
  position: 'right' | 'left'
  languages: ('zh' | 'en')[]
  showsSources: boolean
  allowsAttachments: boolean
  offersPerson: boolean
  asksForRating: boolean
  /** Only customers whom the shop's server has signed may write. */
  requiresIdentity: boolean
}

/** A widget on pages of the shop. Its public key names it and proves nothing. */
export interface Widget {
  widgetId: string
  name: string
  publicKey: string
  /** Still taken, until then. */
  previousKey: string | null
  previousKeyUntil: Date | null
  /** Of pages that may use it: `https://shop.example`, `https://*.shop.example`. */
  allowedOrigins: string[]
  settings: WidgetSettings
  createdAt: Date
  updatedAt: Date
  revokedAt: Date | null
}

/** By what the shop's server signs who its customers are. */
export interface WidgetSecrets {
  identitySecret: string
  previousSecret: string | null
  previousSecretUntil: Date | null
}

/** A customer as the shop's server named them. */
export interface Identity {
  userId: string
  name: string | null
  email: string | null
}

/** The bearer of a token: one session of one widget. */
export interface Holder {
  widgetId: string
  sessionId: string
  /** Empty: nobody that the shop has named. */
  userId: string
  name: string | null
  email: string | null
  /** When the session was begun, in seconds since 1970. */
  begunAt: number
}

/** Where a conversation stands, as far as its customer is told. */
export interface ConversationState {
  status: 'assistant' | 'waiting' | 'person' | 'resolved'
  /** The person who has it, as customers are told. */
  agentName: string | null
  /** In the queue, from 1; null: it does not wait. */
  place: number | null
  /** Null: there are no hours. */
  isOpen: boolean | null
  opensAt: Date | null
  /** Somebody at the desk has said that they are there. */
  isSomebodyThere: boolean
  canRate: boolean
}
