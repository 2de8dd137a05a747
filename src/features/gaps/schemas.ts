import { Type } from 'typebox'
import { nullable, Timestamp } from '../../http/schemas.ts'

const State = Type.Enum(['open', 'drafted', 'closed', 'ignored'], {
  description:
    '`drafted`: a solution that nobody has reviewed would answer it; `closed`: the knowledge base answers its latest ' +
    'questions, which is looked up and not noted; `ignored`: a person said so',
})
const Kind = Type.Enum(['unsure', 'rated_down'], { description: 'Not surely answered, or answered and rated badly' })
const Language = Type.Enum(['zh', 'en'])
const Moment = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-01-31T09:30:00Z'] }))

export const GapParams = Type.Object({
  gap_id: Type.String({ minLength: 1, maxLength: 200, examples: ['gap_4f1c2a9be07d'] }),
})

export const GapsQuery = Type.Object({
  state: Type.Optional(State),
  since: Moment('Questions from then on, ISO 8601'),
  until: Moment('Questions before then, ISO 8601'),
  language: Type.Optional(Language),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

const gap = {
  gap_id: Type.String({ examples: ['gap_4f1c2a9be07d'] }),
  state: State,
  question: Type.String({ description: 'The newest of its questions; personal values are masked' }),
  count: Type.Integer({ minimum: 1 }),
  sessions: Type.Integer({ minimum: 1 }),
  unsure: Type.Integer(),
  rated_down: Type.Integer(),
  first_seen: Timestamp,
  last_seen: Timestamp,
  examples: Type.Array(Type.String({ examples: ['Do you ship to Norway?'] }), { description: 'Five at most' }),
  languages: Type.Array(Language),
  documents: Type.Array(Type.Object({ doc_id: Type.String(), source: Type.String(), score: Type.Number() }), {
    description: 'Those that come nearest',
  }),
  solution_id: nullable(Type.String({ description: 'Of the solution that would answer it' })),
  checked_at: nullable(Timestamp),
  decided_by: nullable(Type.String({ examples: ['rosa'] })),
  decided_at: nullable(Timestamp),
}

export const GapsBody = Type.Object({
  items: Type.Array(Type.Object(gap)),
  total: Type.Integer(),
  is_complete: Type.Boolean({ description: 'false: there is more to be read or looked up than one request does' }),
})

export const QuestionsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 9_007_199_254_740_991, description: 'A `seq`: questions before it' }),
  ),
})

export const GapBody = Type.Object({
  ...gap,
  questions: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      message_id: Type.String({ description: 'Of the reply' }),
      session_id: Type.String(),
      kind: Kind,
      question: Type.String(),
      language: Language,
      asked_at: Timestamp,
    }),
    { description: 'Newest first' },
  ),
  next_before: nullable(Type.Integer({ description: 'For the next page; null: this was the last' })),
})

export const DecisionBody = Type.Object({
  state: Type.Enum(['open', 'ignored'], {
    description: 'A gap that is open is `closed` by itself when it is answered',
  }),
})

export const DecidedBody = Type.Object(gap)
