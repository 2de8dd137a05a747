import { type TSchema, Type } from 'typebox'
import { freeText, nullable, Timestamp } from '../../http/schemas.ts'
import { WEEKDAYS } from './types.ts'

const Time = Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$|^24:00$', examples: ['09:00'] })
const Intervals = Type.Array(Type.Object({ from: Time, to: Time }), {
  maxItems: 10,
  description: 'In order, none overlapping; `24:00` is midnight at the end of the day',
})

export const HoursBody = Type.Object(
  {
    timezone: Type.String({ minLength: 1, maxLength: 60, description: 'IANA name', examples: ['Asia/Shanghai'] }),
    weekly: Type.Object(
      Object.fromEntries(WEEKDAYS.map((day) => [day, Type.Optional(Intervals)])) as Record<string, TSchema>,
      { additionalProperties: false, description: 'Days that are left out are closed' },
    ),
    holidays: Type.Optional(
      Type.Array(
        Type.Object({
          date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-10-01'] }),
          intervals: Type.Optional(Intervals),
        }),
        { maxItems: 400, description: 'Days that differ; without intervals closed' },
      ),
    ),
    messages: Type.Optional(
      Type.Object(
        { zh: Type.Optional(freeText(500)), en: Type.Optional(freeText(500)) },
        { description: 'For customers who call a person outside the hours; `{back}` is when people are back' },
      ),
    ),
  },
  {
    examples: [
      {
        timezone: 'Asia/Shanghai',
        weekly: { mon: [{ from: '09:00', to: '18:00' }], tue: [{ from: '09:00', to: '18:00' }] },
        holidays: [{ date: '2026-10-01' }],
        messages: { en: 'We are back {back}.' },
      },
    ],
  },
)

export const StoredHoursBody = Type.Object({
  configured: Type.Boolean({ description: 'False: there are no hours, and people are always taken to be there' }),
  hours: nullable(HoursBody),
  updated_by: nullable(Type.String()),
  updated_at: nullable(Timestamp),
})

export const HoursNowBody = Type.Object({
  configured: Type.Boolean(),
  open_now: Type.Boolean(),
  next_open: nullable(Timestamp),
  next_close: nullable(Timestamp),
  messages: nullable(
    Type.Object(
      { zh: Type.String(), en: Type.String() },
      { description: 'Outside the hours: what customers are told' },
    ),
  ),
})
