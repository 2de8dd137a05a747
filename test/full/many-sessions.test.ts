// Own process: fills a database with a great many sessions.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** On a server as many as a large shop has in years; the embedded database is for fewer. */
const SESSIONS = process.env.TEST_DATABASE_URL ? 1_000_000 : 100_000
const SECOND_HALF = SESSIONS / 2

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
  const run = (statement: ReturnType<typeof sql>) => statement.execute(test.db.executor)
  for (let from = 0; from < SESSIONS; from += 50_000) {
    await run(sql`insert into chat_sessions (session_id, user_id, channel, turn_count, intent, agent_status, escalated_at,
        priority, context, created_at, updated_at)
      select 'sess_' || n, 'user-' || n / 2, 'web', 2, 'faq',
        case when n % 1000 = 0 then 'resolved' when n % 50000 = 1 then 'pending' end,
        case when n % 1000 = 0 or n % 50000 = 1 then now() - make_interval(secs => n % 86400) end,
        case when n % 50000 = 1 then 'high' end, '{"questions": ["how long is the warranty"]}',
        now() - make_interval(secs => n), now() - make_interval(secs => n)
      from generate_series(${from}::integer, ${from + 49_999}::integer) n`)
  }
  await run(sql`insert into chat_messages (message_id, session_id, role, content)
    select 'msg_' || n, 'sess_' || n, 'user', 'How long is the warranty?' from generate_series(1, 50000) n`)
  await run(sql`insert into traces (trace_id, session_id, channel, status, intent, started_at, duration_ms, steps, sub_tasks)
    select 'trace_' || n, 'sess_' || n, 'web', 'ok', 'faq', now() - make_interval(secs => n), 5, '[]', '[]'
    from generate_series(1, 50000) n`)
  for (const table of ['chat_sessions', 'chat_messages', 'traces']) await run(sql`analyze ${sql.table(table)}`)
}, 600_000)
afterAll(() => test.close())

async function planOf(statement: ReturnType<typeof sql>): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(test.db.executor)
  return rows.map((row) => Object.values(row)[0]).join('\n')
}

const settled = sql`(agent_status is null or agent_status = 'resolved')`
const STATEMENTS: [what: string, statement: ReturnType<typeof sql>][] = [
  ['a session', sql`select * from chat_sessions where session_id = 'sess_7'`],
  ['the waiting', sql`select * from chat_sessions where agent_status = 'pending' order by escalated_at limit 200`],
  [
    'the overdue',
    sql`select session_id from chat_sessions where agent_status = 'pending' and escalated_at < now()
    order by escalated_at limit 100`,
  ],
  ['the longest waiting', sql`select min(escalated_at) from chat_sessions where agent_status = 'pending'`],
  [
    'the active',
    sql`select * from chat_sessions where updated_at > now() - interval '30 minutes'
    order by updated_at desc, session_id limit 1000`,
  ],
  ['how many are active', sql`select count(*) from chat_sessions where updated_at > now() - interval '30 minutes'`],
  [
    'a channel’s customer',
    sql`select session_id from chat_sessions where channel = 'web' and user_id = 'user-7'
    order by updated_at desc, session_id limit 1`,
  ],
  [
    'a customer’s',
    sql`select session_id from chat_sessions where user_id = any('{user-7}'::text[]) and user_id <> ''
    limit 50`,
  ],
  [
    'the old',
    sql`select session_id from chat_sessions where updated_at < now() - interval '400 days' and ${settled}
    order by updated_at limit 50`,
  ],
  [
    'messages of some',
    sql`select seq from chat_messages where session_id = any('{sess_7,sess_8}'::text[])
    order by session_id, seq limit 500`,
  ],
  ['traces of some', sql`select ctid from traces where session_id = any('{sess_7,sess_8}'::text[]) limit 100`],
]

describe(`with ${SESSIONS} sessions`, () => {
  it.each(STATEMENTS)('%s: found by an index, never by reading all', async (_, statement) => {
    const plan = await planOf(statement)
    expect(plan).toMatch(/Index/)
    expect(plan).not.toMatch(/Seq Scan on (?:chat_sessions|chat_messages|traces)/)
  })

  it('answers every endpoint that lists or counts them', async () => {
    for (const path of [
      '/agent/sessions/pending',
      '/monitor/sessions',
      '/monitor/overview',
      '/operations/dashboard',
      '/operations/dashboard?force_refresh=true',
    ]) {
      expect((await test.call('GET', `/api/v1${path}`)).status, path).toBe(200)
    }
    const dashboard = await test.call('GET', '/api/v1/operations/dashboard')
    expect(dashboard.body.total_sessions).toBe(SESSIONS)
  })

  it('erases one customer among them while others are answered', async () => {
    let isOver = false
    let answered = 0
    const erasing = test.call('DELETE', `/api/v1/customers/user-${SECOND_HALF / 2}`).finally(() => {
      isOver = true
    })
    while (!isOver) {
      expect((await test.call('POST', '/api/v1/chat', { message: 'hello' })).status).toBe(200)
      answered += 1
    }
    expect((await erasing).body.erased).toMatchObject({ sessions: 2 })
    expect(answered).toBeGreaterThan(0)
  })
})
