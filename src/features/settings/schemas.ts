import { Type } from 'typebox'
import { choice, nullable, Timestamp } from '../../http/schemas.ts'
import { snakeName } from '../../kernel/snake-case.ts'
import { ASSISTANT_FIELDS } from './types.ts'

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

export const SettingsBody = Type.Object({
  settings: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['HANDOFF_TIMEOUT_SECONDS'] }),
      value: nullable(Value),
      default: Value,
      is_set: Type.Boolean({ description: 'It holds something; of a secret nothing else is told', examples: [true] }),
      is_secret: Type.Boolean(),
      source: Type.Enum(['default', 'environment', 'file'], { description: '`file`: `.env`' }),
      type: Type.Enum(['text', 'integer', 'boolean', 'choice']),
      minimum: nullable(Type.Number()),
      maximum: nullable(Type.Number()),
      values: nullable(Type.Array(Type.String())),
      description: Type.String(),
      needs_restart: Type.Boolean({ description: 'A change counts from the next start on', examples: [true] }),
      change_at: nullable(
        Type.String({ description: 'Where it is changed while the service runs; null: nowhere', examples: [null] }),
      ),
    }),
  ),
})

const FIELD_NAMES = ASSISTANT_FIELDS.map(snakeName)
const Greeting = (language: string) =>
  Type.String({
    maxLength: 500,
    description: `What a greeting is answered with in ${language}; empty: the usual words`,
  })

const assistant = {
  name: Type.String({
    maxLength: 60,
    description: 'How the assistant calls itself; empty: no name',
    examples: ['Mia'],
  }),
  persona: Type.String({
    maxLength: 1_000,
    description: 'How a model words its replies, beside the rules that always hold; without a model it does nothing',
    examples: ['Friendly and short; says “we” of the shop'],
  }),
  greeting_en: Greeting('English'),
  greeting_zh: Greeting('Chinese'),
  model: Type.String({ maxLength: 200, description: 'Model of the reply; empty: the one of its tier', examples: [''] }),
}
const temperature = Type.Number({ minimum: 0, maximum: 2, examples: [0.3] })
const values = Type.Object({ ...assistant, temperature: nullable(temperature) })

export const AssistantBody = Type.Object({
  settings: values,
  defaults: Type.Object(
    { ...assistant, temperature: nullable(temperature) },
    { description: 'What the environment says' },
  ),
  sources: Type.Record(Type.String(), choice(['environment', 'stored']), {
    description: 'Of each: `stored`, where somebody set it here',
    examples: [{ name: 'stored', persona: 'environment' }],
  }),
  has_model: Type.Boolean({ description: 'Whether `model` and `temperature` can be set' }),
  version: Type.Integer({ examples: [3] }),
  updated_at: Timestamp,
  updated_by: nullable(Type.String({ examples: ['li.na'] })),
})

export const AssistantUpdate = Type.Object(
  {
    ...Object.fromEntries(Object.entries(assistant).map(([name, schema]) => [name, Type.Optional(schema)])),
    temperature: Type.Optional(temperature),
    reset: Type.Optional(
      Type.Array(Type.Enum(FIELD_NAMES), {
        maxItems: 20,
        description: 'Fields that go back to what the environment says',
      }),
    ),
    expected_version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Refused with 409 when somebody else changed something meanwhile' }),
    ),
  },
  { examples: [{ name: 'Mia', greeting_en: 'Hi, I am Mia. What can I do for you?' }] },
)

export const UndoBody = Type.Object(
  {
    to_version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the one before' })),
  },
  { optional: true, examples: [{ to_version: 1 }] },
)

export const HistoryQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'Older ones than this version', examples: [7] })),
})

const Change = nullable(Type.Union([Type.String(), Type.Number()]))

export const HistoryBody = Type.Object({
  items: Type.Array(
    Type.Object({
      version: Type.Integer({ examples: [3] }),
      action: Type.Enum(['update', 'undo']),
      changes: Type.Record(Type.String(), Type.Object({ from: Change, to: Change }), {
        examples: [{ name: { from: '', to: 'Mia' } }],
      }),
      created_at: Timestamp,
      created_by: nullable(Type.String({ examples: ['li.na'] })),
    }),
  ),
})
