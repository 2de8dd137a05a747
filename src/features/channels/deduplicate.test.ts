import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { createDeduplicate } from './deduplicate.ts'
import { claimMessage, settleDelivery } from './queries.ts'

let database: TestDatabase
let count = 0
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const newKey = () => ({ channel: 'app', userId: 'u', messageId: `m-${count++}` })
const replica = () => createDeduplicate({ db: database.db, log: { warn: () => {} } })
const leaseOf = { owner: 'dead', leaseSeconds: 60, pushes: false }

function work(answer: string, { pushes = false, before = Promise.resolve() } = {}) {
  const ran: string[] = []
  const pushed: string[] = []
  return {
    ran,
    pushed,
    pushes,
    run: async () => {
      ran.push(answer)
      await before
      return { answer }
    },
    push: async (_: unknown, result: { answer: string }) => void pushed.push(result.answer),
  }
}

it('gives repeats at every replica the first answer, while it is being made and afterwards', async () => {
  const key = newKey()
  const { promise: before, resolve } = Promise.withResolvers<void>()
  const [here, there] = [replica(), replica()]
  const first = work('first', { before })
  const second = work('second')
  const answers = [here(key, first), here(key, second), there(key, second), there(key, second)]
  resolve()
  const all = await Promise.all(answers)
  expect(all.map(({ result }) => result)).toEqual(Array.from({ length: 4 }, () => ({ answer: 'first' })))
  expect(all.map(({ duplicate }) => duplicate)).toEqual([false, true, true, true])
  expect(await replica()(key, second)).toEqual({ result: { answer: 'first' }, duplicate: true })
  expect([first.ran, second.ran]).toEqual([['first'], []])
})

it('shares a failure and then begins anew', async () => {
  const key = newKey()
  const once = replica()
  const failing = { pushes: false, run: () => Promise.reject(new Error('no')), push: async () => {} }
  const both = await Promise.allSettled([once(key, failing), once(key, failing)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await once(key, work('now'))).toEqual({ result: { answer: 'now' }, duplicate: false })
})

it('takes over a message whose process died, and not before its time', async () => {
  const key = newKey()
  await claimMessage(database.db.executor, key, leaseOf)
  const mine = work('mine')
  const answer = replica()(key, mine)
  expect(mine.ran).toEqual([])
  await sql`update gateway_messages set lease_expires_at = now() - interval '1 second'
    where message_id = ${key.messageId}`.execute(database.db.executor)
  expect(await answer).toEqual({ result: { answer: 'mine' }, duplicate: false })
})

it('pushes in the transaction that stores the answer, and stores nothing when that fails', async () => {
  const key = newKey()
  const pushing = work('pushed', { pushes: true })
  await replica()(key, pushing)
  expect(pushing.pushed).toEqual(['pushed'])

  const other = newKey()
  const broken = { ...work('lost', { pushes: true }), push: () => Promise.reject(new Error('full')) }
  await expect(replica()(other, broken)).rejects.toThrow('full')
  const again = work('again', { pushes: true })
  expect(await replica()(other, again)).toMatchObject({ duplicate: false })
  expect(again.pushed).toEqual(['again'])
})

it('settles once how an answer goes out', async () => {
  const { executor } = database.db
  const key = newKey()
  await replica()(key, work('x'))
  expect(await settleDelivery(executor, key, 'in_place')).toMatchObject({ state: 'done', result: { answer: 'x' } })
  expect(await settleDelivery(executor, key, 'in_place')).toBeDefined()
  expect(await settleDelivery(executor, key, 'pushed')).toBeUndefined()
  const other = newKey()
  await replica()(other, work('y'))
  const pushes = await Promise.all(Array.from({ length: 5 }, () => settleDelivery(executor, other, 'pushed')))
  expect(pushes.filter(Boolean)).toHaveLength(1)
  expect(await settleDelivery(executor, other, 'in_place')).toBeUndefined()
})
