import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { createLog } from '../../src/platform/log.ts'
import { openEventStream } from '../support/event-stream.ts'
import { testConfig } from '../support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/**
 * Races for sessions. On a server (TEST_DATABASE_URL) two replicas take the requests in turns; the embedded database
 * has one.
 */
const SESSIONS = 100
const AGENTS = 200
const ROUNDS = 100

interface Message {
  role: string
  content: string
  message_id: string
  event?: string
}

let database: TestDatabase
let replicas: App[]
let turn = 0
beforeAll(async () => {
  database = await createTestDatabase()
  const databases = [database.db]
  if (database.db.kind === 'server') databases.push(await database.reopen())
  const config = testConfig()
  replicas = await Promise.all(databases.map((db) => createApp(config, db, createLog(config.LOG_LEVEL))))
  await Promise.all(replicas.map((app) => app.ready()))
})
afterAll(async () => {
  await Promise.all(replicas.map((app) => app.close()))
  await database.close()
})

async function call(method: 'GET' | 'POST', url: string, body?: object) {
  const app = replicas[turn++ % replicas.length] as App
  const response = await app.inject({ method, url: `/api/v1${url}`, ...(body ? { payload: body } : {}) })
  return { status: response.statusCode, body: response.json() }
}
const act = (id: string, action: string, body: object = {}) => call('POST', `/agent/sessions/${id}/${action}`, body)
const historyOf = async (id: string): Promise<Message[]> => (await call('GET', `/agent/sessions/${id}`)).body.history

async function waitingSession(id: string): Promise<string> {
  const { status } = await call('POST', '/chat', { message: 'I want to talk to a person', session_id: id })
  expect(status).toBe(200)
  return id
}
async function assignedSession(id: string): Promise<string> {
  await act(await waitingSession(id), 'accept')
  return id
}

function idsOf(messages: readonly Message[], role: string): string[] {
  return messages.filter((message) => message.role === role).map(({ message_id }) => message_id)
}

