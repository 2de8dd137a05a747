import { PGlite } from '@electric-sql/pglite'
import { pg_textsearch } from '@electric-sql/pglite-pg_textsearch'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMaintenance, type Maintenance, type MaintenanceOptions } from './embedded-maintenance.ts'

let pg: PGlite
let maintenance: Maintenance | undefined
let queue: Promise<void> = Promise.resolve()
const inTurn = (task: () => Promise<void>): void => {
  queue = queue.then(task)
}
beforeAll(async () => {
  pg = await PGlite.create({ extensions: { pg_textsearch } })
  await pg.exec('create extension pg_textsearch')
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
  maintenance = createMaintenance(pg, inTurn, { idleMs: 5 })
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
  maintenance = createMaintenance(pg, (task) => void work.push(task), { idleMs: 1 })
  await expect.poll(() => work.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await work[0]?.()
  expect(await state()).toMatchObject({ dead: 40, vacuums: 1 })
})

it('does nothing within a transaction', async () => {
  await pg.exec('delete from "Odd name"')
  await state()
  const work: (() => Promise<void>)[] = []
  maintenance = createMaintenance(pg, (task) => void work.push(task), { idleMs: 1 })
  await expect.poll(() => work.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await pg.exec('begin')
  await work[0]?.()
  await pg.exec('commit')
  expect(await state()).toMatchObject({ vacuums: 0 })
  await work[0]?.()
  expect(await state()).toMatchObject({ vacuums: 1 })
})

const SEGMENTS = `select sum(n)::int as segments from unnest(bm25_level_counts('odd_index'::regclass)) n`

async function segments(): Promise<number> {
  const { rows } = await pg.query<{ segments: number }>(SEGMENTS)
  return rows[0]?.segments ?? -1
}

async function needsMerge(): Promise<boolean | undefined> {
  const { rows } = await pg.query<{ needed: boolean }>(`select bm25_needs_compaction('odd_index'::regclass) as needed`)
  return rows[0]?.needed
}

/** Ids of rows that hold a word, as the index finds them. */
async function found(word: string): Promise<number[]> {
  const { rows } = await pg.query<{ id: number }>(
    `select id from "Odd name" order by x <@> to_bm25query($1, 'odd_index') limit 1000`,
    [word],
  )
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

const UPLOADS = [10_000, 20_000, 30_000, 40_000]

/** Each in a segment of its own, beside so many rows that the table needs no vacuum, which would merge some by itself. */
async function uploadAll(): Promise<void> {
  await pg.exec(`insert into "Odd name" select i, 'other' || i from generate_series(501, 5000) i`)
  await pg.exec(`create index odd_index on "Odd name" using bm25 (x) with (text_config = 'simple')`)
  await state()
  await pg.exec('vacuum (analyze) "Odd name"')
  for (const upload of UPLOADS) {
    await pg.exec(`insert into "Odd name"
      select i, 'shared only' || i || ' of' || ${upload} from generate_series(${upload + 1}, ${upload + 100}) i`)
    await pg.query(`select bm25_spill_index('odd_index')`)
  }
  await state()
}

async function expectAllFound(count: number): Promise<void> {
  for (const upload of UPLOADS.slice(1)) expect(await found(`of${upload}`)).toHaveLength(100)
  for (const id of [10_002, 20_001, 30_100]) expect(await found(`only${id}`)).toEqual([id])
  expect(await found('shared')).toHaveLength(count)
}

it('merges the segments that uploads leave, and the index finds as before what each of them holds', async () => {
  await uploadAll()
  expect(await segments()).toBeGreaterThan(1)
  maintenance = createMaintenance(pg, inTurn, { idleMs: 5 })
  await expect.poll(segments, { timeout: 30_000 }).toBe(1)
  expect(await state()).toMatchObject({ analyses: 1 })
  await expectAllFound(400)
  await queue
  expect((await pg.query(`select bm25_pending_free_pages('odd_index')::int as pages`)).rows).toEqual([{ pages: 0 }])
})

it('merges of a large index those segments that are alike, and ends', async () => {
  await uploadAll()
  await pg.exec('delete from "Odd name" where id = 10001')
  await pg.exec('set pg_textsearch.segments_per_level = 2')
  expect(await needsMerge()).toBe(true)
  maintenance = createMaintenance(pg, inTurn, { idleMs: 5, maxMergedBytes: 0 })
  await expect.poll(needsMerge, { timeout: 30_000 }).toBe(false)
  await expectAllFound(399)
  expect(await found('only10001')).toEqual([])
})

it('has nothing left to do once all is in one piece', async () => {
  await pg.exec(`create index odd_index on "Odd name" using bm25 (x) with (text_config = 'simple')`)
  await pg.exec('vacuum (analyze) "Odd name"')
  await state()
  const work: (() => Promise<void>)[] = []
  maintenance = createMaintenance(pg, (task) => void work.push(task), { idleMs: 1 })
  await expect.poll(() => work.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await work[0]?.()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(work).toHaveLength(1)
})

/** Requests that leave no quiet moment, each of which is a minute after the one before by this clock. */
async function poll(options: MaintenanceOptions, count: number): Promise<void> {
  let nowMs = 0
  maintenance = createMaintenance(pg, inTurn, { now: () => nowMs, ...options })
  for (let i = 0; i < count; i++) {
    nowMs += 60_000
    maintenance.postpone()
    await queue
    await pg.query('select 1')
  }
}

it('vacuums also when requests never cease', async () => {
  await pg.exec('delete from "Odd name" where id <= 400')
  expect(await state()).toMatchObject({ dead: 400, vacuums: 0 })
  await poll({}, 11)
  expect(await state()).toMatchObject({ dead: 0, vacuums: 1 })
})

it('does nothing amid requests before it is due', async () => {
  await pg.exec('delete from "Odd name" where id <= 400')
  await state()
  await poll({ deadlineMs: 600_001 }, 10)
  expect(await state()).toMatchObject({ dead: 400, vacuums: 0 })
})

it('freezes what has become old, catalogs and templates too, and once', async () => {
  for (let i = 0; i < 300; i++) await pg.exec('select txid_current()')
  const oldest = async (): Promise<{ table: number; database: number } | undefined> =>
    (
      await pg.query<{ table: number; database: number }>(
        `select max(age(relfrozenxid)) filter (where relfrozenxid <> '0') as table,
         (select max(age(datfrozenxid)) from pg_database) as database from pg_class`,
      )
    ).rows[0]
  expect((await oldest())?.table).toBeGreaterThan(300)
  await poll({ freezeAge: 250, pauseMs: 0 }, 150)
  const { table = 0, database = 0 } = (await oldest()) ?? {}
  expect(table).toBeLessThanOrEqual(250)
  expect(database).toBeLessThanOrEqual(250)
  expect((await pg.query('select count(*)::int as count from "Odd name"')).rows).toEqual([{ count: 500 }])
})
