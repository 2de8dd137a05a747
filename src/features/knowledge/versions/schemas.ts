import { Type } from 'typebox'
import { choice } from '../../../http/schemas.ts'
import { DocParams } from '../schemas.ts'

const Version = Type.String({ minLength: 1, maxLength: 100, examples: ['v2'] })

export const RollbackRequest = Type.Object({ target_version: Version })

export const SwitchBody = Type.Object({
  doc_id: Type.String(),
  previous_version: Type.Union([Type.String(), Type.Null()], { description: 'null: none was active' }),
  current_version: Type.String(),
  status: choice(['active'], { description: 'Of the current version' }),
  chunk_count: Type.Integer(),
  success: Type.Boolean(),
})

export const CanaryRequest = Type.Object({
  ...DocParams.properties,
  version: Version,
  sample_queries: Type.Optional(Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 100 })),
})

export const CompareRequest = Type.Object({
  ...DocParams.properties,
  version: Version,
  sample_queries: Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { minItems: 1, maxItems: 100 }),
})

export const CanaryBody = Type.Object({
  doc_id: Type.String(),
  version: Type.String(),
  chunk_count: Type.Integer(),
  collection_name: Type.Union([Type.String(), Type.Null()], {
    description:
      'Where the version was put: `canary`; after its withdrawal `main` for the active one, null for another',
  }),
  status: choice(['canary', 'active', 'superseded']),
})

const ComparedHits = Type.Array(
  Type.Object({
    content: Type.String(),
    score: Type.Number(),
    source: Type.String(),
    doc_id: Type.String(),
    collection: choice(['main', 'staff', 'canary']),
  }),
)

export const CompareBody = Type.Object({
  doc_id: Type.String(),
  version: Type.String(),
  queries: Type.Array(
    Type.Object({
      query: Type.String(),
      main: ComparedHits,
      canary: ComparedHits,
      overlap_at_k: Type.Number({ description: 'Share of passages that both sides hold, 0 to 1' }),
      top_score_delta: Type.Number(),
      verdict: choice(['improved', 'regressed', 'unchanged']),
    }),
  ),
  summary: Type.Object({
    improved: Type.Integer(),
    regressed: Type.Integer(),
    unchanged: Type.Integer(),
    main_avg_score: Type.Number(),
    canary_avg_score: Type.Number(),
  }),
  recommendation: choice(['promote', 'hold']),
})
