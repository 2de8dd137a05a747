/** Events that receivers may be told of. */
export const EVENT_TYPES = [
  'conversation.waiting',
  'conversation.assigned',
  'conversation.resolved',
  'conversation.returned',
  'conversation.rated',
  'gap.found',
  'solution.approved',
  'alert.fired',
  'alert.resolved',
] as const
/** Told on request alone, to try a receiver. */
export const TEST_EVENT = 'test'

export const DELIVERY_STATES = ['waiting', 'sent', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A receiver: a program elsewhere that is told what happens here. */
export interface Webhook {
  webhookId: string
  url: string
  description: string
  /** Types of events; `*` for all. */
  events: string[]
  isActive: boolean
  /** In a row. */
  failures: number
  failingSince: Date | null
  /** Nothing is sent before, as the last ones failed. */
  pausedUntil: Date | null
  /** Null: nobody, or a person, switched it off. */
  disabledReason: string | null
  createdAt: Date
  updatedAt: Date
}

export interface WebhookSecrets {
  secret: string
  previousSecret: string | null
  previousSecretUntil: Date | null
}
export type StoredWebhook = Webhook & WebhookSecrets

/** An event on its way to a receiver, or that was. */
export interface Delivery {
  deliveryId: number
  webhookId: string
  eventId: string
  type: string
  state: DeliveryState
  attempts: number
  nextAttemptAt: Date
  finishedAt: Date | null
  createdAt: Date
  /** Of the last attempt; null: there was no answer, or no attempt. */
  lastStatus: number | null
  lastError: string | null
}

export interface Attempt {
  attemptedAt: Date
  durationMs: number
  status: number | null
  error: string | null
  /** The beginning of what was answered. */
  answer: string
}

/** An event as it is sent. */
export interface WebhookEvent {
  eventId: string
  seq: number
  type: string
  data: object
  createdAt: Date
}

/** A delivery that this process has taken. */
export interface Claimed extends WebhookEvent {
  deliveryId: number
  webhookId: string
  attempts: number
  queuedAt: Date
}
