import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { createWatchApp, type WatchApp } from '../support/watch-app.ts'

let database: TestDatabase
let replica: WatchApp
beforeAll(async () => {
  database = await createTestDatabase()
  replica = await createWatchApp(database.db)
})
afterAll(async () => {
  await replica.close()
  await database.close()
})

/** A list is shared by those who ask within some seconds, so it is asked for when it must have changed. */
const alerts = async () => (await replica.call('GET', '/api/v1/observability/alerts?source=keys')).body

it('many wrong keys raise an alert that names no address, and resolve it once nobody guesses any more', async () => {
  for (let count = 0; count < 21; count++) replica.watching.wrongKey()
  await replica.watching.evaluate()
  expect(await alerts()).toMatchObject([
    { level: 'warn', source: 'keys', fingerprint: 'wrong_keys', details: { count: 21, limit: 20 }, resolved_at: null },
  ])
  replica.clock.advance(20 * 60_000)
  await replica.watching.evaluate()
  expect(await alerts()).toMatchObject([{ fingerprint: 'wrong_keys', resolved_at: expect.any(String) }])
})
