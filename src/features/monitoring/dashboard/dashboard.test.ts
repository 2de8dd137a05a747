import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import { createDashboard } from './dashboard.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

/** The same database with its statements counted. */
function watched(db: Database) {
  let statements = 0
  const executor = new Proxy(db.executor, {
    get(target, property) {
      if (property === 'getExecutor') statements += 1
      const value = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db: { ...db, executor }, statements: () => statements }
}

function setUp(minSessions = 1) {
  const clock = createManualClock()
  const observed = watched(database.db)
  const dashboard = createDashboard({
    db: observed.db,
    clock,
    averageTurnMs: async () => 0,
    keyOf: (question) => question.toLowerCase(),
    minSessions,
  })
  return { clock, dashboard, statements: observed.statements }
}

describe('the dashboard', () => {
  it('is read at most every 30 seconds', async () => {
    const { clock, dashboard, statements } = setUp()
    const first = await dashboard.read({ forceRefresh: false })
    const perRead = statements()
    expect(perRead).toBeGreaterThan(0)
    clock.advance(29_999)
    expect(await dashboard.read({ forceRefresh: false })).toBe(first)
    expect(statements()).toBe(perRead)
    clock.advance(1)
    expect((await dashboard.read({ forceRefresh: false })).collectedAt).toEqual(new Date(clock.now()))
    expect(statements()).toBe(2 * perRead)
  })

  it('is read by one computation for all who ask at once', async () => {
    const { dashboard, statements } = setUp()
    const answers = await Promise.all(Array.from({ length: 20 }, () => dashboard.read({ forceRefresh: false })))
    expect(new Set(answers).size).toBe(1)
    const perRead = statements()
    await dashboard.read({ forceRefresh: true })
    expect(statements()).toBe(2 * perRead)
  })

  it('when forced, is one that began after the request, and still one at a time', async () => {
    const { dashboard, statements, clock } = setUp()
    const running = dashboard.read({ forceRefresh: false })
    while (statements() === 0) await nextTurn()
    clock.advance(1_000)
    const forced = await Promise.all(Array.from({ length: 10 }, () => dashboard.read({ forceRefresh: true })))
    expect(new Set(forced).size).toBe(1)
    expect(forced[0]?.collectedAt).toEqual(new Date(clock.now()))
    expect((await running).collectedAt).toEqual(new Date(clock.now() - 1_000))
    const { statements: single, dashboard: other } = setUp()
    await other.read({ forceRefresh: true })
    expect(statements()).toBe(2 * single())
  })

  it('shows what one person asked only where the operator lets it', async () => {
    let serial = 0
    const say = (session: string, content: string) =>
      sql`with made as (insert into chat_sessions (session_id, channel) values (${session}, 'web') on conflict do nothing)
        insert into chat_messages (message_id, session_id, role, content)
        values (${`message ${++serial}`}, ${session}, 'user', ${content})`.execute(database.db.executor)
    const shown = async (minSessions: number) =>
      (await setUp(minSessions).dashboard.read({ forceRefresh: false })).hotQuestions
    for (let i = 0; i < 9; i++) await say('one', 'Is my ring ready, the one for Ada?')
    for (const session of ['one', 'two']) await say(session, 'Do you ship kayaks?')
    // Another wording of it by somebody who asked already is no further session.
    await say('two', 'DO YOU SHIP KAYAKS?')
    expect(await shown(3)).toEqual([])
    expect(await shown(2)).toEqual([{ question: expect.stringMatching(/kayaks/i), count: 3 }])
    expect(await shown(1)).toEqual([
      { question: 'Is my ring ready, the one for Ada?', count: 9 },
      { question: expect.stringMatching(/kayaks/i), count: 3 },
    ])
  })

  it('takes the customer’s word for it that a sure answer was a wrong one', async () => {
    const { executor } = database.db
    await sql`delete from chat_sessions`.execute(executor)
    await sql`insert into chat_sessions (session_id, channel, turn_count)
      select id, 'web', 1 from unnest('{silent,pleased,displeased,"changed their mind"}'::text[]) id`.execute(executor)
    const ratings = [
      ['pleased', 'up'],
      ['displeased', 'down'],
      ['changed their mind', 'down'],
      ['changed their mind', 'up'],
    ]
    for (const [i, [session, rating]] of ratings.entries()) {
      await sql`insert into chat_messages (message_id, session_id, role, content)
        values (${`rated ${i}`}, ${session}, 'assistant', '.')`.execute(executor)
      await sql`insert into chat_feedback (message_id, session_id, rating, created_at)
        values (${`rated ${i}`}, ${session}, ${rating}, now() + make_interval(secs => ${i}))`.execute(executor)
    }
    const { dashboard } = setUp()
    expect((await dashboard.read({ forceRefresh: false })).resolutionRate).toBe(3 / 4)
  })
})
