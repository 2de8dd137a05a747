import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'

/** Values that are read mean the same on both kinds of database, so that no query has to know on which it runs. */
let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

async function read(expression: ReturnType<typeof sql>): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${expression} as value`.execute(test.db.executor)
  return rows[0]?.value
}

describe('values that are read', () => {
  it.each<[string, ReturnType<typeof sql>, unknown]>([
    ['int4', sql`5::int4`, 5],
    ['int8', sql`9007199254740991::int8`, 9007199254740991],
    ['count', sql`count(*)`, 1],
    ['sum of int4', sql`sum(5::int4)`, 5],
    ['float8', sql`0.1::float8`, 0.1],
    ['float4', sql`0.5::float4`, 0.5],
    ['infinity', sql`'Infinity'::float8`, Number.POSITIVE_INFINITY],
    ['boolean', sql`true`, true],
    ['text', sql`'Grüße 你好 📦'::text`, 'Grüße 你好 📦'],
    ['empty text', sql`''::text`, ''],
    ['null', sql`null::text`, null],
    ['null of a number', sql`null::int8`, null],
    ['uuid', sql`'00000000-0000-4000-8000-000000000001'::uuid`, '00000000-0000-4000-8000-000000000001'],
    ['text[]', sql`array['a', null, 'b,"c"', '']::text[]`, ['a', null, 'b,"c"', '']],
    ['int4[]', sql`array[1, null, 3]::int4[]`, [1, null, 3]],
    ['float8[]', sql`array[0.5]::float8[]`, [0.5]],
    ['empty text[]', sql`array[]::text[]`, []],
    ['jsonb object', sql`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
    ['jsonb text', sql`'"x"'::jsonb`, 'x'],
    ['jsonb null', sql`'null'::jsonb`, null],
    ['json', sql`'{"a": 1}'::json`, { a: 1 }],
    ['vector', sql`'[1,0.5]'::vector`, '[1,0.5]'],
  ])('%s', async (_, expression, value) => {
    expect(await read(expression)).toEqual(value)
  })

  it('timestamptz is a Date, in whatever zone it was written', async () => {
    const value = await read(sql`'2026-01-31 10:30:00.123+01'::timestamptz`)
    expect(value).toBeInstanceOf(Date)
    expect((value as Date).toISOString()).toBe('2026-01-31T09:30:00.123Z')
  })

  it('bytea is bytes', async () => {
    const value = await read(sql`'\\x00ff10'::bytea`)
    expect(value).toBeInstanceOf(Uint8Array)
    expect([...(value as Uint8Array)]).toEqual([0, 255, 16])
  })
})

describe('values that are sent', () => {
  it.each<[string, unknown, string, unknown]>([
    ['text', "O'Brien \\ $1 📦", 'text', "O'Brien \\ $1 📦"],
    ['a number', 5, 'int4', 5],
    ['a large number', 9007199254740991, 'int8', 9007199254740991],
    ['a fraction', 0.1, 'float8', 0.1],
    ['a flag', false, 'boolean', false],
    ['null', null, 'text', null],
    ['undefined', undefined, 'text', null],
    ['a list of text', ['a', '{b}', '"', '\\', ''], 'text[]', ['a', '{b}', '"', '\\', '']],
    ['a list of numbers', [1, 2], 'int4[]', [1, 2]],
    ['a list with null', ['a', null], 'text[]', ['a', null]],
    ['an empty list', [], 'text[]', []],
  ])('%s', async (_, sent, type, value) => {
    expect(await read(sql`${sent}::${sql.raw(type)}`)).toEqual(value)
  })

  it('a Date', async () => {
    const sent = new Date('2026-01-31T09:30:00.123Z')
    expect(await read(sql`${sent}::timestamptz`)).toEqual(sent)
    expect(await read(sql`to_char(${sent}::timestamptz at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.MS')`)).toBe(
      '2026-01-31 09:30:00.123',
    )
  })

  it.each([
    ['a Buffer', Buffer.from([0, 255, 16])],
    ['a part of a Buffer', Buffer.from([9, 0, 255, 16, 9]).subarray(1, 4)],
    ['a Uint8Array', new Uint8Array([0, 255, 16])],
  ])('%s', async (_, sent) => {
    expect(await read(sql`encode(${sent}::bytea, 'hex')`)).toBe('00ff10')
    expect(sent).toHaveLength(3)
  })

  it('large text and many rows', async () => {
    const text = '你好'.repeat(500_000)
    expect(await read(sql`length(${text}::text)`)).toBe(1_000_000)
    const { rows } = await sql`select n, repeat('x', 100) from generate_series(1, 20000) as n`.execute(test.db.executor)
    expect(rows).toHaveLength(20_000)
  })

  it('the number of changed rows', async () => {
    await sql`create table counted (id integer)`.execute(test.db.executor)
    const changed = async (statement: ReturnType<typeof sql>) =>
      Number((await statement.execute(test.db.executor)).numAffectedRows)
    expect(await changed(sql`insert into counted select generate_series(1, 5)`)).toBe(5)
    expect(await changed(sql`update counted set id = id + 1 where id > 2`)).toBe(3)
    expect(await changed(sql`delete from counted where id > 100`)).toBe(0)
    expect(await changed(sql`delete from counted`)).toBe(5)
  })
})
