import { setTimeout as sleep } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { App } from '../../src/http/server.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { type Browser, logInAs } from '../support/people.ts'
import { createTestApp, type TestApp, testConfig } from '../support/test-app.ts'
import { isStream, routesOf } from './support/routes.ts'

const API_KEY = 'a secret of 24 characters'
const KEY = { 'x-api-key': API_KEY }
const WORKSPACE = '/api/v1/agent/events'

let test: TestApp
let ann: Browser
const open: EventStream[] = []
beforeAll(async () => {
  test = await createTestApp({ API_KEY })
  ann = await logInAs(test, 'ann', 'agent')
})
afterAll(async () => {
  for (const stream of open) await stream.close()
  await test.close()
})

const say = (session_id: string, message: string) =>
  test.call('POST', '/api/v1/chat', { session_id, message, user_id: 'mei' })
async function follow(path: string, app: App = test.app): Promise<EventStream> {
  const stream = await openEventStream(app, path, KEY)
  expect(stream.status).toBe(200)
  open.push(stream)
  return stream
}

/** Schemas of a stream's events, as the API description has them. */
async function schemasOf(path: string, method = 'get'): Promise<Record<string, TSchema>> {
  const { body } = await test.call('GET', '/openapi.json')
  return body.paths[path][method]['x-events']
}

describe('streams', () => {
  it('all describe their events', async () => {
    const { body } = await test.call('GET', '/openapi.json')
    const missing = routesOf(test.app)
      .filter((route) => route.method !== 'HEAD' && isStream(test.app, route))
      .filter(({ method, path }) => {
        const operation = body.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
        return Object.keys(operation['x-events'] ?? {}).length === 0
      })
    expect(missing).toEqual([])
  })

  it('send what they describe', async () => {
    const workspace = await follow(`${WORKSPACE}?scope=all`)
    await say('s1', 'Do you sell horses?')
    await say('s1', 'I want to talk to a person')
    const customer = await follow('/api/v1/chat/sessions/s1/events?user_id=mei')
    await ann.call('POST', '/api/v1/agent/sessions/s1/accept')
    await ann.call('POST', '/api/v1/agent/sessions/s1/typing')
    await ann.call('POST', '/api/v1/agent/sessions/s1/read')
    await ann.call('POST', '/api/v1/agent/sessions/s1/messages', { content: 'Hello' })
    await test.call('POST', '/api/v1/chat/sessions/s1/typing', { user_id: 'mei' })
    await say('s1', 'Hello, too')
    await ann.call('POST', '/api/v1/agent/presence', { state: 'online' })
    await ann.call('POST', '/api/v1/agent/sessions/s1/transfer', { agent_id: 'ann' })
    await ann.call('POST', '/api/v1/agent/sessions/s1/release')
    await ann.call('POST', '/api/v1/agent/sessions/s1/take')
    await ann.call('POST', '/api/v1/agent/sessions/s1/resolve')
    await customer.waitFor(({ event }) => event === 'resolved')
    await workspace.waitFor(({ event }) => event === 'session_resolved')
    const streams = [
      [workspace, await schemasOf(WORKSPACE)],
      [customer, await schemasOf('/api/v1/chat/sessions/{session_id}/events')],
    ] as const
    for (const [stream, schemas] of streams) {
      for (const { event, data } of stream.inbox.all) {
        const schema = schemas[event]
        expect(schema, event).toBeDefined()
        expect(
          [...Value.Errors(schema as TSchema, data)].map((each) => `${event} ${each.instancePath} ${each.message}`),
        ).toEqual([])
      }
    }
    const told = (stream: EventStream) => new Set(stream.inbox.all.map(({ event }) => event))
    expect([...told(customer)].sort()).toEqual(['accepted', 'message', 'read', 'released', 'resolved', 'typing'])
    expect([...told(workspace)]).toEqual(
      expect.arrayContaining(['session_pending', 'session_assigned', 'message', 'typing', 'read', 'presence']),
    )
  })

  it('describe the events of a reply', async () => {
    const schemas = await schemasOf('/api/v1/chat/stream', 'post')
    const { body } = await test.app.inject({
      method: 'POST',
      url: '/api/v1/chat/stream',
      headers: KEY,
      payload: { message: 'Do you sell horses?' },
    })
    const events = [...body.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event = '', data = '']) => ({
      event,
      data,
    }))
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['meta', 'token', 'done']))
    for (const { event, data } of events) {
      expect([...Value.Errors(schemas[event] as TSchema, JSON.parse(data))].map(({ message }) => message)).toEqual([])
    }
  })
})

