import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.ts'
import type { LiveEvents } from '../../../platform/live-events.ts'
import type { EscalationCard } from '../../handoff/index.ts'
import { acceptSession, requestHandoff } from '../../handoff/queries.ts'
import { messagesAfter } from '../../sessions/index.ts'
import { DEFAULTS } from '../../tuning/parameters.ts'
import { loadUnderstand } from '../understanding/load.ts'
import type { BegunTurn, TurnStart } from './queries.ts'
import { turnSettings } from './settings.ts'
import { openState, type TurnState } from './state.ts'
import { createTurnStores, type TurnStore } from './store.ts'
import { startTrace } from './trace.ts'

let test: TestDatabase
let open: ReturnType<typeof createTurnStores>
const understand = await loadUnderstand()
const published: string[] = []
beforeAll(async () => {
  test = await createTestDatabase()
  const live: Pick<LiveEvents, 'publish'> = { publish: async (_, { topic }) => void published.push(topic) }
  open = createTurnStores({ db: test.db, live: live as LiveEvents })
})
afterAll(() => test.close())

let ids = 0
function start(sessionId: string, more: Partial<TurnStart> = {}): TurnStart {
  const messageId = `m${ids++}`
  const identity = { userId: '', origin: 'given', trustsMade: true } as const
  const owner = `owner of ${sessionId}`
  return { sessionId, ...identity, channel: 'web', owner, messageId, content: `ask ${messageId}`, ...more }
}
/** The end of a turn of a session that has just begun. */
function turn({ session, history }: BegunTurn, reply: string): TurnState {
  const opening = {
    message: '',
    session,
    history,
    settings: turnSettings(DEFAULTS),
    trace: startTrace(Date.now, { record: () => {} }, session),
    signal: new AbortController().signal,
    isTakenOver: () => false,
    emit: null,
  }
  const understanding = { ...understand(''), intent: 'faq' as const, emotionScore: 0.25 }
  const context = { questions: ['q'] }
  return { ...openState(opening, understanding), reply, failedAttempts: 1, confident: true, context }
}
type Begun = BegunTurn & { store: TurnStore }
async function begin(of: TurnStart, isUnknown = false): Promise<Begun> {
  const store = open(of, isUnknown)
  return { ...(await store.begin()), store }
}
const end = (begun: Begun, reply: string) => begun.store.end(turn(begun, reply))
const said = async (sessionId: string): Promise<string[]> =>
  (await messagesAfter(test.db.executor, { sessionId, readable: null }, 0, 100)).map(
    ({ role, content }) => `${role}: ${content}`,
  )

it('begins turns of many sessions at once, each with its own history', async () => {
  const sessions = Array.from({ length: 40 }, (_, i) => `many-${i}`)
  const first = await Promise.all(sessions.map((id) => begin(start(id, { content: `first of ${id}` }))))
  const finished = await Promise.all(first.map((begun, i) => end(begun, `reply to ${sessions[i]}`)))
  expect(finished).toEqual(
    sessions.map((sessionId) => expect.objectContaining({ sessionId, turnCount: 1, failedAttempts: 1 })),
  )
  const again = await Promise.all(sessions.map((id) => begin(start(id, { content: `second of ${id}` }))))
  expect(again.map((begun) => begun.history.map(({ content }) => content))).toEqual(
    sessions.map((id) => [`first of ${id}`, `reply to ${id}`, `second of ${id}`]),
  )
  expect(again[0]?.session).toMatchObject({ intent: 'faq', emotionScore: 0.25, context: { questions: ['q'] } })
  expect(again[0]?.history[0]?.createdAt).toBeInstanceOf(Date)
})

it('gives a turn to one at a time, and the session to its own user', async () => {
  const first = await begin(start('mine', { userId: 'ann' }))
  let isBegun = false
  const second = begin(start('mine', { userId: 'ann' })).finally(() => {
    isBegun = true
  })
  await expect(begin(start('mine', { userId: 'bob' }))).rejects.toMatchObject({ kind: 'conflict' })
  expect([isBegun, (await said('mine')).length]).toEqual([false, 1])
  await first.store.release()
  await second
  expect(await said('mine')).toHaveLength(2)
})

it('stores the whole first turn of a session that nobody knows at once', async () => {
  const begun = await Promise.all(['whole-0', 'whole-1'].map((id) => begin(start(id, { content: 'May I?' }), true)))
  expect(await said('whole-0')).toEqual([])
  await Promise.all(begun.map((each, i) => end(each, ['Yes.', ''][i] as string)))
  expect([await said('whole-0'), await said('whole-1')]).toEqual([
    ['user: May I?', 'assistant: Yes.'],
    ['user: May I?'],
  ])
  expect((await begin(start('whole-0'))).session).toMatchObject({ turnCount: 1, failedAttempts: 1 })
})

it('stores also there what could not be answered', async () => {
  const { store } = await begin(start('unanswered', { content: 'Why?' }), true)
  await store.release()
  expect(await said('unanswered')).toEqual(['user: Why?'])
  await begin(start('unanswered'))
})

it('stores no empty reply', async () => {
  await end(await begin(start('silent', { content: 'May I?' })), '')
  expect(await said('silent')).toEqual(['user: May I?'])
})

it('leaves to the next turn what is its own when one has taken so long that it lost the session', async () => {
  const late = await begin(start('late', { owner: 'first' }))
  await sql`update chat_sessions set turn_expires_at = now() - interval '1 second' where session_id = 'late'`.execute(
    test.db.executor,
  )
  const next = await begin(start('late', { owner: 'second' }))
  expect(await end(late, 'The first reply')).toMatchObject({ turnCount: 1 })
  const { rows } = await sql`select turn_owner, failed_attempts, context from chat_sessions
    where session_id = 'late'`.execute(test.db.executor)
  expect(rows).toEqual([{ turn_owner: 'second', failed_attempts: 0, context: {} }])
  expect(await end(next, 'The second reply')).toMatchObject({ turnCount: 2 })
  expect((await said('late')).slice(2)).toEqual(['assistant: The first reply', 'assistant: The second reply'])
})

it('does not talk over a person, and tells the workspace of what the customer says', async () => {
  const begun = await begin(start('handed'))
  await requestHandoff(test.db.executor, 'handed', { priority: 'low' } as EscalationCard)
  await acceptSession(test.db.executor, 'handed', 'agent-1')
  expect(await end(begun, 'A late reply')).toMatchObject({ escalate: true, messageId: '' })
  expect(await said('handed')).toHaveLength(1)
  expect(published).toEqual([])
  await begin(start('handed'))
  expect(published).toEqual(['workspace'])
})

it('lets a record that cannot be stored fail alone', async () => {
  const taken = start('taken')
  await begin(taken)
  const starts = [start('good-1'), start('bad', { messageId: taken.messageId }), start('good-2')]
  const settled = await Promise.allSettled(starts.map((each) => begin(each)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await said('good-2')).toHaveLength(1)
})

it('takes the messages of a session with it when that is deleted', async () => {
  for (const sessionId of ['erased', 'kept']) await end(await begin(start(sessionId)), 'Yes.')
  await sql`delete from chat_sessions where session_id = 'erased'`.execute(test.db.executor)
  expect([await said('erased'), (await said('kept')).length]).toEqual([[], 2])
})
