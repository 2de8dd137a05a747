import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../../test/support/test-database.ts'

const MIGRATION = new URL('../../../migrations/0015_identities.sql', import.meta.url)

it('conversations of platforms from before go on under names that the shop cannot give, unless a customer has the name', async () => {
  const test = await createTestDatabase()
  const { executor } = test.db
  await sql`insert into business_customers (user_id, record, revision) values ('anna_1', '{}', 1)`.execute(executor)
  const sessions = [
    { id: 's1', user: 'o-1', channel: 'wechat' },
    { id: 's2', user: 'anna_1', channel: 'wechat' },
    { id: 'dingtalk:c:$:v1:$x', user: '$:v1:$x', channel: 'dingtalk' },
    { id: 's4', user: 'o-4', channel: 'wechat', by: 'the shop' },
    { id: 's5', user: 'anna_1', channel: 'web', by: 'the shop' },
  ]
  for (const { id, user, channel, by } of sessions) {
    await sql`insert into chat_sessions (session_id, user_id, channel) values (${id}, ${user}, ${channel})`.execute(
      executor,
    )
    if (by) continue
    await sql`insert into gateway_addresses (session_id, channel, lane, address)
      values (${id}, ${channel}, 'lane', ${JSON.stringify({ openId: user })}::jsonb)`.execute(executor)
  }
  const text = await readFile(MIGRATION, 'utf8')
  await sql.raw(text.slice(text.indexOf('update chat_sessions s set'))).execute(executor)
  const { rows } = await sql<{ user: string; origin: string }>`select user_id as "user", origin from chat_sessions
    order by session_id`.execute(executor)
  expect(rows.map(({ user, origin }) => `${user} ${origin}`).toSorted()).toEqual(
    ['wechat:o-1 wechat', 'dingtalk:$:v1:$x dingtalk', 'anna_1 given', 'o-4 given', 'anna_1 given'].toSorted(),
  )
  await test.close()
})
