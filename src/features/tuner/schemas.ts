import { Type } from 'typebox'
import { Timestamp } from '../../http/schemas.ts'
import { DEFINITIONS, PARAMETER_NAMES, type TunerParameters } from './parameters.ts'

export const numbers = () =>
  Type.Unsafe<TunerParameters>(Type.Object(Object.fromEntries(PARAMETER_NAMES.map((name) => [name, Type.Number()]))))

export const TunerBody = Type.Object({
  params: numbers(),
  defaults: numbers(),
  ranges: Type.Record(
    Type.String(),
    Type.Object({ min: Type.Number(), max: Type.Number(), integer: Type.Boolean(), description: Type.String() }),
  ),
  version: Type.Integer(),
  updated_at: Timestamp,
})

/** Only documents the names; the service checks them, so that every problem is named at once. */
export const TunerChanges = Type.Object(
  Object.fromEntries(
    PARAMETER_NAMES.map((name) => {
      const { min, max, description } = DEFINITIONS[name]
      return [name, Type.Optional(Type.Unsafe<unknown>({ type: 'number', minimum: min, maximum: max, description }))]
    }),
  ),
  { examples: [{ rerank_top_k: 8, vector_weight: 0.3 }] },
)

export const HistoryQuery = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) })

export const HistoryBody = Type.Object({
  items: Type.Array(
    Type.Object({
      version: Type.Integer(),
      action: Type.String({ description: '`update`, `reset` or `auto`' }),
      changes: Type.Record(Type.String(), Type.Object({ from: Type.Number(), to: Type.Number() })),
      created_at: Timestamp,
    }),
  ),
})
