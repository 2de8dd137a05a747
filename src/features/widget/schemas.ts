import { type Static, Type } from 'typebox'
import { ClosingEvent, choice, nullable, Timestamp } from '../../http/schemas.ts'
import { HANDOFF_EVENTS } from '../sessions/index.ts'

const PublicKey = Type.String({ minLength: 1, maxLength: 100, examples: ['pk_J0q1nVYw9b3kH2c7TtR5xZ8a'] })
const bilingual = (maxLength: number, description: string) =>
  Type.Object(
    { zh: Type.String({ maxLength, default: '' }), en: Type.String({ maxLength, default: '' }) },
    { description, additionalProperties: false },
  )
const starters = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 6, default: [] })

export const SettingsBody = Type.Object(
  {
    title: bilingual(60, 'Of its window; empty: the name of the assistant'),
    greeting: bilingual(500, 'Before the first message; empty: the usual one'),
    starters: Type.Object(
      { zh: starters, en: starters },
      { description: 'Questions to begin with', additionalProperties: false },
    ),
    notice: bilingual(300, 'Below the field where customers write; `[words](https://…)` is a link'),
    colour: Type.String({ pattern: '^(#[0-9a-fA-F]{6})?$', examples: ['#1f6feb'] }),
    position: Type.Enum(['right', 'left']),
    languages: Type.Array(Type.Enum(['zh', 'en']), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
    }),
    shows_sources: Type.Boolean(),
    allows_attachments: Type.Boolean(),
    offers_person: Type.Boolean({ description: 'Whether there is a button that calls a person' }),
    asks_for_rating: Type.Boolean(),
    requires_identity: Type.Boolean({
      description: "Only customers whom the shop's server has signed may write",
    }),
  },
  { additionalProperties: false },
)

const SomeSettings = Type.Optional(Type.Partial(SettingsBody, { additionalProperties: false }))

const Origins = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Of the pages that may use it: scheme, name and port; `*.` stands for every name below',
  examples: [['https://shop.example', 'https://*.shop.example']],
})
const Name = Type.String({ minLength: 1, maxLength: 100, examples: ['Shop'] })

export const NewWidgetBody = Type.Object({
  name: Name,
  allowed_origins: Origins,
  settings: SomeSettings,
})

export const ChangeWidgetBody = Type.Object({
  name: Type.Optional(Name),
  allowed_origins: Type.Optional(Origins),
  settings: SomeSettings,
})

export const WidgetBody = Type.Object({
  widget_id: Type.String(),
  name: Type.String(),
  key: Type.String({ description: 'The public key, for pages' }),
  previous_key: nullable(Type.String({ description: 'Still taken for a while' })),
  previous_key_until: nullable(Timestamp),
  allowed_origins: Type.Array(Type.String()),
  settings: SettingsBody,
  created_at: Timestamp,
  updated_at: Timestamp,
  revoked_at: nullable(Timestamp),
})

const IdentitySecret = Type.String({
  description: "Signs the words of the shop's server about who a customer is. Shown this once",
  examples: ['ws_4Kc0mC1u7WqUJpDq2vJm4w'],
})
export const NewWidgetResult = Type.Object({ ...WidgetBody.properties, identity_secret: IdentitySecret })
export const WidgetList = Type.Object({ widgets: Type.Array(WidgetBody) })
export const WidgetParams = Type.Object({ widget_id: Type.String({ minLength: 1, maxLength: 100 }) })
export const GraceBody = Type.Object({
  grace_hours: Type.Integer({
    minimum: 0,
    maximum: 720,
    default: 24,
    description: 'For how long the one before is taken',
  }),
})

const openness = {
  open_now: nullable(Type.Boolean({ description: 'Null: no hours are set' })),
  next_open: nullable(Timestamp),
  somebody_there: Type.Boolean({ description: 'Somebody at the desk has said that they are there' }),
}

export const StateBody = Type.Object({
  status: choice(['assistant', 'waiting', 'person', 'resolved']),
  agent_name: nullable(Type.String({ description: 'Of the person who has the conversation' })),
  place: nullable(Type.Integer({ minimum: 1, description: 'Among those that wait for a person' })),
  ...openness,
  can_rate: Type.Boolean(),
})

