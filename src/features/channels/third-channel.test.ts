import { afterAll, beforeAll, expect, it } from 'vitest'
import { createInbox } from '../../../test/support/stub-server.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../../../test/support/test-database.ts'
import { type App, createHttpServer } from '../../http/server.ts'
import { AppError } from '../../kernel/errors.ts'
import { createLiveEvents, type LiveEvents } from '../../platform/live-events.ts'
import { createLog } from '../../platform/log.ts'
import type { Chat } from '../chat/index.ts'
import { type Channel, neutralMessage } from './channel.ts'
import { saveLink } from './link-queries.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { channelRoutes } from './routes.ts'
import { createChannels } from './service.ts'

/** A platform as it may come: letters, signed by one word, and answered by letters. */
const sent = createInbox<[to: string, text: string]>()
const letters: Channel = {
  name: 'app',
  language: 'en',
  description: { summary: 'Letters', description: 'Signed', consumes: 'text/plain', produces: 'text/plain' },
  webhook: {
    acknowledgement: 'thanks',
    receive({ headers, body }) {
      if (headers.seal !== 'wax') throw new AppError('unauthorized', 'bad_signature', 'seal: missing or wrong')
      const [messageId = '', customerId = '', text = ''] = Buffer.from(body).toString().split('|')
      return {
        messageId,
        customerId,
        content: neutralMessage('text', text),
        use: { signature: `${headers.seal} ${messageId}`, message: { messageId, customerId, text } },
        address: { orderingKey: `app:${customerId}`, details: { to: customerId } },
      }
    },
  },
  sender: {
    split: (text) => text.split('\n').filter(Boolean),
    send: async (details, text) => void sent.add([(details as { to: string }).to, text]),
  },
}
const off: Channel = { ...letters, name: 'api', webhook: null, sender: null }

let database: TestDatabase
let live: LiveEvents
let outbox: Outbox
let app: App
const asked: Parameters<Chat['reply']>[0][] = []
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const log = silentLog
  live = await createLiveEvents(db)
  const channels = [letters, off]
  outbox = createOutbox({ db, live, channels, onLost: () => {}, log })
  const reply = async (request: (typeof asked)[number]) => {
    asked.push(request)
    const said = {
      reply: `You said:\n${request.message}`,
      sessionId: request.sessionId,
      sources: [],
      suggestions: [],
      subTasks: [],
    }
    return said as unknown as Awaited<ReturnType<Chat['reply']>>
  }
  const handoff = { find: async () => undefined, latest: async () => undefined }
  const options = {
    db,
    channels,
    outbox,
    chat: { reply },
    handoff,
    languageOf: () => 'en' as const,
    log,
    attach: async () => {},
  }
  app = createHttpServer({
    logger: createLog('silent'),
    apiKey: 'the key',
    trustProxy: false,
    headersTimeoutMs: 1_000,
    requestTimeoutMs: 1_000,
  })
  await channelRoutes(app, { channels: createChannels({ ...options, budgetMs: 1_000 }) })
})
afterAll(async () => {
  await app.close()
  await outbox.close()
  await live.close()
  await database.close()
})

const bring = async (letter: string, seal = 'wax', channel = 'app') => {
  const headers = { 'content-type': 'text/plain', seal }
  const { statusCode, body } = await app.inject({
    ...{ method: 'POST', url: `/api/v1/gateway/${channel}`, headers, payload: letter },
  })
  return [statusCode, body]
}

it('brings messages to chat under the platform’s names, and answers out by itself, once', async () => {
  expect(await bring('1|bob|hello')).toEqual([200, 'thanks'])
  expect(await bring('1|bob|hello')).toEqual([200, 'thanks'])
  expect(await sent.waitFor(2)).toEqual([
    ['bob', 'You said:'],
    ['bob', 'hello'],
  ])
  expect(asked).toMatchObject([{ message: 'hello', channel: 'app', userId: 'app:bob', platform: 'app' }])
})

it('knows whom the shop has linked, in a session of their own', async () => {
  await saveLink(database.db.executor, { channel: 'app', channelUserId: 'bob', userId: 'robert' })
  await bring('2|bob|hello again')
  await bring('3|bob|and again')
  const [first, linked, later] = asked
  expect(linked).toMatchObject({ userId: 'robert', platform: undefined })
  expect(linked?.sessionId).not.toBe(first?.sessionId)
  expect(later?.sessionId).toBe(linked?.sessionId)
})

it('refuses what is not the platform’s, a signature that served another message, and a channel that is off', async () => {
  expect((await bring('4|eve|hello', 'clay'))[0]).toBe(401)
  expect((await bring('1|eve|hello'))[0]).toBe(401)
  expect((await bring('5|eve|hello', 'wax', 'api'))[0]).toBe(404)
  expect(asked).toHaveLength(3)
})
