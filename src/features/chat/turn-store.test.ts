import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import { acceptSession } from './handoff-queries.ts'
import { messagesAfter, releaseTurn, requestHandoff } from './queries.ts'
import type { TurnEnd, TurnStart } from './turn-queries.ts'
import { createTurnStore, type TurnStore } from './turn-store.ts'
import type { HandoffCard } from './types.ts'

let test: TestDatabase
let turns: TurnStore
const published: string[] = []
beforeAll(async () => {
  test = await createTestDatabase()
  const live: Pick<LiveEvents, 'publish'> = { publish: async (_, { topic }) => void published.push(topic) }
  turns = createTurnStore({ db: test.db, live: live as LiveEvents })
})
afterAll(() => test.close())

let ids = 0
function start(sessionId: string, more: Partial<TurnStart> = {}): TurnStart {
  const messageId = `m${ids++}`
  const identity = { userId: '', origin: 'given', trustsMade: true } as const
  return { sessionId, ...identity, channel: 'web', owner: `o${ids}`, messageId, content: `ask ${messageId}`, ...more }
}
function end(sessionId: string, content: string): TurnEnd {
  const reply = { messageId: `m${ids++}`, content, sources: [], details: { confident: true } }
  const rest = { owner: 'o', failedAttempts: 1, emotionScore: 0.25, intent: 'faq' as const }
  return { sessionId, isGuest: false, ...rest, context: { questions: ['q'] }, reply }
}
const said = async (sessionId: string): Promise<string[]> =>
  (await messagesAfter(test.db.executor, { sessionId, readable: null }, 0, 100)).map(
    ({ role, content }) => `${role}: ${content}`,
  )

it('begins turns of many sessions at once, each with its own history', async () => {
  const sessions = Array.from({ length: 40 }, (_, i) => `many-${i}`)
  await Promise.all(sessions.map((id) => turns.begin(start(id, { content: `first of ${id}` }))))
  const finished = await Promise.all(sessions.map((id) => turns.end(end(id, `reply to ${id}`))))
  expect(finished).toEqual(
    sessions.map((sessionId) => expect.objectContaining({ sessionId, turnCount: 1, failedAttempts: 1 })),
  )
  const again = await Promise.all(sessions.map((id) => turns.begin(start(id, { content: `second of ${id}` }))))
  expect(again.map((begun) => begun?.history.map(({ content }) => content))).toEqual(
    sessions.map((id) => [`first of ${id}`, `reply to ${id}`, `second of ${id}`]),
  )
  expect(again[0]?.session).toMatchObject({ intent: 'faq', emotionScore: 0.25, context: { questions: ['q'] } })
  expect(again[0]?.history[0]?.createdAt).toBeInstanceOf(Date)
})

it('gives a turn to one at a time, and the session to its own user', async () => {
  const first = start('mine', { userId: 'ann' })
  expect(await turns.begin(first)).toBeDefined()
  expect(await turns.begin(start('mine', { userId: 'ann' }))).toBeUndefined()
  await releaseTurn(test.db.executor, 'mine', first.owner)
  expect(await turns.begin(start('mine', { userId: 'bob' }))).toBeUndefined()
  expect(await turns.begin(start('mine'))).toBeDefined()
  expect(await said('mine')).toHaveLength(2)
})

it('stores a whole first turn, and no empty reply', async () => {
  const replies = ['Yes.', '']
  await Promise.all(
    replies.map((reply, i) => turns.store(start(`whole-${i}`, { content: 'May I?' }), end(`whole-${i}`, reply))),
  )
  expect(await said('whole-0')).toEqual(['user: May I?', 'assistant: Yes.'])
  expect(await said('whole-1')).toEqual(['user: May I?'])
  expect((await turns.begin(start('whole-0')))?.session).toMatchObject({ turnCount: 1, failedAttempts: 1 })
})

it('does not talk over a person, and tells the workspace of what the customer says', async () => {
  await turns.begin(start('handed'))
  await requestHandoff(test.db.executor, 'handed', { priority: 'low' } as HandoffCard)
  await acceptSession(test.db.executor, 'handed', 'agent-1')
  expect(await turns.end(end('handed', 'A late reply'))).toMatchObject({ agentStatus: 'assigned' })
  expect(await said('handed')).toHaveLength(1)
  expect(published).toEqual([])
  await turns.begin(start('handed'))
  expect(published).toEqual(['workspace'])
})

it('lets a record that cannot be stored fail alone', async () => {
  const taken = start('taken')
  await turns.begin(taken)
  const starts = [start('good-1'), start('bad', { messageId: taken.messageId }), start('good-2')]
  const settled = await Promise.allSettled(starts.map(turns.begin))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await said('good-2')).toHaveLength(1)
})

it('takes the messages of a session with it when that is deleted', async () => {
  for (const sessionId of ['erased', 'kept']) await turns.store(start(sessionId), end(sessionId, 'Yes.'))
  await sql`delete from chat_sessions where session_id = 'erased'`.execute(test.db.executor)
  expect([await said('erased'), (await said('kept')).length]).toEqual([[], 2])
})
