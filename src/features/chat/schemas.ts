import { Type } from 'typebox'
import { ID_PATTERN } from '../../http/ids.ts'
import { periodFields } from '../../http/period.ts'
import { ClosingEvent, choice, nullable, Timestamp } from '../../http/schemas.ts'
import { INTENTS } from '../../language/understanding.ts'
import { AgentStatusText, CardBody, GIVEN_CHANNELS, HANDOFF_EVENTS, messageFields, UserId } from '../sessions/index.ts'

export const ChatRequestBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 8_000 }),
    session_id: Type.Optional(
      Type.String({ maxLength: 200, pattern: ID_PATTERN, description: 'Empty: a new session is made' }),
    ),
    channel: Type.Optional(Type.Enum([...GIVEN_CHANNELS], { default: 'web' })),
    user_id: Type.Optional(UserId),
  },
  { examples: [{ message: 'What is the return window?', channel: 'web', user_id: 'customer-1' }] },
)

const SourceBody = Type.Object({
  source: Type.String({
    description: 'The file that the answer is from; the question, where a person had answered it',
  }),
  score: Type.Number(),
  doc_id: Type.String(),
  version: Type.String(),
  title: Type.String(),
  solution_id: Type.Optional(Type.String({ description: 'Of an approved answer of a person' })),
  url: Type.Optional(Type.String({ description: 'Where people can read it, where that is known' })),
})

export const ChatResponseBody = Type.Object({
  session_id: Type.String(),
  reply: Type.String(),
  status: choice(['ok']),
  data: Type.Object({
    intent: choice(INTENTS),
    sources: Type.Array(SourceBody),
    suggestions: Type.Array(
      Type.Object({
        title: Type.String(),
        source: Type.String(),
        doc_id: Type.String(),
        url: Type.Optional(Type.String()),
      }),
      { description: 'Documents to choose from, as they are numbered in the reply; empty where the answer is sure' },
    ),
    escalate_to_human: Type.Boolean(),
    escalation_card: CardBody,
    turn_count: Type.Integer(),
    failed_attempts: Type.Integer(),
    emotion_score: Type.Number(),
    sub_tasks: Type.Array(
      Type.Object({
        task_id: Type.String(),
        question: Type.String(),
        agent: Type.String(),
        intent: choice(INTENTS),
        status: choice(['done', 'failed', 'skipped']),
        answer: Type.String(),
        sources: Type.Array(SourceBody),
      }),
    ),
    message_id: Type.String(),
    mode: choice(['extractive', 'model', 'fallback', 'notice', 'cached'], {
      description: '`fallback`: the model failed',
    }),
    trace_id: Type.String({ description: 'Under which the turn is found at `/monitor/traces`' }),
  }),
})

export const MessagesQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: 200, description: 'message_id after which to start' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
  user_id: Type.Optional(UserId),
})

export const EventsQuery = Type.Object({ user_id: Type.Optional(UserId) })

const MessageBody = Type.Object({
  ...messageFields,
  content: Type.String(),
  sources: Type.Optional(Type.Array(SourceBody)),
})

export const MessagesBody = Type.Object({
  session_id: Type.String(),
  agent_status: AgentStatusText,
  messages: Type.Array(MessageBody),
})

export const FeedbackBody = Type.Object(
  {
    message_id: Type.String({ minLength: 1, maxLength: 200 }),
    rating: Type.Enum(['up', 'down']),
    comment: Type.Optional(Type.String({ maxLength: 2_000 })),
    user_id: Type.Optional(UserId),
  },
  { examples: [{ message_id: 'msg_1', rating: 'up' }] },
)

export const FeedbackQuery = Type.Object({
  rating: Type.Optional(Type.Enum(['up', 'down'])),
  session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  ...periodFields,
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.String({ maxLength: 500, description: '`next` of the page before', examples: ['1769851800000_msg_81d3f0c2'] }),
  ),
})

export const FeedbackList = Type.Object({
  feedback: Type.Array(
    Type.Object({
      message_id: Type.String({ description: 'The reply' }),
      session_id: Type.String(),
      rating: Type.Enum(['up', 'down']),
      comment: nullable(Type.String({ examples: ['Not what I asked'] })),
      rated_at: Timestamp,
      question: nullable(Type.String({ description: 'What the customer had said last before the reply' })),
      reply: Type.String(),
      role: choice(['assistant', 'agent', 'system']),
      intent: nullable(Type.String()),
      sources: Type.Array(SourceBody),
      trace_id: nullable(Type.String({ description: 'Null: a person wrote it, or it is of an earlier release' })),
      agent_id: nullable(Type.String({ description: 'Of the person who wrote it' })),
    }),
  ),
  next: nullable(Type.String({ description: 'For `before`; null: this is the last page' })),
})

export const FeedbackResult = Type.Object({ message_id: Type.String(), rating: choice(['up', 'down']) })

/** Data of the events of a reply: `meta`, tokens, then `done` or `error`. */
export const ReplyEvents = {
  meta: Type.Object({
    intent: choice(INTENTS),
    sources: Type.Array(SourceBody),
    escalate: Type.Boolean(),
    session_id: Type.String(),
    trace_id: Type.String(),
  }),
  token: Type.Object({ content: Type.String() }),
  done: Type.Object({
    turn_count: Type.Integer(),
    escalate: Type.Boolean(),
    answer: Type.String({ description: 'The whole reply; it may correct what the tokens said' }),
    session_id: Type.String(),
    trace_id: Type.String(),
    data: ChatResponseBody.properties.data,
  }),
  error: Type.Object({ message: Type.String() }),
}

const SESSION_EVENTS = ['message', 'notice', ...HANDOFF_EVENTS] as const

/** Data of the events of a session as its customer follows them. Those without an id matter for a moment. */
export const SessionEvents = {
  ...(Object.fromEntries(SESSION_EVENTS.map((name) => [name, MessageBody])) as Record<
    (typeof SESSION_EVENTS)[number],
    typeof MessageBody
  >),
  typing: Type.Object({ session_id: Type.String(), role: choice(['agent']), expires_at: Timestamp }),
  read: Type.Object({ session_id: Type.String(), role: choice(['agent']) }),
  closing: ClosingEvent,
}
