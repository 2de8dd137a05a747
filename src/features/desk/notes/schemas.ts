import { Type } from 'typebox'
import { freeText, nullable, Timestamp } from '../../../http/schemas.ts'
import { SessionParams } from '../../sessions/index.ts'

const MAX_NOTE = 4_000

export const NoteParams = Type.Object({
  ...SessionParams.properties,
  note_id: Type.String({ minLength: 1, maxLength: 200, examples: ['note_5b1e77'] }),
})

export const NotesQuery = Type.Object({
  before: Type.Optional(Type.String({ maxLength: 400, description: '`next_before` of the page before' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

const Content = freeText(MAX_NOTE, { minLength: 1, description: 'May mention colleagues: `@li.na`' })

export const NewNoteBody = Type.Object(
  {
    content: Content,
    agent_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'With a key: who writes; of somebody who is logged in their own name',
      }),
    ),
  },
  { examples: [{ content: '@li.na knows the warehouse' }] },
)

export const NoteChangeBody = Type.Object({ content: Content }, { examples: [{ content: 'Solved with @li.na' }] })

export const NoteBody = Type.Object({
  note_id: Type.String(),
  session_id: Type.String(),
  author: Type.String({ description: 'Empty: a program with the key did not say who', examples: ['bob'] }),
  content: Type.String({ examples: ['@li.na knows the warehouse'] }),
  mentions: Type.Array(Type.String(), {
    description: 'Names of people of whom it speaks; others are words',
    examples: [['li.na']],
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const NotesBody = Type.Object({
  notes: Type.Array(NoteBody),
  next_before: nullable(Type.String({ description: 'For the next page; null: this was the last' })),
})

export const RemovedBody = Type.Object({ note_id: Type.String(), deleted: Type.Boolean() })
