import { Type } from 'typebox'

export const SessionParams = Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 200 }) })

export const RecommendBody = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 8_000 }),
    top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 5 })),
  },
  { examples: [{ query: 'How long is the warranty?', top_k: 5 }] },
)

export const RecommendResponse = Type.Object({
  chunks: Type.Array(
    Type.Object({
      content: Type.String(),
      score: Type.Number({ description: '0 to 1, comparable between queries' }),
      source: Type.String(),
      doc_id: Type.String(),
      version: Type.String(),
      question: Type.Union([Type.String(), Type.Null()]),
      heading_path: Type.Array(Type.String()),
      page: Type.Union([Type.Integer(), Type.Null()]),
      metadata: Type.Object({}, { additionalProperties: true }),
    }),
  ),
  total: Type.Integer(),
})
