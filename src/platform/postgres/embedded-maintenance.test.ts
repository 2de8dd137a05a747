import { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMaintenance, type Maintenance } from './embedded-maintenance.ts'

let pg: PGlite
let maintenance: Maintenance | undefined
let queue: Promise<void> = Promise.resolve()
const inTurn = (task: () => Promise<void>): void => {
  queue = queue.then(task)
}
beforeAll(async () => {
  pg = await PGlite.create()
})
afterAll(() => pg.close())
beforeEach(async () => {
  await pg.exec('drop table if exists "Odd name"; create table "Odd name" (id int, x text)')
  await pg.exec(`insert into "Odd name" select i, 'x' from generate_series(1, 500) i`)
  await state()
})
afterEach(async () => {
  maintenance?.stop()
  await queue
})

async function state(): Promise<{ dead: number; vacuums: number; analyses: number }> {
  await pg.query('select pg_stat_force_next_flush()')
  const { rows } = await pg.query<{ dead: number; vacuums: number; analyses: number }>(
    `select n_dead_tup::int as dead, vacuum_count::int as vacuums, analyze_count::int as analyses
     from pg_stat_user_tables where relname = 'Odd name'`,
  )
  return rows[0] ?? { dead: -1, vacuums: -1, analyses: -1 }
}

it('vacuums and analyses a table with many dead rows in a quiet moment, once', async () => {
  await pg.exec('delete from "Odd name" where id <= 400')
  expect(await state()).toMatchObject({ dead: 400, vacuums: 0 })
  maintenance = createMaintenance(pg, inTurn, 5)
  await expect.poll(state, { timeout: 30_000 }).toEqual({ dead: 0, vacuums: 1, analyses: 1 })
  await pg.query('select 1')
  maintenance.postpone()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await queue
  expect(await state()).toMatchObject({ vacuums: 1 })
})

it('leaves a table alone that hardly changed', async () => {
  await pg.exec('vacuum (analyze) "Odd name"')
  await pg.exec('delete from "Odd name" where id <= 40')
  await state()
  const work: (() => Promise<void>)[] = []
  maintenance = createMaintenance(pg, (task) => void work.push(task), 1)
  await expect.poll(() => work.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await work[0]?.()
  expect(await state()).toMatchObject({ dead: 40, vacuums: 1 })
})

it('does nothing within a transaction', async () => {
  await pg.exec('delete from "Odd name"')
  await state()
  const work: (() => Promise<void>)[] = []
  maintenance = createMaintenance(pg, (task) => void work.push(task), 1)
  await expect.poll(() => work.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await pg.exec('begin')
  await work[0]?.()
  await pg.exec('commit')
  expect(await state()).toMatchObject({ vacuums: 0 })
  await work[0]?.()
  expect(await state()).toMatchObject({ vacuums: 1 })
})
