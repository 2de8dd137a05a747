import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { convertParameters } from './parameters.ts'

const schema = Type.Object({
  count: Type.Optional(Type.Integer()),
  share: Type.Optional(Type.Number()),
  flag: Type.Optional(Type.Boolean()),
  text: Type.Optional(Type.String()),
  list: Type.Optional(Type.Array(Type.Integer())),
})
const convert = (input: Record<string, unknown>) => convertParameters(schema, input)

describe('convertParameters', () => {
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ count: '5' }, { count: 5 }],
    [{ count: '-5' }, { count: -5 }],
    [{ count: '+5' }, { count: 5 }],
    [{ share: '0.25' }, { share: 0.25 }],
    [{ share: '1e-3' }, { share: 0.001 }],
    [{ share: '-.5' }, { share: -0.5 }],
    [{ flag: 'true' }, { flag: true }],
    [{ flag: 'False' }, { flag: false }],
    [{ flag: '1' }, { flag: true }],
    [{ flag: '0' }, { flag: false }],
    [{ text: '5' }, { text: '5' }],
    [{ text: 'null' }, { text: 'null' }],
    [{ list: '5' }, { list: [5] }],
    [{ list: ['5', '6'] }, { list: [5, 6] }],
    [{ unknown: '5' }, {}],
  ])('%j becomes %j', (input, output) => {
    expect(convert(input)).toEqual(output)
  })

  it.each([
    { count: '' },
    { count: '1.0' },
    { count: '0x10' },
    { count: ' 1' },
    { count: 'true' },
    { count: '9'.repeat(20) },
    { count: ['1', '2'] },
    { share: '' },
    { share: '1.2.3' },
    { share: 'Infinity' },
    { share: '1e999' },
    { share: '.' },
    { flag: '' },
    { flag: 'yes' },
    { flag: '2' },
  ])('leaves %j for the schema to refuse', (input) => {
    expect(convert(input)).toEqual(input)
  })

  it('takes only what was given, not what every object inherits', () => {
    expect(convertParameters(Type.Object({ constructor: Type.String() }), {})).toEqual({})
  })
})
