import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { statementOver } from './index.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

interface Named {
  name: string
  size: number
}

it('a statement over rows finds its values anew in every run, within a transaction too', async () => {
  const select = statementOver<{ rows: readonly Named[]; factor: number }>(
    ({ column, value }) => sql`select name, size * ${value(({ factor }) => factor)}::int4 + ${1} as size
      from unnest(${column('text', ({ name }) => name)}, ${column('int4', ({ size }) => size)}) as r(name, size)`,
  )
  const { executor } = test.db
  const rows = [
    { name: 'a', size: 1 },
    { name: 'b', size: 2 },
  ]
  expect((await select(executor, { rows, factor: 10 })).rows).toEqual([
    { name: 'a', size: 11 },
    { name: 'b', size: 21 },
  ])
  const later = await test.db.transaction((trx) => select(trx, { rows: [{ name: 'c', size: 3 }], factor: 100 }))
  expect(later.rows).toEqual([{ name: 'c', size: 301 }])
})
