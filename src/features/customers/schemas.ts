import { Type } from 'typebox'
import { Timestamp } from '../../http/schemas.ts'

export const CustomerParams = Type.Object({
  user_id: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Exactly as it was sent' }),
})

export const EraseQuery = Type.Object({
  records: Type.Boolean({
    default: true,
    description: 'false: the imported account and orders stay, for shops that keep their books here',
  }),
})

const Counts = Type.Record(Type.String(), Type.Integer(), {
  description: 'Rows that were erased, by kind; 0 where there was nothing',
  examples: [{ sessions: 2, messages: 14, traces: 7, orders: 3 }],
})

const Common = {
  erasure_id: Type.String({ examples: ['erasure_01JQ3'] }),
  subject: Type.String({
    description: 'Digest of the user id: the same for the same customer',
    examples: ['9f86d081884c'],
  }),
  state: Type.Enum(['started', 'finished'], { description: 'started: it goes on by itself' }),
  records: Type.Boolean({ description: 'The imported account and orders were erased, too' }),
  requested_by: Type.String({ description: 'Name of the key; empty without keys', examples: ['api_key'] }),
  erased: Counts,
  started_at: Timestamp,
  finished_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    examples: ['2026-01-31T09:30:02.000Z'],
  }),
}

export const ErasureBody = Type.Object(Common)

export const ErasuresQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Erasures of this customer alone' })),
})

export const ErasuresBody = Type.Object({
  items: Type.Array(ErasureBody),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
})

const rows = (description: string) =>
  Type.Array(Type.Record(Type.String(), Type.Unknown(), { examples: [{}] }), { description, examples: [[]] })

export const ExportBody = Type.Object(
  {
    user_id: Type.String(),
    exported_at: Timestamp,
    sessions: rows('Conversations, with escalation cards, notes and what the next turn would know'),
    messages: rows('What was said, by session and in order'),
    feedback: rows('Ratings of replies'),
    traces: rows('How turns were answered'),
    tickets: rows('Made of conversations that a person resolved'),
    solutions: rows('Answers of people that were handed in from these conversations'),
    deliveries: rows('What was sent by a channel lately'),
    channel_addresses: rows('Where a channel reaches the customer'),
    customers: rows('The imported account'),
    orders: rows('The imported orders'),
    channel_links: rows('What channels call the customer'),
    changes: rows('Changes of orders and account that were made on request'),
    channel_messages: rows('What came in by a channel lately, with its answer'),
    complete: Type.Boolean({ description: 'Comes last: without it the text was cut off', examples: [true] }),
  },
  { description: 'Rows as they are stored' },
)
