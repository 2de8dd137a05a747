import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStatements, type Statements } from './embedded-statements.ts'

let pg: PGlite
let statements: Statements
beforeAll(async () => {
  pg = await PGlite.create()
  statements = createStatements(pg)
})
afterAll(() => pg.close())

const run = (text: string, ...params: unknown[]) => statements.query(text, params)

async function preparedCount(): Promise<number> {
  const { rows } = await pg.query<{ count: number }>('select count(*)::int as count from pg_prepared_statements')
  return rows[0]?.count ?? 0
}

describe('a statement that runs again and again', () => {
  it.each<[string, string, unknown[]]>([
    [
      'values of many types',
      'select $1::int as a, $2::text as b, $3::boolean as c, $4::jsonb as d',
      [1, 'x', true, [1]],
    ],
    ['nulls', 'select $1::int as a, $2::text[] as b', [null, undefined]],
    [
      'lists',
      'select $1::int[] as a, $2::text[] as b',
      [
        [1, 2],
        ['{', '"', '\\', ''],
      ],
    ],
    ['times', 'select $1::timestamptz as a', [new Date('2026-01-31T09:30:00.123Z')]],
    ['bytes', 'select $1::bytea as a', [new Uint8Array([0, 255, 16])]],
    ['several rows', 'select n, n * 2 as twice from generate_series(1, $1::int) as n', [3]],
    ['no rows', 'select 1 as a where $1::boolean', [false]],
  ])('answers as the library does, whatever its plan: %s', async (_, text, params) => {
    const expected = (await pg.query(text, params)).rows
    // Postgres may choose a plan for all values after five runs; ours is made again after 500.
    for (let i = 0; i < 505; i++) expect((await run(text, ...params)).rows).toEqual(expected)
  })

  it('keeps texts as they are', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((value) => !value.includes('\0'))
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
        async (value, number) => {
          const { rows } = await run('select $1::text as value, $2::float8 as number', value, number)
          expect(rows).toEqual([{ value: value.toWellFormed(), number }])
        },
      ),
    )
  })
})

describe('affected rows', () => {
  it('are counted for changes, and for them only', async () => {
    await pg.exec('create table counted (id int)')
    expect(await run('insert into counted select generate_series(1, $1::int)', 3)).toEqual({
      rows: [],
      affectedRows: 3,
    })
    expect(await run('update counted set id = id + 1 where id > $1 returning id', 2)).toEqual({
      rows: [{ id: 4 }],
      affectedRows: 1,
    })
    expect((await run('select * from counted')).affectedRows).toBe(0)
    expect((await run('delete from counted')).affectedRows).toBe(3)
  })
})

describe('a statement that fails', () => {
  it('fails with the code of the database and leaves the connection ready', async () => {
    for (let i = 0; i < 3; i++) {
      await expect(run('select 1 / $1::int as a', 0)).rejects.toMatchObject({ code: '22012' })
      await expect(run('select nonsense')).rejects.toMatchObject({ code: '42703' })
      await expect(run('select $1::text as a', 'a\0b')).rejects.toThrow()
      expect((await run('select 1 / $1::int as a', 1)).rows).toEqual([{ a: 1 }])
    }
  })

  it('aborts the transaction that it is in', async () => {
    await pg.exec('create table attempts (id int)')
    await run('begin')
    await run('insert into attempts values ($1)', 1)
    await expect(run('select 1 / $1::int as a', 0)).rejects.toMatchObject({ code: '22012' })
    await expect(run('insert into attempts values ($1)', 1)).rejects.toMatchObject({ code: '25P02' })
    await run('rollback')
    await run('insert into attempts values ($1)', 2)
    expect((await run('select id from attempts')).rows).toEqual([{ id: 2 }])
  })
})

describe('a table whose columns change', () => {
  it('is read with its new columns', async () => {
    await pg.exec('create table changing as select 1 as a')
    expect((await run('select * from changing')).rows).toEqual([{ a: 1 }])
    await pg.exec('alter table changing add column b int default 2')
    expect((await run('select * from changing')).rows).toEqual([{ a: 1, b: 2 }])
  })

  it('costs a transaction that began before, and no later one', async () => {
    await pg.exec('create table shifting as select 1 as a')
    await run('select * from shifting')
    await run('begin')
    await run('alter table shifting add column b int default 2')
    await expect(run('select * from shifting')).rejects.toMatchObject({ code: '0A000' })
    await run('rollback')
    expect((await run('select * from shifting')).rows).toEqual([{ a: 1 }])
  })
})

describe('many different statements', () => {
  it('do not pile up in the database', async () => {
    for (let i = 0; i < 450; i++) expect((await run(`select ${i} as a`)).rows).toEqual([{ a: i }])
    expect(await preparedCount()).toBeLessThanOrEqual(201)
    expect((await run('select 0 as a')).rows).toEqual([{ a: 0 }])
  })

  it('are not kept when they are long or do not read or change rows', async () => {
    const before = await preparedCount()
    expect((await run(`select '${'x'.repeat(5_000)}' as a`)).rows).toHaveLength(1)
    await run('set work_mem = 4096')
    expect(await preparedCount()).toBe(before)
  })
})
