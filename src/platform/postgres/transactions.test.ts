import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Database, Executor } from './index.ts'

/** The same promises on an embedded database, with its one connection, and on a server, with a pool of them. */
let test: TestDatabase
let db: Database
beforeAll(async () => {
  test = await createTestDatabase()
  db = test.db
  await sql`create table entries (id integer primary key, label text not null check (label <> ''))`.execute(db.executor)
})
beforeEach(() => sql`delete from entries`.execute(db.executor))
afterAll(() => test.close())

const add = (executor: Executor, id: number, label = 'x') =>
  sql`insert into entries (id, label) values (${id}, ${label})`.execute(executor)

async function ids(executor: Executor = db.executor): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from entries order by id`.execute(executor)
  return rows.map(({ id }) => id)
}

describe('a transaction', () => {
  it('commits what its work did and resolves to its result', async () => {
    const result = await db.transaction(async (trx) => {
      await add(trx, 1)
      await add(trx, 2)
      return 'done'
    })
    expect(result).toBe('done')
    expect(await ids()).toEqual([1, 2])
  })

  it('rolls everything back when its work throws, and throws that', async () => {
    const failure = new Error('planted')
    const work = db.transaction(async (trx) => {
      await add(trx, 1)
      throw failure
    })
    await expect(work).rejects.toBe(failure)
    expect(await ids()).toEqual([])
  })

  it('rolls back when a statement fails, and later ones find a sound connection', async () => {
    const work = db.transaction(async (trx) => {
      await add(trx, 1)
      await add(trx, 1)
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(await ids()).toEqual([])
    await db.transaction((trx) => add(trx, 2))
    expect(await ids()).toEqual([2])
  })

  it('does not commit when its work swallows a failed statement', async () => {
    const work = db.transaction(async (trx) => {
      await add(trx, 1)
      await add(trx, 1).catch(() => {})
    })
    await work.catch(() => {})
    expect(await ids()).toEqual([])
  })

  it('sees its own rows; others see them after the commit', async () => {
    const inside = Promise.withResolvers<number[]>()
    const release = Promise.withResolvers<void>()
    const work = db.transaction(async (trx) => {
      await add(trx, 1)
      inside.resolve(await ids(trx))
      await release.promise
    })
    expect(await inside.promise).toEqual([1])
    const outside = ids()
    // A server answers before the commit, the embedded database after it; neither shows half of the work.
    const early = await Promise.race([outside, sleep(50).then(() => 'waiting' as const)])
    expect([[], 'waiting']).toContainEqual(early)
    release.resolve()
    await work
    expect(await ids()).toEqual([1])
  })
})

describe('statements beside a transaction', () => {
  it('never land in it: they stay when it is rolled back', async () => {
    const started = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const work = db.transaction(async (trx) => {
      await add(trx, 1)
      started.resolve()
      await release.promise
      await add(trx, 2)
      throw new Error('planted')
    })
    await started.promise
    const beside = Promise.all([add(db.executor, 10), add(db.executor, 11), db.transaction((trx) => add(trx, 12))])
    await sleep(20)
    release.resolve()
    await expect(work).rejects.toThrow('planted')
    await beside
    expect(await ids()).toEqual([10, 11, 12])
  })

  it('keep apart under load: each of 200 transactions is whole or absent', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        db.transaction(async (trx) => {
          await add(trx, index * 2)
          if (index % 3 === 0) await sleep(1)
          await add(trx, index * 2 + 1)
          if (index % 4 === 0) throw new Error('planted')
          if (index % 5 === 0) await add(trx, index * 2)
        }),
      ),
    )
    const committed = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
    expect(committed).toEqual(Array.from({ length: 200 }, (_, i) => i).filter((i) => i % 4 !== 0 && i % 5 !== 0))
    expect(await ids()).toEqual(committed.flatMap((index) => [index * 2, index * 2 + 1]))
  })

  it('are not poisoned by a failed one', async () => {
    const results = await Promise.allSettled([add(db.executor, 1), add(db.executor, 2, ''), add(db.executor, 3)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await ids()).toEqual([1, 3])
  })
})

describe('a second connection within a transaction', () => {
  const REFUSED = /asked for a second connection/

  it.each<[name: string, use: () => Promise<unknown>]>([
    ['a statement', () => ids()],
    ['another transaction', () => db.transaction((trx) => ids(trx))],
    ['a statement after some waiting', () => sleep(1).then(() => ids())],
  ])('is refused instead of waited for without end: %s', async (_, use) => {
    const work = db.transaction(async (trx) => {
      await add(trx, 1)
      await use()
    })
    await expect(work).rejects.toThrow(REFUSED)
    expect(await ids()).toEqual([])
  })

  it('is there once it has ended, also for what began within it', async () => {
    const { timer } = await db.transaction(async (trx) => {
      await add(trx, 1)
      return { timer: sleep(30).then(() => ids()) }
    })
    expect(await timer).toEqual([1])
    await db.transaction((trx) => add(trx, 2)).then(() => add(db.executor, 3))
    expect(await ids()).toEqual([1, 2, 3])
  })
})

describe('errors of a statement', () => {
  it.each<[name: string, run: () => Promise<unknown>, code: string]>([
    ['a broken constraint', () => add(db.executor, 1, ''), '23514'],
    ['a syntax error', () => sql`selec 1`.execute(db.executor), '42601'],
    ['a missing table', () => sql`select * from nothing_here`.execute(db.executor), '42P01'],
    ['a division by zero', () => sql`select 1 / 0`.execute(db.executor), '22012'],
  ])('keep their SQLSTATE: %s', async (_, run, code) => {
    const error = await run().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code })
    expect(error).not.toBeInstanceOf(AppError)
  })

  it('name the constraint that was broken', async () => {
    await expect(add(db.executor, 1, '')).rejects.toMatchObject({ constraint: 'entries_label_check' })
  })
})
