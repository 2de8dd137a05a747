import { Type } from 'typebox'
import { ID_PATTERN } from '../../http/ids.ts'
import { choice, Timestamp } from '../../http/schemas.ts'
import { INTENTS } from '../../language/understanding.ts'

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

export const EventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', examples: ['42'], description: 'Resume after this event' }),
  ),
})
