import { Type } from 'typebox'
import { Timestamp } from '../../http/schemas.ts'
import { SCOPES, type Scope } from '../../kernel/scopes.ts'

const When = (description: string) => Type.Union([Timestamp, Type.Null()], { description })

export const KeysBody = Type.Object({
  keys: Type.Array(
    Type.Object({
      key_id: Type.String({
        description: 'Of this one key; during a rotation two have the same name',
        examples: ['key_4f1c2a9be07d'],
      }),
      name: Type.String({ examples: ['shop-server'] }),
      scopes: Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] })),
      created_at: When('Null for API_KEY, which is a setting'),
      expires_at: When('From then on it is refused; null: never'),
      last_used_at: When('To the minute; null: never'),
    }),
  ),
})
