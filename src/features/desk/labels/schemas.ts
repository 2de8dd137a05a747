import { Type } from 'typebox'
import { COLOURS, type Colour } from './types.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
  description: 'Unique, whatever the case',
  examples: ['Warehouse'],
})
const ColourText = Type.Unsafe<Colour>({ type: 'string', enum: [...COLOURS] })

const labelFields = { label_id: Type.String({ examples: ['label_5b1e77'] }), name: Name, colour: ColourText }

export const LabelParams = Type.Object({ label_id: Type.String({ minLength: 1, maxLength: 200 }) })

export const LabelBody = Type.Object(labelFields)

export const LabelsBody = Type.Object({
  labels: Type.Array(
    Type.Object({ ...labelFields, sessions: Type.Integer({ description: 'Conversations that have it' }) }),
  ),
})

export const NewLabelBody = Type.Object(
  { name: Name, colour: Type.Optional(ColourText) },
  { examples: [{ name: 'Warehouse', colour: 'amber' }] },
)

export const LabelChangeBody = Type.Object(
  { name: Type.Optional(Name), colour: Type.Optional(ColourText) },
  { examples: [{ colour: 'green' }] },
)

export const RemovedLabelBody = Type.Object({ label_id: Type.String(), deleted: Type.Boolean() })

const LabelIds = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 50 })

export const SetLabelsBody = Type.Object({ label_ids: LabelIds }, { examples: [{ label_ids: ['label_5b1e77'] }] })

export const SessionLabelsBody = Type.Object({ session_id: Type.String(), labels: Type.Array(LabelBody) })
