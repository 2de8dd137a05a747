import { Type } from 'typebox'
import { ID_PATTERN } from '../../http/ids.ts'
import { choice } from '../../http/schemas.ts'
import { CHANNELS, GIVEN_CHANNELS } from '../sessions/index.ts'

const Text = Type.String({ minLength: 1, maxLength: 8_000 })

export const GatewayBody = Type.Object(
  {
    channel: Type.Enum([...GIVEN_CHANNELS]),
    user_id: Type.String({ minLength: 1, maxLength: 200, pattern: ID_PATTERN }),
    message: Type.Union(
      [
        Text,
        Type.Object({
          type: Type.Enum(['text', 'image', 'voice', 'event']),
          text: Type.Optional(Type.String({ maxLength: 8_000 })),
        }),
      ],
      { description: 'Words, or what the channel delivered and the words that it holds' },
    ),
    message_id: Type.Optional(
      Type.String({ maxLength: 200, pattern: ID_PATTERN, description: 'A repeated one is answered once' }),
    ),
    session_id: Type.Optional(
      Type.String({ maxLength: 200, pattern: ID_PATTERN, description: 'Empty: found by channel and user' }),
    ),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  {
    examples: [{ channel: 'app', user_id: 'customer-1', message: 'How long is the warranty?', message_id: 'm-1' }],
  },
)

export const GatewayResponse = Type.Object({
  channel: choice(CHANNELS),
  user_id: Type.String(),
  session_id: Type.String(),
  message_id: Type.String(),
  status: choice(['ok', 'ignored'], { description: '`ignored`: an event that calls for no answer' }),
  reply: Type.String(),
  data: Type.Object({}, { additionalProperties: true, description: 'As in the response of chat' }),
  duplicate: Type.Boolean({ description: 'The message had come before; this is the first answer' }),
})
