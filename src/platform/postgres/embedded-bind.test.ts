import { protocol } from '@electric-sql/pglite'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bindAndExecute } from './embedded-bind.ts'

const { serialize } = protocol

it('writes byte for byte what the library writes', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.uint8Array({ maxLength: 300 }),
    fc.constant(null),
  )
  const property = fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.array(value), (statement, values) => {
    const expected = [serialize.bind({ statement, values }), serialize.execute({}), serialize.sync()]
    expect(bindAndExecute(statement, values).equals(Buffer.concat(expected))).toBe(true)
  })
  fc.assert(property)
})
