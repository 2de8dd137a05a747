import { Type } from 'typebox'
import { CHANNELS } from '../sessions/index.ts'
import { LANGUAGES, type Language, MODES } from './types.ts'

const MAX_MINUTES = 10_080
const Minutes = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_MINUTES, description: 'Minutes' }))

export const AssignmentBody = Type.Object(
  {
    mode: Type.Unsafe<(typeof MODES)[number]>({
      type: 'string',
      enum: [...MODES],
      description:
        '`manual`: people take calls by themselves; `by_turn`: a call goes to whoever is online and has the fewest conversations',
    }),
    max_open_sessions: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, default: 5, description: 'That somebody is given at most' }),
    ),
    targets: Type.Optional(
      Type.Object(
        { urgent: Minutes, high: Minutes, medium: Minutes, low: Minutes },
        {
          additionalProperties: false,
          description:
            'In which a customer should be answered, by priority; later ones are `overdue` in lists, and an alert',
        },
      ),
    ),
  },
  { examples: [{ mode: 'by_turn', max_open_sessions: 5, targets: { urgent: 2, high: 5 } }] },
)

const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', examples: ['Refunds'] })

export const TeamBody = Type.Object(
  {
    name: Name,
    members: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 500,
      description: 'Names of people',
    }),
    channels: Type.Optional(
      Type.Array(Type.Unsafe<(typeof CHANNELS)[number]>({ type: 'string', enum: [...CHANNELS] }), {
        maxItems: CHANNELS.length,
        description: 'Whose calls are theirs; empty: of all',
      }),
    ),
    languages: Type.Optional(
      Type.Array(Type.Unsafe<Language>({ type: 'string', enum: [...LANGUAGES] }), {
        maxItems: LANGUAGES.length,
        description: 'Of customers; empty: all',
      }),
    ),
  },
  { examples: [{ name: 'Chinese desk', members: ['li.na'], languages: ['zh'] }] },
)

export const StoredTeam = Type.Object({
  team_id: Type.String({ examples: ['team_4f1c2a9be07d'] }),
  name: Name,
  members: Type.Array(Type.String()),
  channels: Type.Array(Type.String({ enum: [...CHANNELS] })),
  languages: Type.Array(Type.String({ enum: [...LANGUAGES] })),
})

export const TeamsBody = Type.Object({ teams: Type.Array(StoredTeam) })
export const TeamParams = Type.Object({ team_id: Type.String({ minLength: 1, maxLength: 100 }) })
export const RemovedBody = Type.Object({ done: Type.Boolean() })
