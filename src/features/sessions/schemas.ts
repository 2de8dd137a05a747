import { Type } from 'typebox'
import { ID_PATTERN } from '../../http/ids.ts'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'
import { INTENTS } from '../../language/understanding.ts'
import { CHANNELS, ESCALATION_REASONS, PRIORITIES } from './types.ts'

/** Compared exactly, but for blanks around it. */
export const UserId = Type.String({
  maxLength: 200,
  pattern: ID_PATTERN,
  description:
    'Who speaks. With each message: a session whose id the caller chose shows nothing of its customer without it',
})

export const SessionParams = Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 200 }) })

/** Of a message, whoever reads it. */
export const messageFields = {
  message_id: Type.String(),
  role: choice(['user', 'assistant', 'agent', 'system']),
  timestamp: Timestamp,
  intent: Type.Optional(choice(INTENTS)),
  interrupted: Type.Optional(Type.Boolean()),
  trace_id: Type.Optional(Type.String({ description: 'Of a reply: its turn under `/monitor/traces`' })),
}

export const AgentStatusText = choice(['pending', 'assigned', 'resolved', 'none'], {
  description: '`none`: never handed over',
})

const CardSources = Type.Array(Type.Object({ source: Type.String(), score: Type.Number() }))

/** The card of a call for a person, as the chat and the desk show it; null: nobody was called. Masked. */
export const CardBody = nullable(
  Type.Object(
    {
      session_id: Type.String(),
      user_id: Type.String(),
      channel: choice(CHANNELS),
      reason: choice(ESCALATION_REASONS, { description: 'The first that held' }),
      reason_detail: Type.String({ description: 'All that held' }),
      priority: choice(PRIORITIES),
      intent: choice(INTENTS),
      customer_request: Type.String(),
      summary: Type.Array(Type.String()),
      open_questions: Type.Array(Type.String()),
      attempted_answers: Type.Array(
        Type.Object({ question: Type.String(), answer: Type.String(), sources: CardSources }),
      ),
      sources: CardSources,
      entities: Type.Object({}, { additionalProperties: true }),
      emotion_score: Type.Number(),
      failed_attempts: Type.Integer(),
      turn_count: Type.Integer(),
      suggested_reply: Type.String(),
      created_at: Timestamp,
    },
    { additionalProperties: true },
  ),
)

export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', examples: ['42'], description: 'Resume after this event' }),
  ),
})
