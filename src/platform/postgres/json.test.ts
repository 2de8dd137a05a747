import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { toJson } from './index.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

async function stored(value: unknown): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${toJson(value)}::jsonb as value`.execute(test.db.executor)
  return rows[0]?.value
}

describe('toJson', () => {
  it.each([
    ['an object', { a: [1, 'zwei', null, true, { b: 0.5 }] }],
    ['a list', [1, 2, 3]],
    ['text', 'text'],
    ['a number', 5],
    ['a flag', false],
    ['null', null],
    ['an emoji', { text: '📦' }],
    ['backslashes', { path: 'C:\\users\\u0041' }],
    ['the six characters that would escape U+0000', { text: '\\u0000' }],
    ['them behind two backslashes', { text: '\\\\u0000' }],
    ['the six characters that would escape half an emoji', { text: '\\ud83d' }],
  ])('comes back as it was: %s', async (_, value) => {
    expect(await stored(value)).toEqual(value)
  })

  it('stores what Postgres cannot hold without it', async () => {
    expect(await stored({ text: 'a\u0000b' })).toEqual({ text: 'ab' })
    expect(await stored({ text: 'a\ud83d' })).toEqual({ text: 'a\ufffd' })
    expect(await stored(undefined)).toBeNull()
  })

  it('is JSON that Postgres takes, whatever the text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('\\', 'u0000', '\u0000', '\ud83d', '\ude00', '"', 'x', '\\ud8'))
        .map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(text, text, { maxKeys: 3 }), async (value) => {
        await stored(value)
      }),
      { numRuns: 200 },
    )
  })
})
