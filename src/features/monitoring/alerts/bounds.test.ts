import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import { boundAlerts } from './queries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

it('of alerts that are over the newest are kept, however many resets of breakers made them, and open ones always', async () => {
  const { executor } = database.db
  await sql`insert into alerts (alert_id, level, source, message, details, fingerprint, created_at, last_seen_at, resolved_at)
    select n::text, 'warn', 'test', 'x', '{}', n::text, now(), now(), case when n = 1 then null else now() end
    from generate_series(1, 20) n`.execute(executor)
  await boundAlerts(executor, 5)
  const { rows } = await sql<{ id: string }>`select alert_id as id from alerts order by seq`.execute(executor)
  expect(rows.map(({ id }) => id)).toEqual(['1', '16', '17', '18', '19', '20'])
})
