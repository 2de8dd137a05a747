import { Type } from 'typebox'
import { filterFields } from '../filter-schemas.ts'
import { CSV_HEAD } from './lines.ts'

export const ExportQuery = Type.Object({
  format: Type.Optional(Type.Unsafe<'csv' | 'jsonl'>({ type: 'string', enum: ['csv', 'jsonl'], default: 'csv' })),
  ...filterFields,
  masked: Type.Optional(Type.Boolean({ default: true, description: '`false`: for admins' })),
})

export const ExportBody = Type.String({
  description: `Columns of CSV and fields of each line of JSON: ${CSV_HEAD.slice(1).trim()}`,
  examples: [
    `${CSV_HEAD}sess_4f1c2a9be07d,customer-1042,web,none,,,msg_81d3f0c2,2026-01-31T09:30:00.000Z,user,,When will it arrive?\r\n`,
  ],
})
