import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { exampleOf } from './examples.ts'

describe('exampleOf', () => {
  it.each<[string, TSchema, string, unknown]>([
    ['a stated example first', Type.String({ examples: ['stated'], default: 'usual' }), 'query', 'stated'],
    ['the default next', Type.Integer({ default: 7 }), 'top_k', 7],
    ['what the name means', Type.String(), 'session_id', 'sess_4f1c2a9be07d'],
    ['the first of a set', Type.Enum(['a', 'b']), 'kind', 'a'],
    [
      'the code that a description begins with',
      Type.String({ description: '`pending` or `approved`' }),
      'status',
      'pending',
    ],
    ['a literal', Type.Literal('only'), 'kind', 'only'],
    ['the form that is not null', Type.Union([Type.Null(), Type.String()]), 'source', 'returns.md'],
    ['a time', Type.String({ format: 'date-time' }), 'since', '2026-01-31T09:30:00.000Z'],
    ['the name of an unknown text', Type.String(), 'gift_wrap', 'gift wrap'],
    ['the least of a range', Type.Number({ minimum: 3 }), 'weight', 3],
    ['a list of one', Type.Array(Type.Integer()), 'counts', [0]],
    [
      'an object with every field',
      Type.Object({ doc_id: Type.String(), flag: Type.Boolean() }),
      '',
      { doc_id: 'doc_8f14e45fceea167a5a36', flag: false },
    ],
    ['any value', Type.Unknown(), '', 'text'],
  ])('takes %s', (_, schema, name, example) => {
    expect(exampleOf(schema, name)).toEqual(example)
    expect(Value.Check(schema, exampleOf(schema, name))).toBe(true)
  })

  it('passes over what the name means where the schema says otherwise', () => {
    expect(exampleOf(Type.Boolean(), 'version')).toBe(false)
    expect(exampleOf(Type.Enum(['user', 'agent']), 'channel')).toBe('user')
  })
})
