import { Type } from 'typebox'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'
import { INTENTS } from '../../language/understanding.ts'
import { AgentStatusText, CHANNELS, messageFields } from '../sessions/index.ts'
import { filterFields } from './filter-schemas.ts'
import { LabelBody } from './labels/schemas.ts'

export const ListQuery = Type.Object({
  ...filterFields,
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Words that one message must hold, in Chinese or English, or the id of a session or a customer',
      examples: ['refund'],
    }),
  ),
  unread: Type.Optional(Type.Boolean({ description: 'Those in which the reader has not read something' })),
  reader: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Whose marks count with a key; of somebody who is logged in their own',
    }),
  ),
  before: Type.Optional(Type.String({ maxLength: 400, description: '`next_before` of the page before' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  counts: Type.Optional(Type.Boolean({ default: false, description: 'With the numbers of an inbox’s tabs' })),
})

/** Of a conversation that waits what the customer said last: that somebody was called is the same in all of them. */
const LastMessage = Type.Object({
  message_id: Type.String(),
  role: messageFields.role,
  content: Type.String({ description: '200 characters at most; personal data of customers is masked' }),
  timestamp: Timestamp,
  agent_id: Type.Optional(Type.String()),
})

const Row = Type.Object({
  session_id: Type.String(),
  user_id: Type.String(),
  channel: choice(CHANNELS),
  agent_status: AgentStatusText,
  agent_id: nullable(Type.String()),
  priority: choice(['low', 'medium', 'high', 'urgent']),
  turn_count: Type.Integer(),
  intent: choice(INTENTS),
  created_at: Timestamp,
  updated_at: Timestamp,
  escalated_at: nullable(Timestamp),
  resolved_at: nullable(Timestamp),
  waiting_since: nullable(Timestamp),
  waiting_seconds: nullable(Type.Integer({ description: 'For a person, or for their answer' })),
  returns_at: nullable(
    Type.String({
      format: 'date-time',
      examples: ['2026-01-31T09:45:00.000Z'],
      description:
        'When the assistant has it again unless somebody takes it; null: it does not wait, or until a person comes',
    }),
  ),
  overdue: Type.Boolean({ description: 'Waits for longer than the target of its priority' }),
  unread: Type.Integer({ description: 'Messages of the customer that the reader has not read, 100 at most' }),
  labels: Type.Array(LabelBody),
  rating: nullable(Type.Integer({ description: 'Of the customer, 1 to 5, the last one' })),
  last_message: nullable(LastMessage),
  match: Type.Optional(
    nullable(
      Type.Object({
        message_id: Type.String(),
        role: messageFields.role,
        excerpt: Type.String({ description: 'Of the message, around what was searched for; masked' }),
        timestamp: Timestamp,
      }),
    ),
  ),
})

export const ListBody = Type.Object({
  sessions: Type.Array(Row),
  next_before: nullable(Type.String({ description: 'For the next page; null: this was the last' })),
  counts: Type.Optional(
    Type.Object({
      mine: Type.Integer({ description: 'That the reader has' }),
      waiting: Type.Integer(),
      assigned: Type.Integer(),
      all: Type.Integer({ description: '10,000 at most' }),
    }),
  ),
})

const Reader = Type.Optional(
  Type.String({ maxLength: 200, description: 'With a key: who reads; of somebody who is logged in their own name' }),
)

export const ReadBody = Type.Object(
  {
    message_id: Type.Optional(Type.String({ maxLength: 200, description: 'The last that was read; left out: all' })),
    agent_id: Reader,
  },
  { optional: true },
)

export const UnreadBody = Type.Object({ agent_id: Reader }, { optional: true })

export const ReadResult = Type.Object({ session_id: Type.String(), read: Type.Boolean() })
