import { Type } from 'typebox'
import { choice, freeText, nullable, Timestamp } from '../../../http/schemas.ts'
import { REPLY_LANGUAGES, type ReplyLanguage } from './types.ts'
import { VARIABLES } from './variables.ts'

const MAX_REPLY = 8_000

const Language = Type.Unsafe<ReplyLanguage>({ type: 'string', enum: [...REPLY_LANGUAGES] })
const Title = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
  examples: ['Where a parcel is'],
})
const Shortcut = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  description: 'Unique in its language',
  examples: ['parcel'],
})
const Content = freeText(MAX_REPLY, {
  minLength: 1,
  description: `May hold variables: ${VARIABLES.map((name) => `\`{{${name}}}\``).join(', ')}`,
})
const EXAMPLE = {
  title: 'Where a parcel is',
  content: 'Dear {{customer.name}}, your order {{order.id}} is on its way. {{agent.name}}',
  shortcut: 'parcel',
  language: 'en',
}

export const ReplyParams = Type.Object({ reply_id: Type.String({ minLength: 1, maxLength: 200 }) })

export const RepliesQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Words of title, shortcut or content', examples: ['parcel'] }),
  ),
  language: Type.Optional(Type.Unsafe<ReplyLanguage>({ ...Language, description: 'With those that fit any' })),
  before: Type.Optional(Type.String({ maxLength: 400, description: '`next_before` of the page before' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

export const NewReplyBody = Type.Object(
  {
    title: Title,
    content: Content,
    shortcut: Type.Optional(Shortcut),
    language: Type.Optional(Language),
    agent_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'With a key: who writes; of somebody who is logged in their own name',
      }),
    ),
  },
  { examples: [EXAMPLE] },
)

export const ReplyChangeBody = Type.Object(
  {
    title: Type.Optional(Title),
    content: Type.Optional(Content),
    shortcut: Type.Optional(Shortcut),
    language: Type.Optional(Language),
  },
  { examples: [{ content: EXAMPLE.content }] },
)

export const ReplyBody = Type.Object(
  {
    reply_id: Type.String(),
    title: Type.String(),
    content: Type.String(),
    shortcut: nullable(Type.String()),
    language: nullable(choice(REPLY_LANGUAGES)),
    variables: Type.Array(choice(VARIABLES)),
    author: Type.String(),
    uses: Type.Integer({ description: 'How often it was rendered' }),
    last_used_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    examples: [
      {
        reply_id: 'reply_5b1e77',
        ...EXAMPLE,
        variables: ['customer.name', 'order.id', 'agent.name'],
        author: 'li.na',
        uses: 3,
        last_used_at: '2026-01-31T09:30:00.000Z',
        created_at: '2026-01-30T09:30:00.000Z',
        updated_at: '2026-01-30T09:30:00.000Z',
      },
    ],
  },
)

export const RepliesBody = Type.Object({
  replies: Type.Array(ReplyBody),
  next_before: nullable(Type.String({ description: 'For the next page; null: this was the last' })),
})

export const RemovedReplyBody = Type.Object({ reply_id: Type.String(), deleted: Type.Boolean() })

export const RenderBody = Type.Object(
  {
    session_id: Type.String({ minLength: 1, maxLength: 200 }),
    order_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Left out: the one last spoken of, or the only one of the customer' }),
    ),
    agent_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'With a key: the name to sign with; people sign with theirs' }),
    ),
  },
  { examples: [{ session_id: 'sess_4f1c2a9be07d' }] },
)

export const RenderedBody = Type.Object({
  reply_id: Type.String(),
  session_id: Type.String(),
  text: Type.String({
    description: 'With personal values masked; variables without a value are left out',
    examples: ['Dear M** L**, your order #W3757459 is on its way. Li Na'],
  }),
  missing: Type.Array(choice(VARIABLES), { description: 'Variables that have no value here', examples: [[]] }),
})
