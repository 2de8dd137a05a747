import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/test-database.ts'
import { trace } from '../../../test/support/traces.ts'
import { insertTraces } from '../monitoring/traces/queries.ts'
import { toTraceRow } from '../monitoring/traces/trace-row.ts'
import { createErasures } from './erasure.ts'
import { exportCustomer } from './export.ts'
import { createRetention } from './retention.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const run = (statement: ReturnType<typeof sql>) => statement.execute(database.db.executor)
async function count(table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database.db.executor)
  return Number(rows[0]?.n)
}
async function addSessions(userId: string, sessions: number, messages: number): Promise<void> {
  await run(sql`insert into chat_sessions (session_id, user_id, channel)
    select ${userId} || n, ${userId}, 'web' from generate_series(1, ${sessions}::integer) n`)
  await run(sql`insert into chat_messages (message_id, session_id, role, content)
    select ${userId} || n || '-' || m, ${userId} || n, 'user', 'words' from generate_series(1, ${sessions}::integer) n,
      generate_series(1, ${messages}::integer) m`)
}
const erasures = (turnWaitMs = 0) => createErasures({ db: database.db, forget() {}, turnWaitMs, log: silentLog })
const request = { userId: 'ana', records: true, caller: 'test' }

describe('an erasure', () => {
  it('of many messages lets others have the database between its steps', async () => {
    await addSessions('ana', 120, 30)
    await addSessions('ben', 3, 3)
    let isOver = false
    let others = 0
    const erasing = erasures()
      .erase(request)
      .finally(() => {
        isOver = true
      })
    while (!isOver) {
      await run(sql`select 1`)
      others += 1
    }
    expect((await erasing).counts).toMatchObject({ sessions: 120, messages: 3_600 })
    expect([await count('chat_sessions'), await count('chat_messages')]).toEqual([3, 9])
    // Three rounds of fifty sessions, of many statements each.
    expect(others).toBeGreaterThan(20)
  })

  it('that is cut off anywhere goes on where it was, and counts everything once', async () => {
    await addSessions('ana', 110, 10)
    const first = erasures()
    const cut = first.erase(request).catch((error: Error) => error.message)
    while ((await count('chat_sessions')) === 110) await run(sql`select 1`)
    await first.close()
    expect(await cut).toContain('goes on with this')
    const left = await count('chat_sessions')
    expect(left).toBeGreaterThan(0)
    const { rows: before } = await sql<{ state: string; userId: string }>`select state, user_id as "userId"
      from customer_erasures`.execute(database.db.executor)
    expect(before).toEqual([{ state: 'started', userId: 'ana' }])
    // On a server a lease says whether the process is gone.
    await run(sql`update customer_erasures set lease_expires_at = now() - interval '1 second'`)
    await erasures().resume()
    expect([await count('chat_sessions'), await count('chat_messages')]).toEqual([0, 0])
    const { items } = await erasures().list({ limit: 10, offset: 0, userId: 'ana' })
    expect(items).toMatchObject([{ state: 'finished', userId: null, counts: { sessions: 110, messages: 1_100 } }])
  })

  it('is not undone by traces that were queued, and stops none of a session that takes the id later', async () => {
    await addSessions('ana', 1, 1)
    const early = trace({ sessionId: 'ana1', startedAt: Date.now() - 1_000 })
    await erasures().erase(request)
    const later = trace({ sessionId: 'ana1', startedAt: Date.now() + 60_000 })
    const other = trace({ sessionId: 'ben1', startedAt: early.startedAt })
    await insertTraces(
      database.db.executor,
      [early, later, other].map((each) => toTraceRow(each, (text) => text)),
      [],
    )
    const { rows } = await sql<{ id: string }>`select trace_id as id from traces`.execute(database.db.executor)
    expect(rows.map(({ id }) => id).toSorted()).toEqual([later.traceId, other.traceId].toSorted())
  })

  it('ends a turn that takes too long without its session, also where another has taken the id', async () => {
    await addSessions('ana', 1, 1)
    await run(sql`update chat_sessions set turn_owner = 'slow', turn_expires_at = now() + interval '1 hour'`)
    await erasures().erase(request)
    const end = JSON.stringify([
      {
        sessionId: 'ana1',
        owner: 'slow',
        isGuest: false,
        failedAttempts: 0,
        emotionScore: 0,
        intent: 'faq',
        context: { questions: ['old words'] },
        reply: { messageId: 'late', content: 'old words', sources: [], details: {} },
      },
    ])
    const finish = () =>
      sql<{ ended: string }>`select end_chat_turns(turns_not_erased(${end}::jsonb)) as ended`.execute(
        database.db.executor,
      )
    expect((await finish()).rows[0]?.ended).toBe('[]')
    await run(
      sql`insert into chat_sessions (session_id, user_id, channel, turn_owner) values ('ana1', 'ana', 'web', 'new')`,
    )
    expect((await finish()).rows[0]?.ended).toBe('[]')
    expect(await count('chat_messages')).toBe(0)
    await run(sql`update chat_sessions set turn_owner = 'slow'`)
    expect((await finish()).rows[0]?.ended).not.toBe('[]')
  })
})

