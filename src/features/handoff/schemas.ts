import { Type } from 'typebox'
import { ClosingEvent, choice, freeText, nullable, Timestamp } from '../../http/schemas.ts'
import { INTENTS } from '../../language/understanding.ts'
import {
  AgentStatusText,
  CardBody,
  CHANNELS,
  HANDOFF_EVENTS,
  type HandoffEvent,
  messageFields,
  UserId,
} from '../sessions/index.ts'
import { ESCALATION_REASONS } from './reasons.ts'

const MAX_MESSAGE = 8_000

export const PendingQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 5_000, default: 1_000 }) })

const summaryFields = {
  session_id: Type.String(),
  user_id: Type.String(),
  channel: choice(CHANNELS),
  agent_status: AgentStatusText,
  priority: choice(['low', 'medium', 'high', 'urgent']),
  turn_count: Type.Integer(),
  created_at: Timestamp,
  escalated_at: nullable(Timestamp),
}

export const PendingList = Type.Array(Type.Object(summaryFields))

const MessageBody = Type.Object({
  ...messageFields,
  content: Type.String({ description: 'Personal data of customers is masked' }),
  sources: Type.Optional(Type.Array(Type.Object({ source: Type.String(), score: Type.Number() }))),
  guest: Type.Optional(
    Type.Boolean({ description: 'Said by or to somebody who was not known to be the customer of the session' }),
  ),
  agent_id: Type.Optional(Type.String()),
  event: Type.Optional(
    Type.Unsafe<HandoffEvent>({
      type: 'string',
      enum: [...HANDOFF_EVENTS],
      description: 'Of a message of the system: what happened',
    }),
  ),
  from_agent_id: Type.Optional(Type.String({ description: 'Who had the session before it went to others' })),
  note: Type.Optional(Type.String({ description: 'Of a transfer or release, for colleagues alone' })),
  delivery: Type.Optional(
    Type.Object(
      {
        state: choice(['waiting', 'sent', 'failed']),
        error: nullable(Type.String({ examples: ['wechat_unsubscribed'] })),
      },
      { description: 'Of a message that WeChat or DingTalk is sent by itself, for two days' },
    ),
  ),
})

export const DetailBody = Type.Object({
  ...summaryFields,
  agent_id: nullable(Type.String()),
  intent: choice(INTENTS),
  emotion_score: Type.Number(),
  failed_attempts: Type.Integer(),
  escalation_card: CardBody,
  contact: nullable(
    Type.Object(
      {
        name: nullable(Type.String()),
        email: nullable(Type.String()),
        phone: nullable(Type.String()),
        verified: Type.Boolean({ description: "The shop's server has said so, and not the customer" }),
      },
      { description: 'Where the customer asked to be reached; null: nothing was said of it' },
    ),
  ),
  history: Type.Array(MessageBody),
  updated_at: Timestamp,
  accepted_at: nullable(Timestamp),
  resolved_at: nullable(Timestamp),
  note: nullable(Type.String()),
})

export const CancelBody = Type.Object({ user_id: Type.Optional(UserId) }, { optional: true })

export const CancelResult = Type.Object({
  session_id: Type.String(),
  agent_status: choice(['none'], { description: '`none`: the assistant goes on', examples: ['none'] }),
  updated_at: Timestamp,
})

export const AcceptBody = Type.Object({ agent_id: Type.Optional(Type.String({ maxLength: 200 })) }, { optional: true })

const AgentId = Type.String({
  maxLength: 200,
  description: 'Who takes it; of somebody who is logged in their own name',
})
const Note = Type.Optional(freeText(2_000, { description: 'For colleagues; the customer never sees it' }))

export const TakeBody = Type.Object(
  {
    agent_id: Type.Optional(AgentId),
    force: Type.Optional(
      Type.Boolean({ default: false, description: 'Also from the person who has it: for admins, and with the key' }),
    ),
  },
  { optional: true },
)

