import { Type } from 'typebox'
import { Moment } from '../../../http/period.ts'
import { choice, freeText, nullable, Timestamp } from '../../../http/schemas.ts'
import { ALERT_STATES, LEVELS } from './types.ts'

const StateText = Type.Enum([...ALERT_STATES], {
  description: 'Silenced before acknowledged: what is both is `silenced`',
  examples: ['firing'],
})

export const AlertsQuery = Type.Object({
  level: Type.Optional(Type.Enum([...LEVELS])),
  source: Type.Optional(Type.String({ maxLength: 200, examples: ['circuit_breaker'] })),
  state: Type.Optional(StateText),
  since: Moment('ISO 8601; alerts last seen at or after it'),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 200 }),
})

const By = nullable(Type.String({ description: 'A person, a key, or what the request said', examples: ['li.na'] }))
const Note = nullable(Type.String({ examples: ['The supplier is at it'] }))

export const AlertBody = Type.Object({
  alert_id: Type.String(),
  state: StateText,
  level: choice([...LEVELS], { examples: ['error'] }),
  source: Type.String({ examples: ['circuit_breaker'] }),
  message: Type.String({ examples: ['llm fails and is left alone for a while'] }),
  details: Type.Object({}, { additionalProperties: true }),
  fingerprint: Type.String({ description: 'The same trouble has the same one', examples: ['breaker:llm'] }),
  count: Type.Integer({ description: 'How often it was found' }),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  resolved_at: nullable(Timestamp),
  acknowledged: nullable(Type.Object({ at: Timestamp, by: By, note: Note })),
  silenced: nullable(Type.Object({ at: Timestamp, by: By, note: Note, until: Timestamp })),
})
export const AlertsBody = Type.Array(AlertBody)

export const AlertParams = Type.Object({
  alert_id: Type.String({ minLength: 1, maxLength: 200, examples: ['alert_1'] }),
})

const given = {
  note: Type.Optional(freeText(1_000)),
  agent_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Who does it; whoever is logged in counts instead' }),
  ),
}

export const AcknowledgeBody = Type.Object(given, { optional: true, examples: [{ note: 'I call the supplier' }] })

export const SilenceBody = Type.Object(
  {
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 43_200 })),
    until: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601, instead of `minutes`' })),
    ...given,
  },
  { examples: [{ minutes: 60, note: 'The supplier is at it' }] },
)
