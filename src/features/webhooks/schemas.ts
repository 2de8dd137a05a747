import { Type } from 'typebox'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'
import { DELIVERY_STATES, EVENT_TYPES, TEST_EVENT } from './types.ts'

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'https, or http; private addresses only where `WEBHOOK_HOSTS` names them',
  examples: ['https://tools.example/frontdesk'],
})
const Events = Type.Array(Type.Enum(['*', ...EVENT_TYPES]), {
  minItems: 1,
  uniqueItems: true,
  description: '`*` for all, later ones too',
  examples: [['conversation.waiting', 'conversation.resolved']],
})
const Description = Type.String({ maxLength: 500, examples: ['Tells the team chat'] })
const Secret = Type.String({
  maxLength: 200,
  description: '24 to 64 bytes in base64, `whsec_` before them or not; left out: one is made',
})

export const NewWebhookBody = Type.Object({
  url: Url,
  events: Events,
  description: Type.Optional(Description),
  is_active: Type.Optional(Type.Boolean({ default: true })),
  secret: Type.Optional(Secret),
})
export const ChangeWebhookBody = Type.Object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  description: Type.Optional(Description),
  is_active: Type.Optional(Type.Boolean()),
})

export const WebhookBody = Type.Object({
  webhook_id: Type.String(),
  url: Type.String(),
  events: Type.Array(choice(['*', ...EVENT_TYPES])),
  description: Type.String(),
  is_active: Type.Boolean(),
  failures: Type.Integer({ description: 'In a row' }),
  failing_since: nullable(Timestamp),
  paused_until: nullable(Timestamp),
  disabled_reason: nullable(Type.String({ description: 'Why it was switched off by itself' })),
  previous_secret_until: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export const SecretWebhookBody = Type.Object({
  ...WebhookBody.properties,
  secret: Type.String({ description: 'Signs what is sent. Shown this once', examples: ['whsec_Zm9v'] }),
})
export const WebhookList = Type.Object({ webhooks: Type.Array(WebhookBody) })
export const WebhookParams = Type.Object({ webhook_id: Type.String({ minLength: 1, maxLength: 100 }) })
export const DeliveryParams = Type.Object({
  ...WebhookParams.properties,
  delivery_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})

export const RotateBody = Type.Object({
  grace_hours: Type.Integer({
    minimum: 0,
    maximum: 720,
    default: 24,
    description: 'For so long both secrets sign',
  }),
  secret: Type.Optional(Secret),
})

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(Type.Enum([...DELIVERY_STATES])),
  type: Type.Optional(Type.Enum([TEST_EVENT, ...EVENT_TYPES])),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: '`next` of the page before' }),
  ),
})

export const DeliveryBody = Type.Object({
  delivery_id: Type.Integer(),
  event_id: Type.String({ description: 'Sent as `webhook-id`, the same with every attempt' }),
  type: choice([TEST_EVENT, ...EVENT_TYPES]),
  state: choice(DELIVERY_STATES),
  attempts: Type.Integer(),
  next_attempt_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
  created_at: Timestamp,
  last_status: nullable(Type.Integer({ description: 'Null: there was no answer' })),
  last_error: nullable(Type.String()),
})
export const DeliveryList = Type.Object({
  deliveries: Type.Array(DeliveryBody),
  next: nullable(Type.Integer({ description: 'For `before`; null: this is the last page' })),
})
export const DeliveryDetail = Type.Object({
  ...DeliveryBody.properties,
  body: Type.String({ description: 'As it is sent' }),
  tries: Type.Array(
    Type.Object({
      attempted_at: Timestamp,
      duration_ms: Type.Integer(),
      status: nullable(Type.Integer()),
      error: nullable(Type.String()),
      answer: Type.String({ description: 'The beginning of what was answered' }),
    }),
  ),
})

export const ReplayBody = Type.Object({ since: Timestamp }, { examples: [{ since: '2026-01-31T09:30:00.000Z' }] })
export const ReplayedBody = Type.Object({ replayed: Type.Integer() })