export const TransferBody = Type.Object(
  {
    agent_id: Type.String({ minLength: 1, maxLength: 200, description: 'The colleague who has it from now on' }),
    note: Note,
  },
  { examples: [{ agent_id: 'li.na', note: 'Knows the warehouse' }] },
)

const RELEASE_TO = ['queue', 'assistant'] as const

export const ReleaseBody = Type.Object(
  {
    to: Type.Optional(
      Type.Unsafe<(typeof RELEASE_TO)[number]>({
        type: 'string',
        enum: [...RELEASE_TO],
        default: 'queue',
        description:
          '`queue`: waits for the next person, before those whom nobody has served yet; `assistant`: it goes on',
      }),
    ),
    note: Note,
  },
  { optional: true },
)

export const ResolveBody = Type.Object({ note: Type.Optional(freeText(2_000)) }, { optional: true })

export const TransitionBody = Type.Object({
  session_id: Type.String(),
  agent_status: AgentStatusText,
  agent_id: nullable(Type.String()),
  updated_at: Timestamp,
  note: nullable(Type.String()),
})

export const WriteBody = Type.Object({ content: freeText(MAX_MESSAGE, { minLength: 1 }) })

export const SentBody = Type.Object({ message_id: Type.String(), timestamp: Timestamp, role: choice(['agent']) })

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
      question: nullable(Type.String()),
      heading_path: Type.Array(Type.String()),
      page: nullable(Type.Integer()),
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
    scene: choice(['order_status', 'logistics', 'refund', 'cancel', 'exchange', 'address', 'account', 'none']),
  }),
  masked_fields: Type.Array(Type.String(), { examples: [['orders[0].email']] }),
})

const SCOPES = ['desk', 'all'] as const

export const EventsQuery = Type.Object({
  agent_id: Type.Optional(
    Type.String({ maxLength: 200, description: "Leaves out what is said in other people's sessions" }),
  ),
  scope: Type.Optional(
    Type.Unsafe<(typeof SCOPES)[number]>({
      type: 'string',
      enum: [...SCOPES],
      default: 'desk',
      description: '`all`: conversations of the assistant are told of, too, as `activity`, each once a second at most',
    }),
  ),
})

const Told = Type.Object({
  ...summaryFields,
  agent_id: nullable(Type.String()),
  reason: Type.Optional(choice(ESCALATION_REASONS)),
  message: MessageBody,
})
const SessionId = Type.String({ examples: ['sess_4f1c2a9be07d'] })

/** Data of the events of the workspace. Those that change a state, messages and nothing else have an id to resume after. */
export const WorkspaceEvents = {
  session_pending: Told,
  session_assigned: Told,
  session_resolved: Told,
  session_returned: Told,
  session_cancelled: Told,
  message: Told,
  delivery_failed: Told,
  activity: Type.Object({ ...summaryFields, message: MessageBody }),
  typing: Type.Object({
    session_id: SessionId,
    role: choice(['user', 'agent']),
    agent_id: Type.Optional(Type.String()),
    expires_at: Timestamp,
  }),
  read: Type.Object({ session_id: SessionId, role: choice(['agent']), agent_id: Type.Optional(Type.String()) }),
  presence: Type.Object({ agent_id: Type.String(), state: choice(['online', 'away', 'offline']) }),
  note: Type.Object({
    ...summaryFields,
    agent_id: nullable(Type.String()),
    change: choice(['added', 'changed', 'removed']),
    note_id: Type.String(),
    note: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'As the list of notes has it' })),
  }),
  labels: Type.Object({
    ...summaryFields,
    agent_id: nullable(Type.String()),
    labels: Type.Array(Type.Object({ label_id: Type.String(), name: Type.String(), colour: Type.String() })),
  }),
  rated: Type.Object({
    ...summaryFields,
    agent_id: nullable(Type.String()),
    rating: Type.Object(
      { score: Type.Integer() },
      { additionalProperties: true, description: 'As `/agent/ratings` has it' },
    ),
  }),
  closing: ClosingEvent,
}
