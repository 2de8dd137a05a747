import { Type } from 'typebox'
import { periodFields } from '../../http/period.ts'
import { freeText, nullable, Timestamp } from '../../http/schemas.ts'
import { UserId } from '../sessions/index.ts'

const Score = Type.Integer({ minimum: 1, maximum: 5, description: '1, the worst, to 5', examples: [5] })

export const RateBody = Type.Object(
  { score: Score, comment: Type.Optional(freeText(2_000)), user_id: Type.Optional(UserId) },
  { examples: [{ score: 5, comment: 'Quick and kind' }] },
)

const RatingBody = Type.Object({
  session_id: Type.String(),
  score: Score,
  comment: nullable(Type.String({ description: 'Personal data is masked' })),
  agent_id: nullable(Type.String({ description: 'Who had the conversation' })),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const RatedBody = Type.Object({ session_id: Type.String(), score: Score, updated_at: Timestamp })

export const RatingsQuery = Type.Object({
  agent_id: Type.Optional(Type.String({ maxLength: 200 })),
  session_id: Type.Optional(Type.String({ maxLength: 200 })),
  score: Type.Optional(Score),
  ...periodFields,
  before: Type.Optional(Type.String({ maxLength: 500, description: '`next_before` of the page before' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

export const RatingsBody = Type.Object({
  ratings: Type.Array(RatingBody),
  next_before: nullable(Type.String({ description: 'For the next page; null: this was the last' })),
})
