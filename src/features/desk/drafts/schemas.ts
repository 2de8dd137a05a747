import { Type } from 'typebox'
import { freeText, nullable, Timestamp } from '../../../http/schemas.ts'

const Author = Type.Optional(
  Type.String({ maxLength: 200, description: 'With a key: whose; of somebody who is logged in their own name' }),
)

export const DraftQuery = Type.Object({ agent_id: Author })

export const SaveDraftBody = Type.Object(
  { content: freeText(8_000, { description: 'Blank: there is none any more' }), agent_id: Author },
  { examples: [{ content: 'Dear Mei, I have' }] },
)

export const DraftBody = Type.Object({
  session_id: Type.String(),
  content: Type.String({ description: 'Empty: there is none' }),
  updated_at: nullable(Timestamp),
})