describe('an export', () => {
  it('holds every row of many pages once, in order, and says that it is complete', async () => {
    await addSessions('ana', 60, 11)
    await addSessions('ben', 2, 2)
    let text = ''
    for await (const piece of exportCustomer(database.db, 'ana', new Date(0))) text += piece
    const shown = JSON.parse(text)
    expect(shown).toMatchObject({ user_id: 'ana', exported_at: '1970-01-01T00:00:00.000Z', orders: [], complete: true })
    expect(shown.sessions).toHaveLength(60)
    expect(new Set(shown.messages.map((each: { message_id: string }) => each.message_id)).size).toBe(660)
    const first = shown.messages.filter((each: { session_id: string }) => each.session_id === 'ana7')
    expect(first.map((each: { message_id: string }) => each.message_id)).toEqual(
      Array.from({ length: 11 }, (_, m) => `ana7-${m + 1}`),
    )
  })
})

describe('retention', () => {
  const days = { conversations: 30, traces: 14, tickets: 0, alerts: 90, evaluations: 0, audit: 730, series: 0 }
  const retention = (changes: Partial<typeof days> = {}) => {
    const clock = createManualClock(Date.now())
    return createRetention({
      db: database.db,
      clock,
      days: { ...days, ...changes },
      maxTraces: 100,
      intervalMs: 600_000,
    })
  }

  it('removes conversations that nobody has used for so long, and none that a person has or is to have', async () => {
    await addSessions('ana', 120, 2)
    await run(sql`update chat_sessions set updated_at = now() - interval '31 days' where session_id <> 'ana1'`)
    await run(sql`update chat_sessions set agent_status = 'pending' where session_id = 'ana2'`)
    await run(sql`update chat_sessions set agent_status = 'assigned' where session_id = 'ana3'`)
    await run(sql`update chat_sessions set agent_status = 'resolved' where session_id = 'ana4'`)
    expect((await retention({ conversations: 0 }).run()).chat_sessions).toBeUndefined()
    expect((await retention().run()).chat_sessions).toBe(117)
    const { rows } = await sql<{ id: string }>`select session_id as id from chat_sessions order by 1`.execute(
      database.db.executor,
    )
    expect(rows.map(({ id }) => id)).toEqual(['ana1', 'ana2', 'ana3'])
    expect(await count('chat_messages')).toBe(6)
  })

  it('lets one of several replicas run', async () => {
    await run(sql`insert into idempotency_keys (key, fingerprint, created_at)
      select 'k' || n, 'f', now() - interval '2 days' from generate_series(1, 1200) n`)
    await retention().runIfDue()
    expect(await count('idempotency_keys')).toBe(0)
    await run(
      sql`insert into idempotency_keys (key, fingerprint, created_at) values ('k', 'f', now() - interval '2 days')`,
    )
    await retention().runIfDue()
    expect(await count('idempotency_keys')).toBe(1)
  })
})
