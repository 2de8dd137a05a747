import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { hit, pipelineWith } from '../../../test/support/turns.ts'
import { logContext } from '../../kernel/log-context.ts'
import type { Trace } from '../../kernel/tracing.ts'
import type { LiveEvents } from '../../platform/live-events.ts'
import { messagesAfter } from '../sessions/index.ts'
import { DEFAULTS } from '../tuning/parameters.ts'
import { type Chat, createChat } from './service.ts'
import { turnSettings } from './turn/settings.ts'
import type { ChatEvent } from './types.ts'

let test: TestDatabase
let chat: Chat
let lines: object[] = []
const traces: Trace[] = []
const QUESTION = { message: 'What is the return window?', sessionId: '', channel: 'web', userId: '' } as const

beforeAll(async () => {
  test = await createTestDatabase()
  const live: Pick<LiveEvents, 'publish' | 'subscribe'> = { publish: async () => {}, subscribe: () => () => {} }
  const search = async ({ query }: { query: string }) => {
    lines.push(logContext())
    if (query.includes('fire')) throw new Error('no index')
    return [hit('The return window is 7 days.', 0.3)]
  }
  chat = createChat({
    ...pipelineWith({ search }),
    db: test.db,
    live: live as LiveEvents,
    identity: 'made',
    mask: (text) => text,
    traces: { record: (trace) => void traces.push(trace) },
    // An experiment for one session.
    settingsFor: (sessionId) => turnSettings(DEFAULTS, sessionId === 'tried' ? { direct_answer_threshold: 0.25 } : {}),
    onFeedback: () => {},
  })
})
afterAll(() => test.close())

const said = async (sessionId: string): Promise<string[]> =>
  (await messagesAfter(test.db.executor, { sessionId, readable: null }, 0, 100)).map(({ role }) => role)

it('names the trace of a turn in its reply, in its events and in its log lines', async () => {
  lines = []
  const reply = await chat.reply({ ...QUESTION, sessionId: 'traced' })
  expect(traces.at(-1)).toMatchObject({ traceId: reply.traceId, sessionId: 'traced', status: 'ok' })
  expect(lines).toEqual([expect.objectContaining({ traceId: reply.traceId, sessionId: 'traced' })])
  const events: ChatEvent[] = []
  for await (const event of chat.answer({ ...QUESTION, sessionId: 'traced' })) events.push(event)
  const [first, last] = [events[0], events.at(-1)]
  const traceId = traces.at(-1)?.traceId
  expect([first, last]).toMatchObject([
    { type: 'meta', traceId },
    { type: 'done', outcome: { traceId } },
  ])
})

it('goes by the settings of the session', async () => {
  expect(await chat.reply(QUESTION)).toMatchObject({ confidence: 'close', failedAttempts: 1 })
  expect(await chat.reply({ ...QUESTION, sessionId: 'tried' })).toMatchObject({ confidence: 'sure', failedAttempts: 0 })
})

it('previews what it would reply, and stores nothing of it', async () => {
  const before = traces.length
  const { reply } = await chat.reply(QUESTION)
  const previewed = await chat.preview({ message: QUESTION.message, history: [] })
  expect(previewed).toMatchObject({ reply, confidence: 'close', questions: [QUESTION.message] })
  expect(await chat.preview({ message: 'I want to talk to a person', history: [] })).toMatchObject({
    reply: expect.stringContaining('called a colleague'),
  })
  expect([traces.length - before, await said('')]).toEqual([1, []])
})

it('answers one message of a session after the other', async () => {
  const asked = Array.from({ length: 4 }, () => chat.reply({ ...QUESTION, sessionId: 'burst' }))
  expect((await Promise.all(asked)).map(({ turnCount }) => turnCount)).toEqual([1, 2, 3, 4])
  // A colleague is called after the second answer that settled nothing.
  const pair = ['user', 'assistant']
  expect(await said('burst')).toEqual([...pair, ...pair, 'system', ...pair, ...pair])
})

it('begins a stream that fails at once with meta, too, and tells of the other customer in an event', async () => {
  await chat.reply({ ...QUESTION, sessionId: 'of-ann', userId: 'ann' })
  const events: ChatEvent[] = []
  for await (const event of chat.answer({ ...QUESTION, sessionId: 'of-ann', userId: 'bob' })) events.push(event)
  expect(events).toMatchObject([
    { type: 'meta', sessionId: 'of-ann' },
    { type: 'error', error: { kind: 'conflict' } },
  ])
  expect(await said('of-ann')).toEqual(['user', 'assistant'])
})

it('gives the session back when its consumer stops early, and keeps what was said', async () => {
  for await (const event of chat.answer({ ...QUESTION, sessionId: 'left' })) if (event.type === 'token') break
  expect(traces.at(-1)).toMatchObject({ sessionId: 'left', status: 'interrupted' })
  expect(await said('left')).toEqual(['user', 'assistant'])
  expect(await chat.reply({ ...QUESTION, sessionId: 'left' })).toMatchObject({ turnCount: 2 })
})
