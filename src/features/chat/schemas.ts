import { Type } from 'typebox'
import { CHANNELS } from './types.ts'

export const SESSION_ID_PATTERN = '^[^\\u0000-\\u001f\\u007f]*$'

export const ChatRequestBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 8_000 }),
    session_id: Type.Optional(
      Type.String({ maxLength: 200, pattern: SESSION_ID_PATTERN, description: 'Empty: a new session is made' }),
    ),
    channel: Type.Optional(Type.Enum([...CHANNELS], { default: 'web' })),
    user_id: Type.Optional(Type.String({ maxLength: 200, pattern: SESSION_ID_PATTERN })),
  },
  { examples: [{ message: 'What is the return window?', channel: 'web', user_id: 'customer-1' }] },
)

const SourceBody = Type.Object({
  source: Type.String(),
  score: Type.Number(),
  doc_id: Type.String(),
  version: Type.String(),
  title: Type.String(),
})

export const ChatResponseBody = Type.Object({
  session_id: Type.String(),
  reply: Type.String(),
  status: Type.String({ description: '`ok`' }),
  data: Type.Object({
    intent: Type.String(),
    sources: Type.Array(SourceBody),
    escalate_to_human: Type.Boolean(),
    escalation_card: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    turn_count: Type.Integer(),
    failed_attempts: Type.Integer(),
    emotion_score: Type.Number(),
    sub_tasks: Type.Array(
      Type.Object({
        task_id: Type.String(),
        question: Type.String(),
        agent: Type.String(),
        intent: Type.String(),
        status: Type.String(),
        answer: Type.String(),
        sources: Type.Array(SourceBody),
      }),
    ),
    message_id: Type.String(),
    mode: Type.String({ description: '`extractive`, `model`, `fallback` (the model failed), `notice` or `cached`' }),
  }),
})