export const KeyQuery = Type.Object({ key: PublicKey })
export const PublicSettings = Type.Object({
  ...SettingsBody.properties,
  max_file_mb: Type.Integer(),
  ...openness,
})

export const BeginBody = Type.Object({
  key: PublicKey,
  identity: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4_000,
      description:
        "A JWT of the shop's server, signed by HS256 with the widget's secret: `sub` names the customer, `exp` is within a " +
        'day; `name`, `email`; a `jti` counts once',
    }),
  ),
  token: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000, description: 'Of the session that may go on' })),
})
export const BegunBody = Type.Object({
  token: Type.String({ description: 'For `Authorization: Bearer`, of this session alone' }),
  expires_at: Timestamp,
  identified: Type.Boolean(),
  name: nullable(Type.String()),
  goes_on: Type.Boolean({ description: 'It is the session of the token that was sent' }),
  state: StateBody,
})

const Message = Type.String({ minLength: 1, maxLength: 4_000 })
export const SayBody = Type.Object({ message: Message }, { examples: [{ message: 'What is the return window?' }] })

const SourceBody = Type.Object({
  title: Type.String({ description: 'Of the document, or the question that it answers' }),
  excerpt: nullable(Type.String({ description: 'The beginning of the passage' })),
  url: nullable(Type.String({ description: 'The original, where it can be read' })),
})

export const ReplyBody = Type.Object({
  message_id: Type.String({ description: 'Of what the customer said' }),
  reply_id: nullable(Type.String({ description: 'For feedback; null: a notice, which is not kept' })),
  reply: Type.String(),
  sources: Type.Array(SourceBody),
  choices: Type.Array(Type.String(), { description: 'Messages that may be said next by a touch' }),
  state: StateBody,
})

export const ReplyEvents = {
  start: Type.Object({ message_id: Type.String() }),
  token: Type.Object({ content: Type.String() }),
  done: ReplyBody,
  error: Type.Object({ message: Type.String() }),
}

export const MessageBody = Type.Object({
  message_id: Type.String(),
  role: choice(['user', 'assistant', 'agent', 'system']),
  content: Type.String(),
  timestamp: Timestamp,
  event: nullable(choice(['notice', ...HANDOFF_EVENTS], { description: 'Of a message of the system' })),
  agent_name: nullable(Type.String()),
  sources: Type.Array(SourceBody),
  attachment: nullable(
    Type.Object({
      file_name: Type.String(),
      media_type: Type.String(),
      size: Type.Integer(),
      url: Type.String({ description: 'Opens the file for an hour; relative to this service' }),
    }),
  ),
  rating: nullable(choice(['up', 'down'])),
})

export const MessagesQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 200, description: 'message_id after which to start' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
})
export const MessagesBody = Type.Object({ messages: Type.Array(MessageBody), state: StateBody })

export const LiveEvents = {
  message: MessageBody,
  typing: Type.Object({ expires_at: Timestamp }),
  read: Type.Object({}),
  closing: ClosingEvent,
}

export const FileForm = Type.Object({ file: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) })

export const FeedbackBody = Type.Object({
  message_id: Type.String({ minLength: 1, maxLength: 200 }),
  rating: Type.Enum(['up', 'down']),
  comment: Type.Optional(Type.String({ maxLength: 2_000 })),
})
export const RatingBody = Type.Object({
  score: Type.Integer({ minimum: 1, maximum: 5 }),
  comment: Type.Optional(Type.String({ maxLength: 2_000 })),
})
export const DoneBody = Type.Object({ state: StateBody })

const Language = Type.Optional(Type.Enum(['zh', 'en'], { description: 'Of the words where no message is given' }))
export const CallBody = Type.Object({ message: Type.Optional(Message), language: Language })
export const OfflineBody = Type.Object(
  {
    message: Message,
    name: Type.Optional(Type.String({ maxLength: 100 })),
    email: Type.Optional(Type.String({ maxLength: 200, format: 'email' })),
    phone: Type.Optional(Type.String({ maxLength: 40, pattern: '^\\+?[0-9 ()./-]{5,40}$' })),
    language: Language,
  },
  { examples: [{ message: 'My parcel has not come', email: 'li@example.com', language: 'en' }] },
)
export type Settings = Static<typeof SettingsBody>
