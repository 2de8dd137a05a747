import { Type } from 'typebox'
import { choice, freeText, nullable, Timestamp } from '../../http/schemas.ts'

const MAX_QUESTION = 2_000
const MAX_SOLUTION = 20_000
const MAX_INTENT = 100

const solutionFields = {
  question: freeText(MAX_QUESTION, { minLength: 1 }),
  solution: freeText(MAX_SOLUTION, { minLength: 1 }),
  intent: Type.Optional(freeText(MAX_INTENT, { description: 'Empty: determined from the question' })),
}

export const SubmitBody = Type.Object({
  session_id: Type.Optional(Type.String({ maxLength: 200 })),
  ...solutionFields,
})

/** Of a session that the path names. */
export const AnswerSubmitBody = Type.Object(solutionFields)

export const EditBody = Type.Partial(AnswerSubmitBody)

const reviewerFields = {
  reviewer: Type.Optional(
    freeText(200, { description: 'Who decides; default: the `agent_id`, else the name of the key' }),
  ),
  agent_id: Type.Optional(Type.String({ maxLength: 200 })),
}

export const ApproveBody = Type.Object(reviewerFields, { optional: true })

export const RejectBody = Type.Object({ reason: freeText(1_000, { minLength: 1 }), ...reviewerFields })

export const SolutionParams = Type.Object({ solution_id: Type.String({ minLength: 1, maxLength: 200 }) })

const SimilarBody = Type.Object({
  doc_id: Type.String(),
  source: Type.String(),
  question: nullable(Type.String()),
  content: Type.String(),
  score: Type.Number({ description: '0 to 1' }),
})

const MaskedBody = Type.Array(
  Type.Object({
    field: choice(['question', 'solution']),
    kind: choice(['name', 'phone', 'email', 'address', 'order', 'tracking', 'account', 'payment', 'card', 'identity']),
  }),
  { description: 'What belongs to a customer and is therefore `***` in what is published' },
)

const WarningsBody = Type.Array(Type.String(), {
  description: 'Personal data that may be the shop’s own, sensitive words, answers that say something else',
})

const SolutionStatus = choice(['draft', 'pending', 'approved', 'rejected'], {
  description: '`draft`: made by itself when a conversation was resolved, and not handed in',
})

export const SolutionsQuery = Type.Object({
  status: Type.Optional(SolutionStatus),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the question or the solution' })),
  before: Type.Optional(
    Type.String({ maxLength: 200, description: '`next_before` of the page before', examples: ['sol_5b1e77'] }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

export const SolutionBody = Type.Object({
  solution_id: Type.String(),
  session_id: Type.String(),
  question: Type.String(),
  solution: Type.String(),
  intent: Type.String({ description: 'As the assistant or the person named it' }),
  status: SolutionStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
  reviewed_at: nullable(Timestamp),
  origin: choice(['human', 'mining']),
  similar: Type.Array(SimilarBody, { description: 'What the knowledge base says to the question already' }),
  details: Type.Object({}, { additionalProperties: true, description: 'What mining knows of its candidate' }),
  doc_id: nullable(Type.String({ description: 'The document that it became' })),
  reason: nullable(Type.String({ description: 'Why it was rejected' })),
  reviewer: nullable(
    Type.String({
      description: 'Who approved or rejected it, where that is known',
    }),
  ),
  masked: MaskedBody,
  warnings: WarningsBody,
})

export const SolutionList = Type.Array(SolutionBody)

export const SolutionPage = Type.Object({
  items: SolutionList,
  next_before: nullable(
    Type.String({ description: 'For the next page; null: this was the last', examples: ['sol_5b1e77'] }),
  ),
})

const AnswerBody = Type.Object({
  reply: Type.String(),
  confidence: choice(['sure', 'close', 'asks', 'none']),
  sources: Type.Array(Type.Object({ source: Type.String(), score: Type.Number() })),
})

export const PreviewBody = Type.Object({
  solution: SolutionBody,
  published: Type.Object({ question: Type.String(), solution: Type.String() }),
  masked: MaskedBody,
  similar: Type.Array(SimilarBody),
  warnings: WarningsBody,
  replays: Type.Array(
    Type.Object({
      question: Type.String(),
      original: Type.Boolean({ description: 'false: it was left unanswered in a conversation' }),
      before: AnswerBody,
      after: AnswerBody,
      change: choice(['answered', 'changed', 'improved', 'worse', 'unchanged']),
    }),
  ),
  summary: Type.Object({
    answered: Type.Integer(),
    changed: Type.Integer(),
    improved: Type.Integer(),
    worse: Type.Integer(),
    unchanged: Type.Integer(),
  }),
})
