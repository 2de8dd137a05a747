import { Type } from 'typebox'
import { choice } from '../../http/schemas.ts'

export const IMPORT_KINDS = ['customers', 'orders'] as const

/** Describes the form for the API pages; the handler reads and checks it. */
export const ImportForm = Type.Object({
  file: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'JSON, JSONL or CSV' }),
  kind: Type.Enum([...IMPORT_KINDS]),
})

export const ImportResult = Type.Object({
  kind: choice(IMPORT_KINDS),
  imported: Type.Integer({ description: 'Records that are new' }),
  updated: Type.Integer({ description: 'Records that were replaced' }),
  failed: Type.Integer({ description: 'Rows that were left out' }),
  errors: Type.Array(Type.String(), { description: 'Why rows were left out, at most 100' }),
})
