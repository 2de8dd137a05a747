import { Type } from 'typebox'
import { freeText, nullable } from '../../../http/schemas.ts'
import type { BulkAction } from './service.ts'

const MAX_SESSIONS = 200

const ACTIONS: readonly BulkAction[] = [
  ...(['add_labels', 'remove_labels', 'take', 'transfer', 'release', 'resolve', 'read', 'unread'] as const),
]

export const BulkBody = Type.Object(
  {
    session_ids: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: MAX_SESSIONS }),
    action: Type.Unsafe<BulkAction>({ type: 'string', enum: [...ACTIONS] }),
    label_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        description: 'For `add_labels` and `remove_labels`',
      }),
    ),
    agent_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'For `transfer` the colleague; with a key who takes or reads, of somebody who is logged in their own name',
      }),
    ),
    to: Type.Optional(
      Type.Unsafe<'queue' | 'assistant'>({
        type: 'string',
        enum: ['queue', 'assistant'],
        default: 'queue',
        description: 'For `release`',
      }),
    ),
    note: Type.Optional(freeText(2_000, { description: 'For `transfer`, `release` and `resolve`' })),
  },
  { examples: [{ session_ids: ['sess_4f1c2a9be07d'], action: 'add_labels', label_ids: ['label_5b1e77'] }] },
)

export const BulkResult = Type.Object({
  done: Type.Integer(),
  refused: Type.Integer(),
  outcomes: Type.Array(
    Type.Object({
      session_id: Type.String(),
      done: Type.Boolean(),
      error: nullable(
        Type.String({ description: 'Why nothing happened to it', examples: ['The session is pending, not assigned'] }),
      ),
    }),
    { description: 'In the order of the request, each session once' },
  ),
})