describe('typing and presence', () => {
  it('have no id and are told once, so that resuming stays exact', async () => {
    const workspace = await follow(WORKSPACE)
    await say('s2', 'I want to talk to a person')
    await test.call('POST', '/api/v1/chat/sessions/s2/typing', { user_id: 'mei' })
    const typing = await workspace.waitFor(({ event }) => event === 'typing')
    expect(typing).toMatchObject({
      id: '',
      data: { session_id: 's2', role: 'user', expires_at: expect.stringMatching(/Z$/) },
    })
    const pending = await workspace.waitFor(({ event }) => event === 'session_pending')
    const again = await openEventStream(test.app, WORKSPACE, { ...KEY, 'last-event-id': pending.id })
    open.push(again)
    await sleep(300)
    expect(again.inbox.all).toEqual([])
  })

  it('are only told of sessions that are there, to their customers', async () => {
    const typing = (path: string, body: object) => test.call('POST', `/api/v1/${path}/typing`, body)
    expect((await typing('agent/sessions/nowhere', {})).status).toBe(404)
    expect((await typing('chat/sessions/nowhere', {})).status).toBe(404)
    expect((await typing('chat/sessions/s2', { user_id: 'somebody else' })).status).toBe(409)
    expect((await typing('agent/sessions/s2', { agent_id: 7 })).status).toBe(422)
  })

  it('show who is there, with the conversations that they have', async () => {
    await ann.call('POST', '/api/v1/agent/sessions/s2/take')
    await ann.call('POST', '/api/v1/agent/presence', { state: 'away' })
    await test.call('POST', '/api/v1/agent/presence', { state: 'online', agent_id: 'program' })
    expect((await ann.call('GET', '/api/v1/agent/presence')).body.people).toMatchObject([
      { agent_id: 'ann', state: 'away', open_sessions: 1 },
      { agent_id: 'program', state: 'online', open_sessions: 0 },
    ])
    expect((await test.call('POST', '/api/v1/agent/presence', { state: 'online' })).body).toEqual({
      detail: 'agent_id: is required with a key',
    })
    expect((await ann.call('POST', '/api/v1/agent/presence', { state: 'asleep' })).status).toBe(422)
  })
})

describe('scope=all', () => {
  it('tells of conversations that the assistant has, and the plain stream does not', async () => {
    const [all, desk] = [await follow(`${WORKSPACE}?scope=all`), await follow(WORKSPACE)]
    await sleep(1_200)
    await say('s3', 'Do you sell zebras?')
    const { data, id } = await all.waitFor(({ event, data: told }) => event === 'activity' && told.session_id === 's3')
    expect(id).toBe('')
    expect(data).toMatchObject({ session_id: 's3', agent_status: 'none', message: { role: 'assistant' } })
    expect(desk.inbox.all.filter(({ event }) => event === 'activity')).toEqual([])
    expect((await test.call('GET', `${WORKSPACE}?scope=mine`)).status).toBe(400)
  })
})

/** An embedded database belongs to one process. */
describe.runIf(process.env.TEST_DATABASE_URL)('on two replicas', () => {
  it('what happens on one is told on the other', async () => {
    const second = await createApp(testConfig({ API_KEY }), await test.database.reopen(), test.app.log)
    const stream = await follow(WORKSPACE, second)
    await say('s4', 'I want to talk to a person')
    await ann.call('POST', '/api/v1/agent/sessions/s4/typing')
    await stream.waitFor(({ event }) => event === 'session_pending')
    await stream.waitFor(({ event, data }) => event === 'typing' && data.agent_id === 'ann')
    await stream.close()
    await second.close()
  })
})
