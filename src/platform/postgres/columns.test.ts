import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import type { ColumnType, ColumnValue } from './columns.ts'
import { statementOver, toJson } from './index.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** Values as they come back. */
async function read<Type extends ColumnType>(type: Type, values: readonly ColumnValue[Type][]): Promise<unknown[]> {
  const select = statementOver<{ rows: readonly ColumnValue[Type][] }>(
    ({ column }) => sql`select value from unnest(${column(type, (value) => value)}) as value`,
  )
  const { rows } = await select(test.db.executor, { rows: values })
  return rows.map((row) => (row as { value: unknown }).value)
}

describe('a column of values', () => {
  it.each([
    ['text', ['a', '', 'Grüße 你好 📦', '{"x",\\}', "O'Brien"]],
    ['int4', [0, -1, 2_147_483_647, -2_147_483_648]],
    ['float8', [0, -0.1, 1e300, Number.POSITIVE_INFINITY]],
    ['bool', [true, false]],
  ] as const)('of type %s comes back as it was', async (type, values) => {
    expect(await read<ColumnType>(type, values)).toEqual(values)
  })

  it('of bytes comes back as it was', async () => {
    const bytesRead = await read('bytea', [Uint8Array.of(0, 255, 92), Uint8Array.of()])
    expect(bytesRead.map((bytes) => [...(bytes as Uint8Array)])).toEqual([[0, 255, 92], []])
  })

  it('holds nulls', async () => {
    expect(await read('text', [null, 'x', null])).toEqual([null, 'x', null])
    expect(await read('jsonb', [null, '1'])).toEqual([null, 1])
    expect(await read('int4', [null, 1, null])).toEqual([null, 1, null])
  })

  it('may be empty, and is still of its type', async () => {
    expect(await read('text', [])).toEqual([])
    const typeOf = statementOver<{ rows: readonly null[] }>(
      ({ column }) => sql`select pg_typeof(${column('json', (value) => value)})::text as type`,
    )
    expect((await typeOf(test.db.executor, { rows: [] })).rows).toEqual([{ type: 'json[]' }])
  })

  it('of times is exact to the millisecond, before and after the year 2000', async () => {
    const times = ['2026-11-22T03:04:05.678Z', '2000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z']
    expect(await read('timestamptz', times.map(Date.parse))).toEqual(times.map((time) => new Date(time)))
  })

  it.each(['json', 'jsonb'] as const)('of type %s holds any value', async (type) => {
    const values = [{ a: [1, null, '你'] }, [], 'text', null, 0.5]
    expect(await read(type, values.map(toJson))).toEqual(values)
  })

  it('leaves out or replaces what a text of the database cannot hold', async () => {
    expect(await read('text', ['a\u0000b', null, 'a\ud83d'])).toEqual(['ab', null, 'a\ufffd'])
  })

  it('holds any text, beside texts of any length', async () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 300 })), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        const storable = values.map((value) => value?.replaceAll('\u0000', '').toWellFormed() ?? null)
        expect(await read('text', values)).toEqual(storable)
      }),
      { numRuns: 100 },
    )
  })
})
