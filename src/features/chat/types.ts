import type { Intent } from '../../language/understanding.ts'
import type { ChannelName, Source } from '../sessions/index.ts'
import type { TurnOutcome } from './turn/store.ts'

export interface ChatRequest {
  message: string
  /** Empty: a new session is made. */
  sessionId: string
  channel: ChannelName
  userId: string
  /** The platform that names the user by itself; undefined: the shop does. */
  platform?: ChannelName | undefined
  /** Of the customer's message: the same for a message that is sent again. Undefined: a new one is made. */
  messageId?: string | undefined
  /** The customer chose to speak with a person, whatever the words. */
  callsPerson?: boolean | undefined
}

/** How sure the knowledge base's answer was; null where it was not asked. */
export type Confidence = 'sure' | 'close' | 'none'

/** In this order: one `meta`, any number of `token`, then `done` or `error`. */
export type ChatEvent =
  | { type: 'meta'; traceId: string; sessionId: string; intent: Intent; sources: readonly Source[]; escalate: boolean }
  | { type: 'token'; content: string }
  | { type: 'done'; outcome: TurnOutcome }
  | { type: 'error'; error: unknown }