describe('people who act at the same time', () => {
  it(`${AGENTS} who accept one session, ${SESSIONS} sessions: exactly one gets each`, async () => {
    for (let n = 0; n < SESSIONS; n++) {
      const id = await waitingSession(`accept-${n}`)
      const answers = await Promise.all(
        Array.from({ length: AGENTS }, (_, i) => act(id, 'accept', { agent_id: `agent-${i}` })),
      )
      const winners = answers.filter(({ status }) => status === 200)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(AGENTS - 1)
      expect(winners).toHaveLength(1)
      const { body } = await call('GET', `/agent/sessions/${id}`)
      expect(body).toMatchObject({ agent_status: 'assigned', agent_id: winners[0]?.body.agent_id })
      expect(body.history.filter(({ event }: Message) => event === 'accepted')).toHaveLength(1)
    }
  })

  it(`an end against messages, ${ROUNDS} rounds: what was acknowledged is there, nothing after the end`, async () => {
    const landed = { before: 0, refused: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const id = await assignedSession(`resolve-${round}`)
      const texts = Array.from({ length: 8 }, (_, i) => ({ content: `message ${i}` }))
      const calls = [
        ...texts.slice(0, round % 8).map((body) => () => act(id, 'messages', body)),
        () => act(id, 'resolve'),
        ...texts.slice(round % 8).map((body) => () => act(id, 'messages', body)),
      ]
      const answers = await Promise.all(calls.map((each) => each()))
      const sent = answers.filter(({ body }) => body.agent_status === undefined)
      expect(answers.filter(({ body }) => body.agent_status === 'resolved')).toHaveLength(1)
      expect(sent.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
      const acknowledged = sent.filter(({ status }) => status === 200).map(({ body }) => body.message_id)
      const history = await historyOf(id)
      expect(idsOf(history, 'agent').toSorted()).toEqual(acknowledged.toSorted())
      expect(history.at(-1)?.event).toBe('resolved')
      landed.before += acknowledged.length
      landed.refused += sent.length - acknowledged.length
    }
    // Otherwise the rounds raced nothing.
    expect(landed.before).toBeGreaterThan(0)
    expect(landed.refused).toBeGreaterThan(0)
  })

  it(`messages against messages, ${ROUNDS} rounds: all of them, each once, in one order for everybody`, async () => {
    const id = await assignedSession('messages')
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, (_, i) => act(id, 'messages', { content: `${round}.${i}` })),
        call('POST', '/chat', { message: `customer ${round}`, session_id: id }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      acknowledged.push(...answers.slice(0, 4).map(({ body }) => body.message_id))
    }
    const views = await Promise.all(replicas.map(() => historyOf(id)))
    const [history = []] = views
    for (const view of views) expect(view).toEqual(history)
    expect(idsOf(history, 'agent').toSorted()).toEqual(acknowledged.toSorted())
    const customers = history.filter(({ role, content }) => role === 'user' && content.startsWith('customer'))
    expect(customers.map(({ content }) => content)).toEqual(
      Array.from({ length: ROUNDS }, (_, round) => `customer ${round}`),
    )
    // While a person has the session the assistant stores nothing.
    const accepted = history.findIndex(({ event }) => event === 'accepted')
    expect(history.slice(accepted).filter(({ role }) => role === 'assistant')).toEqual([])
  })

  it('a customer who gives up against people who accept: one of them wins', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await waitingSession(`cancel-${round}`)
      const calls = [
        () => call('POST', `/chat/sessions/${id}/handoff/cancel`),
        ...Array.from({ length: 5 }, () => () => act(id, 'accept')),
      ]
      const answers = await Promise.all((round % 2 === 0 ? calls : calls.toReversed()).map((each) => each()))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    }
  })

  it('two who approve one solution on whichever replicas: one document, one version', async () => {
    for (let round = 0; round < 20; round++) {
      const { body } = await call('POST', '/escalation/solution', {
        question: `What is thing ${round}?`,
        solution: `Thing ${round} is a thing.`,
      })
      const approve = () => call('POST', `/escalation/solutions/${body.solution_id}/approve`)
      const answers = await Promise.all([approve(), approve(), approve(), approve()])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const { body: document } = await call('GET', `/knowledge/documents/${answers[0]?.body.doc_id}`)
      expect(document).toMatchObject({ status: 'active', current_version: 'v1' })
      expect(document.versions).toHaveLength(1)
    }
  })

  it('repeats of one channel message at whichever replicas: one answer, one turn', async () => {
    for (let round = 0; round < 20; round++) {
      const message = { channel: 'app', user_id: `u${round}`, message: 'hello', message_id: 'm' }
      const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', '/gateway', message)))
      expect(answers.filter(({ body }) => body.duplicate === false)).toHaveLength(1)
      expect(new Set(answers.map(({ body }) => body.data.message_id)).size).toBe(1)
      expect(await historyOf(answers[0]?.body.session_id)).toHaveLength(2)
    }
  })
})

describe('what happens at one replica', () => {
  it('is heard by customers and people at every other, in order', async () => {
    const id = 'heard'
    await call('POST', '/chat', { message: 'hello', session_id: id })
    const workspaces = await Promise.all(replicas.map((app) => openEventStream(app, '/api/v1/agent/events')))
    const path = `/api/v1/chat/sessions/${id}/events`
    const customers = await Promise.all(replicas.map((app) => openEventStream(app, path)))
    await waitingSession(id)
    await act(id, 'accept')
    const texts = Array.from({ length: 30 }, (_, i) => `message ${i}`)
    for (const content of texts) await act(id, 'messages', { content })
    await act(id, 'resolve')
    for (const stream of [...workspaces, ...customers]) {
      await stream.waitFor(({ event }) => event === 'resolved' || event === 'session_resolved')
      const said = stream.inbox.all
        .filter(({ event }) => event === 'message')
        .map(({ data }) => (data.message ?? data).content)
        .filter((content) => texts.includes(content))
      expect(said).toEqual(texts)
    }
    await Promise.all([...workspaces, ...customers].map((stream) => stream.close()))
  })
})
