import { Type } from 'typebox'
import { choice, Timestamp } from '../../http/schemas.ts'
import { UserId } from '../sessions/index.ts'
import { PRESENCE_STATES, type PresenceState } from './types.ts'

const AgentId = Type.Optional(
  Type.String({ maxLength: 200, description: 'With a key: who; of somebody who is logged in their own name' }),
)

export const AgentTypingBody = Type.Object({ agent_id: AgentId }, { optional: true })
export const CustomerTypingBody = Type.Object({ user_id: Type.Optional(UserId) }, { optional: true })
export const TypingResult = Type.Object({ session_id: Type.String() })

export const PresenceBody = Type.Object({
  state: Type.Unsafe<PresenceState>({ type: 'string', enum: [...PRESENCE_STATES] }),
  agent_id: AgentId,
})

export const PresenceList = Type.Object({
  people: Type.Array(
    Type.Object({
      agent_id: Type.String(),
      state: choice(PRESENCE_STATES, { description: '`offline` also where nothing was heard for a minute' }),
      seen_at: Timestamp,
      open_sessions: Type.Integer({ description: 'Conversations that the person has' }),
    }),
  ),
})

export const PresenceResult = Type.Object({ agent_id: Type.String(), state: choice(PRESENCE_STATES) })
