import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { listPending } from './queries.ts'

it('lists who waits with the most pressing first, the longest waiting among equals, and by id where even that is equal', async () => {
  const { db, close } = await createTestDatabase()
  const waiting = [
    ['f', 'low', '10:00'],
    ['c', 'urgent', '10:05'],
    ['b', 'urgent', '10:04'],
    ['e', 'medium', '10:01'],
    ['d', 'medium', '10:01'],
    ['a', 'high', '10:09'],
  ] as const
  for (const [id, priority, time] of waiting) {
    await sql`insert into chat_sessions (session_id, user_id, channel, agent_status, priority, escalated_at)
      values (${id}, '', 'web', 'pending', ${priority}, ${`2026-01-01T${time}:00Z`})`.execute(db.executor)
  }
  const listed = await listPending(db.executor, 5)
  expect(listed.map(({ sessionId }) => sessionId)).toEqual(['b', 'c', 'a', 'd', 'e'])
  await close()
})
