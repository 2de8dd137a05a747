import { Type } from 'typebox'
import { periodFields } from '../../../http/period.ts'
import { choice, nullable, Timestamp } from '../../../http/schemas.ts'
import { DIVISIONS, type Division } from './types.ts'

export const StatisticsQuery = Type.Object({
  ...periodFields,
  by: Type.Optional(
    Type.Unsafe<Division>({
      type: 'string',
      enum: [...DIVISIONS],
      default: 'person',
      description: 'A conversation with several labels counts for each; days are of UTC',
    }),
  ),
})

const Spread = (description: string) =>
  Type.Object(
    { median_seconds: nullable(Type.Number()), p90_seconds: nullable(Type.Number()) },
    { description: `${description}; null: there was none` },
  )

const workFields = {
  taken: Type.Integer({ description: 'Accepted, taken or transferred to' }),
  resolved: Type.Integer(),
  messages: Type.Integer({ description: 'Of people' }),
  first_response: Spread('From the call for a person to the first words of one'),
  handling: Spread('From taking a conversation to its resolution'),
  waiting: Spread('Until somebody took a conversation that waited'),
  ratings: Type.Integer(),
  average_rating: nullable(Type.Number({ description: '1 to 5' })),
}

export const StatisticsBody = Type.Object({
  from: Timestamp,
  to: Timestamp,
  by: choice(DIVISIONS),
  rows: Type.Array(
    Type.Object({
      key: Type.String({
        description: 'Name of the person, id of the label, channel or day; empty: nobody was named, no label',
        examples: ['li.na'],
      }),
      name: nullable(Type.String({ description: 'Of a label' })),
      ...workFields,
    }),
    { description: 'By key, 1,000 at most' },
  ),
  total: Type.Object(workFields),
})
