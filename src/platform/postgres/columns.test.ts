import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { column, toJson } from './index.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

async function read(array: ReturnType<typeof column>): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`select value from unnest(${array}) as value`.execute(test.db.executor)
  return rows.map(({ value }) => value)
}
const TEXTS = ['a', '', 'Grüße 你好 📦', '{"x",\\}', "O'Brien"]
const NUMBERS = [0, -1.5, 2_147_483_647, -2_147_483_648]
const same = <T>(value: T): T => value

describe('a column of values', () => {
  it.each<[string, ReturnType<typeof column>, unknown[]]>([
    ['text', column('text', TEXTS, same), TEXTS],
    ['int4', column('int4', NUMBERS, Math.trunc), NUMBERS.map(Math.trunc)],
    ['float8', column('float8', NUMBERS, same), NUMBERS],
    ['bool', column('bool', [true, false], same), [true, false]],
  ])('of type %s comes back as it was', async (_, array, values) => {
    expect(await read(array)).toEqual(values)
  })

  it('holds nulls', async () => {
    expect(await read(column('text', [null, 'x', null], same))).toEqual([null, 'x', null])
    expect(await read(column('jsonb', [null, '1'], same))).toEqual([null, 1])
  })

  it('may be empty, and is still of its type', async () => {
    expect(await read(column('text', [], same))).toEqual([])
    const { rows } = await sql`select pg_typeof(${column('json', [], same)})::text as type`.execute(test.db.executor)
    expect(rows).toEqual([{ type: 'json[]' }])
  })

  it('of times is exact to the millisecond, before and after the year 2000', async () => {
    const times = ['2026-11-22T03:04:05.678Z', '2000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z']
    expect(await read(column('timestamptz', times, Date.parse))).toEqual(times.map((time) => new Date(time)))
  })

  it.each(['json', 'jsonb'] as const)('of type %s holds any value', async (type) => {
    const values = [{ a: [1, null, '你'] }, [], 'text', null, 0.5]
    expect(await read(column(type, values, toJson))).toEqual(values)
  })

  it('leaves out or replaces what a text of the database cannot hold', async () => {
    expect(await read(column('text', ['a\u0000b', null, 'a\ud83d'], same))).toEqual(['ab', null, 'a\ufffd'])
  })

  it('holds any text, beside texts of any length', async () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 300 })), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        const storable = values.map((value) => value?.replaceAll('\u0000', '').toWellFormed() ?? null)
        expect(await read(column('text', values, same))).toEqual(storable)
      }),
      { numRuns: 100 },
    )
  })
})
