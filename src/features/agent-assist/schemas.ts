import { Type } from 'typebox'
import { freeText, Timestamp } from '../../http/schemas.ts'

const MAX_MESSAGE = 8_000

export const SessionParams = Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 200 }) })

export const PendingQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 5_000, default: 1_000 }) })

const summaryFields = {
  session_id: Type.String(),
  user_id: Type.String(),
  channel: Type.String(),
  agent_status: Type.String({ description: '`pending`, `assigned`, `resolved`, or `none`: never handed over' }),
  priority: Type.String({ description: '`low`, `medium`, `high` or `urgent`' }),
  turn_count: Type.Integer(),
  created_at: Timestamp,
  escalated_at: Type.Union([Timestamp, Type.Null()]),
}

export const PendingList = Type.Array(Type.Object(summaryFields))

const MessageBody = Type.Object({
  message_id: Type.String(),
  role: Type.String({ description: '`user`, `assistant`, `agent` or `system`' }),
  content: Type.String({ description: 'Personal data of customers is masked' }),
  timestamp: Timestamp,
  intent: Type.Optional(Type.String()),
  sources: Type.Optional(Type.Array(Type.Object({ source: Type.String(), score: Type.Number() }))),
  interrupted: Type.Optional(Type.Boolean()),
  guest: Type.Optional(
    Type.Boolean({ description: 'Said by or to somebody who was not known to be the customer of the session' }),
  ),
  agent_id: Type.Optional(Type.String()),
  event: Type.Optional(Type.String({ description: 'Of a message of the system: what happened' })),
  delivery: Type.Optional(
    Type.Object(
      {
        state: Type.String({ description: '`waiting`, `sent` or `failed`' }),
        error: Type.Union([Type.String({ examples: ['wechat_unsubscribed'] }), Type.Null()]),
      },
      { description: 'Of a message that WeChat or DingTalk is sent by itself, for two days' },
    ),
  ),
})

const nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])

export const DetailBody = Type.Object({
  ...summaryFields,
  agent_id: nullable(Type.String()),
  intent: Type.String(),
  emotion_score: Type.Number(),
  failed_attempts: Type.Integer(),
  escalation_card: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
  history: Type.Array(MessageBody),
  updated_at: Timestamp,
  accepted_at: nullable(Timestamp),
  resolved_at: nullable(Timestamp),
  note: nullable(Type.String()),
})

export const AcceptBody = Type.Object({ agent_id: Type.Optional(Type.String({ maxLength: 200 })) }, { optional: true })

export const ResolveBody = Type.Object({ note: Type.Optional(freeText(2_000)) }, { optional: true })

export const TransitionBody = Type.Object({
  session_id: Type.String(),
  agent_status: Type.String(),
  agent_id: nullable(Type.String()),
  updated_at: Timestamp,
  note: nullable(Type.String()),
})

export const SayBody = Type.Object({ content: freeText(MAX_MESSAGE, { minLength: 1 }) })

export const SentBody = Type.Object({ message_id: Type.String(), timestamp: Timestamp, role: Type.String() })

export const RecommendBody = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 8_000 }),
    top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 5 })),
  },
  { examples: [{ query: 'How long is the warranty?', top_k: 5 }] },
)

export const RecommendResponse = Type.Object({
  chunks: Type.Array(
    Type.Object({
      content: Type.String(),
      score: Type.Number({ description: '0 to 1, comparable between queries' }),
      source: Type.String(),
      doc_id: Type.String(),
      version: Type.String(),
      question: Type.Union([Type.String(), Type.Null()]),
      heading_path: Type.Array(Type.String()),
      page: Type.Union([Type.Integer(), Type.Null()]),
      metadata: Type.Object({}, { additionalProperties: true }),
    }),
  ),
  total: Type.Integer(),
})

export const LookUpBody = Type.Object(
  { query: Type.String({ minLength: 1, maxLength: MAX_MESSAGE }) },
  { examples: [{ query: 'Where is order #W3757459?' }] },
)

export const LookUpResponse = Type.Object({
  result: Type.Object({
    reply: Type.String(),
    data: Type.Object({}, { additionalProperties: true }),
    error: nullable(Type.String()),
    need_confirmation: Type.Boolean({ description: 'Nothing is done before a yes in the same session' }),
    scene: Type.String({
      description: '`order_status`, `logistics`, `refund`, `cancel`, `exchange`, `address`, `account` or `none`',
    }),
  }),
  masked_fields: Type.Array(Type.String(), { examples: [['orders[0].email']] }),
})

export const SolutionSubmitBody = Type.Object({
  question: freeText(2_000, { minLength: 1 }),
  solution: freeText(20_000, { minLength: 1 }),
  intent: Type.Optional(freeText(100, { description: 'Empty: determined from the question' })),
})

export const SolutionRecord = Type.Object(
  {
    solution_id: Type.String(),
    session_id: Type.String(),
    question: Type.String(),
    solution: Type.String(),
    intent: Type.String(),
    status: Type.String({ description: '`pending`' }),
    created_at: Timestamp,
  },
  { additionalProperties: true },
)

export const EventsQuery = Type.Object({
  agent_id: Type.Optional(
    Type.String({ maxLength: 200, description: "Leaves out what is said in other people's sessions" }),
  ),
})

export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', examples: ['42'], description: 'Resume after this event' }),
  ),
})
